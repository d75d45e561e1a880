import assert from 'node:assert/strict';
import type { Memento } from '../../../src/base/memento';
import { EraMemory } from '../../../src/connection/eraMemory';
import type { Era, SessionInfo } from '../../../src/connection/wire';

const day = 24 * 60 * 60 * 1000;

describe('EraMemory', () => {
  const ignore = (): void => undefined;
  const warnings: string[] = [];
  const log = {
    trace: ignore,
    debug: ignore,
    info: ignore,
    error: ignore,
    warn: (text: string) => warnings.push(text),
  };
  let stored: unknown;
  let now = 0;
  const memento: Memento = { get: () => stored, update: (_, value) => Promise.resolve(void (stored = value)) };
  const memory = new EraMemory(memento, () => now);
  const learn = (launch: string, era: Era, serverVersion = '1') =>
    memory.learn(launch, { era, serverName: 'secret name', serverVersion } as SessionInfo, log);

  beforeEach(() => {
    stored = undefined;
    now = 1000 * day;
    warnings.length = 0;
  });

  it('knows what was found, each launch for itself, also in another window', () => {
    learn('a', 'legacy');
    learn('b', 'modern');
    assert.equal(memory.verdictOf('a'), 'legacy');
    assert.equal(new EraMemory(memento, () => now).verdictOf('b'), 'modern');
    assert.equal(memory.verdictOf('c'), undefined);
    memory.forget('a', log);
    assert.equal(memory.verdictOf('a'), undefined);
    assert.equal(memory.verdictOf('b'), 'modern');
  });

  it('asks a legacy server again after a week, however often it was connected meanwhile', () => {
    learn('a', 'legacy');
    learn('b', 'modern');
    now += 6.9 * day;
    learn('a', 'legacy');
    assert.equal(memory.verdictOf('a'), 'legacy');
    now += 0.2 * day;
    assert.equal(memory.verdictOf('a'), undefined);
    assert.equal(memory.verdictOf('b'), 'modern');
    learn('a', 'legacy');
    now += 6.9 * day;
    assert.equal(memory.verdictOf('a'), 'legacy');
  });

  it('asks another version of a legacy server again; a modern one has answered for itself', () => {
    learn('a', 'legacy', '1');
    learn('a', 'legacy', '2');
    assert.equal(memory.verdictOf('a'), undefined);
    learn('a', 'legacy', '2');
    assert.equal(memory.verdictOf('a'), 'legacy');
    learn('b', 'modern', '1');
    learn('b', 'modern', '2');
    assert.equal(memory.verdictOf('b'), 'modern');
  });

  it('takes over that a server speaks another version of the protocol now', () => {
    learn('a', 'legacy');
    learn('a', 'modern');
    assert.equal(memory.verdictOf('a'), 'modern');
    learn('a', 'legacy');
    assert.equal(memory.verdictOf('a'), 'legacy');
  });

  it('stores nothing that a server says, and the newest 200 only', () => {
    for (let index = 0; index < 250; index += 1) {
      learn(`launch ${index}`, 'modern');
    }
    assert.ok(!JSON.stringify(stored).includes('secret name'));
    assert.equal(Object.keys(stored as object).length, 200);
    assert.equal(memory.verdictOf('launch 49'), undefined);
    assert.equal(memory.verdictOf('launch 50'), 'modern');
    assert.equal(memory.verdictOf('launch 249'), 'modern');
  });

  for (const damaged of [7, 'x', [], { a: 1 }, { a: { era: 'old', server: '', at: 0 } }, { a: null }]) {
    it(`survives what is stored damaged: ${JSON.stringify(damaged)}`, () => {
      stored = damaged;
      assert.equal(memory.verdictOf('a'), undefined);
      learn('a', 'modern');
      assert.equal(memory.verdictOf('a'), 'modern');
    });
  }

  it('goes on where nothing can be stored', async () => {
    const full = new EraMemory({ get: () => undefined, update: () => Promise.reject(new Error('disk full')) });
    full.learn('a', { era: 'modern' } as SessionInfo, log);
    await Promise.resolve();
    await Promise.resolve();
    assert.match(warnings.join(), /disk full/);
  });
});
