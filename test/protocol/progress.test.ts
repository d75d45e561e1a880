import assert from 'node:assert/strict';
import type { ResourceSpec } from '../server/scenario';
import { type Core, startCore } from './core';
import { type Fixture, type Way, ways } from './eras';

const slow: ResourceSpec = {
  uri: 'slow://x',
  text: 'at last',
  delay: 1200,
  progress: [
    { progress: 1, total: 4 },
    { progress: 2, total: 4, message: 'half' },
    { progress: 3, message: 'nearly' },
    { progress: 3.5 },
  ],
};

describe('slow reads', () => {
  let core: Core;
  let fixture: Fixture;

  afterEach(async () => {
    await core.end();
    await fixture.dispose();
  });

  const begin = async (way: Way, resource: ResourceSpec, requestTimeoutMs: number) => {
    fixture = await way.start({ resources: [resource] });
    core = startCore({ one: fixture.launch }, { requestTimeoutMs });
    await core.connection('one').connect('person');
  };

  for (const way of ways) {
    it(`tell their progress to all who wait, and each report is a sign of life (${way.name})`, async () => {
      await begin(way, slow, 600);
      const heard: string[][] = [[], []];
      const waiting = heard.map((words) =>
        core.content.read(
          { serverId: 'one', uri: slow.uri },
          { purpose: 'open', initiative: 'person', onProgress: (word) => words.push(word) },
        ),
      );
      await Promise.all(waiting);
      assert.deepEqual(heard[0], ['25 %', 'half (50 %)', 'nearly']);
      assert.deepEqual(heard[1], heard[0]);
      assert.equal((await fixture.control.requests('resources/read')).length, 1);
    });

    it(`that are silent end with the time limit, on the wire too (${way.name})`, async () => {
      await begin(way, { ...slow, progress: [], delay: 3000 }, 300);
      const read = core.connection('one').read(slow.uri, { initiative: 'background' });
      await assert.rejects(read, { kind: 'timeout', message: /^no answer within / });
      if (way.name !== 'modern, HTTP') {
        await fixture.control.waitForRequest(({ method }) => method === 'notifications/cancelled');
      }
    });
  }

  it('end within a total however much progress they tell', async () => {
    const progress = Array.from({ length: 60 }, (_, index) => ({ progress: index }));
    await begin(ways[0]!, { ...slow, progress, delay: 4000 }, 150);
    const read = core.connection('one').read(slow.uri, { initiative: 'person' });
    await assert.rejects(read, { kind: 'timeout', message: /^not finished within 2 s/ });
  });
});
