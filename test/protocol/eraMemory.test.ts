import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { EraMemory } from '../../src/connection/eraMemory';
import { fixtureLaunch } from '../server/fixtureClient';
import { type Core, memento, startCore, stdio } from './core';
import { sseFallback, ways } from './eras';

describe('what is remembered of a server’s era', () => {
  /** What the editor keeps from window to window. */
  let entries: Map<string, unknown>;
  let core: Core | undefined;
  const disposals: (() => Promise<unknown>)[] = [];

  beforeEach(() => (entries = new Map()));

  afterEach(async () => {
    await core?.end();
    core = undefined;
    for (const dispose of disposals.splice(0)) {
      await dispose();
    }
  });

  /** A window that opens, connects and is closed; gives the era. */
  const connectOnce = async (launch: Parameters<typeof startCore>[0][string]): Promise<string> => {
    core = startCore({ one: launch }, { eras: new EraMemory(memento(entries)) });
    const { era } = (await core.connection('one').connect('person')).info;
    await core.end();
    core = undefined;
    // What was found is kept after what waited for the session.
    await setImmediate();
    return era;
  };
  const verdicts = (): { era: string }[] => Object.values(entries.get('eraVerdicts') ?? {}) as never;
  const eras = (): string[] => verdicts().map(({ era }) => era);

  it('a legacy server is started twice in the first window, once in the next', async () => {
    const { control, ...launch } = fixtureLaunch({ era: 'legacy' });
    disposals.push(() => launch.dispose());
    await connectOnce(stdio(launch));
    assert.equal((await control.processes()).length, 2);
    await connectOnce(stdio(launch));
    assert.equal((await control.processes()).length, 3);
    assert.equal((await control.requests('server/discover')).length, 1);
    // Other variables may well start something else.
    await connectOnce(stdio({ ...launch, env: { ...launch.env, OTHER: '1' } }));
    assert.equal((await control.processes()).length, 5);
  });

  it('a modern server is started once, in each window', async () => {
    const { control, ...launch } = fixtureLaunch({ era: 'modern' });
    disposals.push(() => launch.dispose());
    for (const count of [1, 2]) {
      await connectOnce(stdio(launch));
      assert.equal((await control.processes()).length, count);
    }
  });

  for (const way of [...ways, sseFallback]) {
    it(`where it does not hold any more, the server is asked, and connected all the same (${way.name})`, async () => {
      const { launch, control, ...fixture } = await way.start({});
      disposals.push(() => fixture.dispose());
      assert.equal(await connectOnce(launch), way.era);
      assert.deepEqual(eras(), [way.era]);
      const other = way.era === 'legacy' ? 'modern' : 'legacy';
      entries = new Map([
        [
          'eraVerdicts',
          Object.fromEntries(
            Object.entries(entries.get('eraVerdicts') as object).map(([launched, verdict]) => [
              launched,
              { ...(verdict as object), era: other },
            ]),
          ),
        ],
      ]);
      assert.deepEqual(eras(), [other]);
      assert.equal(await connectOnce(launch), way.era);
      assert.deepEqual(eras(), [way.era]);
      // And what was found is right.
      const mark = await control.mark();
      await connectOnce(launch);
      const methods = (await control.log()).slice(mark).flatMap(({ method }) => method ?? []);
      assert.equal(methods.includes('initialize'), way.era === 'legacy');
      assert.equal(methods.includes('server/discover'), way.era === 'modern');
    });
  }

  it('a failed start leaves nothing behind that the next one would rely on', async () => {
    const { control, ...launch } = fixtureLaunch({ era: 'legacy' });
    disposals.push(() => launch.dispose());
    core = startCore({ one: stdio(launch) }, { eras: new EraMemory(memento(entries)) });
    await core.connection('one').connect('person');
    await core.connection('one').stop();
    assert.deepEqual(eras(), ['legacy']);
    await core.end();
    core = startCore({ one: stdio(launch) }, { eras: new EraMemory(memento(entries)), startTimeoutMs: 1000 });
    writeFileSync(`${launch.folder}/scenario`, JSON.stringify({ stdio: { exitAtStart: 3 } }));
    await assert.rejects(core.connection('one').connect('person'), /exited with code 3/);
    assert.deepEqual(eras(), []);
    assert.ok((await control.processes()).every(({ alive }) => !alive));
  });

  it('X5: is digests: nothing that was configured and nothing that the server says', async () => {
    const launch = fixtureLaunch({ era: 'legacy', scenario: { name: 'said-SECRET-1' } });
    disposals.push(() => launch.dispose());
    await connectOnce(stdio({ ...launch, env: { ...launch.env, TOKEN: 'SECRET-2' } }));
    assert.equal(verdicts().length, 1);
    const stored = JSON.stringify([...entries]);
    for (const word of ['SECRET', 'TOKEN', launch.folder, 'fixture']) {
      assert.ok(!stored.includes(word), word);
    }
  });
});
