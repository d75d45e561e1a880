import assert from 'node:assert/strict';
import type { Root } from '../../src/connection/connectionHost';
import { RequestError } from '../../src/connection/requestFailure';
import type { Scenario } from '../server/fixtureClient';
import type { JsonObject } from '../server/scenario';
import { type Core, startCore } from './core';
import { type Fixture, type Way, ways } from './eras';

const roots: readonly Root[] = [{ uri: 'file:///work/a%20b', name: 'a b' }];
const resources = [{ uri: 'a://x', text: 'x' }];

describe('what a server asks for besides input', () => {
  let core: Core;
  let fixture: Fixture;

  afterEach(async () => {
    await core.end();
    await fixture.dispose();
  });

  const begin = async (way: Way, scenario: Scenario, shared?: readonly Root[]) => {
    fixture = await way.start({ resources, ...scenario });
    core = startCore({ one: fixture.launch }, { roots: shared });
    await core.connection('one').connect('person');
  };

  /** The client's answer to the question that is asked before the list is given. */
  const answerTo = async (way: Way, method: string, shared?: readonly Root[]): Promise<JsonObject> => {
    await begin(way, { askAt: { 'resources/list': { method, params: {} } } }, shared);
    await core.connection('one').listResources(undefined);
    const log = await fixture.control.log();
    return log.find(({ kind }) => kind === 'response')!.detail as JsonObject;
  };

  const declared = async (method: string): Promise<JsonObject> => {
    const [request] = await fixture.control.requests(method);
    const meta = request!.params!._meta as JsonObject | undefined;
    const own = request!.params!.capabilities ?? meta?.['io.modelcontextprotocol/clientCapabilities'];
    return own as JsonObject;
  };

  const refused = ({ error }: JsonObject, words: RegExp): void => {
    const { code, message } = error as { code: number; message: string };
    assert.equal(code, -32601);
    assert.match(message, words);
  };

  for (const way of ways.filter(({ era }) => era === 'legacy')) {
    describe(way.name, () => {
      it('ping is answered', async () => {
        assert.deepEqual((await answerTo(way, 'ping')).result, {});
      });

      it('a model is not offered, and that is said', async () => {
        refused(await answerTo(way, 'sampling/createMessage'), /offers no model/);
      });

      it('folders are not declared and not given unless they are shared', async () => {
        refused(await answerTo(way, 'roots/list'), /not shared with this server.*shareWorkspaceFolders/);
        assert.ok(!('roots' in (await declared('initialize'))));
      });

      it('folders that are shared are declared and given', async () => {
        assert.deepEqual((await answerTo(way, 'roots/list', roots)).result, { roots });
        assert.ok('roots' in (await declared('initialize')));
      });
    });
  }

  for (const way of ways.filter(({ era }) => era === 'modern')) {
    describe(way.name, () => {
      const asking = (method: string): Scenario => ({
        methods: {
          'resources/read': {
            times: 1,
            result: { resultType: 'input_required', requestState: 's', inputRequests: { one: { method } } },
          },
        },
      });
      // Nobody has to be asked: what is given was decided before.
      const read = () => core.connection('one').read('a://x', { initiative: 'background' });

      it('a model is not offered, and that is said', async () => {
        await begin(way, asking('sampling/createMessage'));
        await assert.rejects(read(), /"sampling\/createMessage", which is not offered here.*offers no model/);
      });

      it('folders are not declared and not given unless they are shared', async () => {
        await begin(way, asking('roots/list'));
        await assert.rejects(read(), (error) => error instanceof RequestError && error.message.includes('not shared'));
        assert.ok(!('roots' in (await declared('resources/read'))));
      });

      it('folders that are shared are declared and given', async () => {
        await begin(way, asking('roots/list'), roots);
        assert.equal((await read()).contents[0]?.text, 'x');
        const [, second] = await fixture.control.requests('resources/read');
        assert.deepEqual([second!.params!.inputResponses, second!.params!.requestState], [{ one: { roots } }, 's']);
        assert.ok('roots' in (await declared('resources/read')));
      });
    });
  }
});
