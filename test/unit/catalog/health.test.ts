import assert from 'node:assert/strict';
import { HumanError } from '../../../src/base/errors';
import { type Finding, type HealthFacts, healthOf, isReason } from '../../../src/catalog/health';
import type { ListFacts } from '../../../src/catalog/pagedList';
import { ConsentNeeded } from '../../../src/connection/consentNeeded';
import { InputNeeded } from '../../../src/connection/inputNeeded';
import { SignInNeeded } from '../../../src/connection/signInNeeded';
import type { SessionInfo } from '../../../src/connection/wire';

const info: SessionInfo = {
  era: 'legacy',
  protocolVersion: '2025-11-25',
  resources: true,
  subscribe: true,
  listChanged: true,
  completions: false,
};
const list = (part: Partial<ListFacts> = {}): ListFacts => ({
  state: 'loaded',
  items: ['a', 'b'],
  failures: [],
  error: undefined,
  ...part,
});
const well: HealthFacts = {
  refusal: undefined,
  state: { kind: 'connected', info },
  signInNeeded: undefined,
  launch: 'http',
  source: 'setting',
  hidden: false,
  resources: list(),
  templates: list(),
  shown: 2,
  subscriptions: { wanted: 1, live: 1, pending: 0, refused: 0, streamEnded: false },
  push: 'open',
  polled: false,
  lines: [],
};
const connected = (part: Partial<SessionInfo>): Partial<HealthFacts> => ({
  state: { kind: 'connected', info: { ...info, ...part } },
});
const subscriptions = (part: Partial<HealthFacts['subscriptions']>): Partial<HealthFacts> => ({
  subscriptions: { ...well.subscriptions, ...part },
});
const failed = (message: string): Partial<HealthFacts> => ({
  state: { kind: 'failed', error: new HumanError(message) },
});
const signInNeeded = new SignInNeeded('expired');
const inputNeeded = new InputNeeded('"x"');
const consentNeeded = new ConsentNeeded({ kind: 'forgotten' }, 'x');

/** The findings beside the era. */
const found = (part: Partial<HealthFacts>): Finding[] =>
  healthOf({ ...well, ...part }).filter(({ kind }) => kind !== 'era');

describe('healthOf', () => {
  it('finds nothing where all is well, and tells the era', () => {
    assert.deepEqual(healthOf(well), [{ kind: 'era', era: 'legacy', version: '2025-11-25' }]);
    assert.ok(!healthOf(well).some(isReason));
  });

  const cases: readonly (readonly [string, Partial<HealthFacts>, readonly Finding[]])[] = [
    ['an entry that cannot be understood', { ...failed('bad'), launch: undefined }, [{ kind: 'broken', words: 'bad' }]],
    ['an untrusted workspace', { refusal: 'no', state: { kind: 'notConnected' } }, [{ kind: 'refused', words: 'no' }]],
    ['never connected', { state: { kind: 'notConnected' } }, [{ kind: 'notConnected' }]],
    ['connecting', { state: { kind: 'connecting' } }, [{ kind: 'connecting' }]],
    ['stopped', { state: { kind: 'stopped' } }, [{ kind: 'stopped' }]],
    ['failed', failed('gone'), [{ kind: 'failed', words: 'gone' }, { kind: 'retry' }]],
    [
      'an input is needed',
      { state: { kind: 'failed', error: inputNeeded } },
      [{ kind: 'input', words: 'Input needed: "x".' }],
    ],
    [
      'a server of VS Code, too, that never started',
      { ...failed('gone'), launch: 'stdio', source: 'user' },
      [{ kind: 'failed', words: 'gone' }, { kind: 'retry' }],
    ],
    [
      'a server of VS Code, too, that finds its files locked',
      { ...failed('gone'), launch: 'stdio', source: 'user', lines: ['[stderr] database is locked'] },
      [
        { kind: 'failed', words: 'gone' },
        { kind: 'locked', words: '[stderr] database is locked' },
        { kind: 'retry' },
        { kind: 'otherProcess' },
      ],
    ],
    [
      'not signed in',
      { state: { kind: 'failed', error: signInNeeded }, signInNeeded },
      [{ kind: 'signIn', words: signInNeeded.message }],
    ],
    [
      'not allowed',
      { state: { kind: 'failed', error: consentNeeded } },
      [{ kind: 'consent', words: 'Not allowed yet: trust was reset.' }],
    ],
    ['more rights needed', { signInNeeded }, [{ kind: 'signIn', words: signInNeeded.message }]],
    ['hidden', { hidden: true }, [{ kind: 'hidden' }]],
    [
      'no capability',
      { ...connected({ resources: false }), resources: list({ items: [] }) },
      [{ kind: 'noCapability' }],
    ],
    [
      'the list failed',
      { resources: list({ state: 'failed', items: [], error: new Error('no') }), shown: 0 },
      [{ kind: 'resourcesFailed', words: 'no' }],
    ],
    [
      'the templates failed',
      { templates: list({ state: 'failed', error: new Error('no') }) },
      [{ kind: 'templatesFailed', words: 'no' }],
    ],
    ['the list is under way', { resources: list({ state: 'loading' }) }, [{ kind: 'listing' }]],
    [
      'nobody has asked for the list',
      { resources: list({ state: 'idle', items: [] }), shown: 0 },
      [{ kind: 'notListed' }],
    ],
    ['nothing is offered', { resources: list({ items: [] }), shown: 0 }, [{ kind: 'empty', templates: 2 }]],
    ['bad entries', { resources: list({ failures: ['entry 3 is null'] }) }, [{ kind: 'unusable', count: 1 }]],
    ['all is filtered', { shown: 0 }, [{ kind: 'filtered', shown: 0, total: 2 }]],
    ['no subscriptions', connected({ subscribe: false }), [{ kind: 'noSubscribe', polled: false }]],
    ['refused', subscriptions({ refused: 3 }), [{ kind: 'subscribeRefused', count: 3 }]],
    ['the stream was ended', subscriptions({ streamEnded: true }), [{ kind: 'streamEnded' }]],
    ['nothing is open', subscriptions({ wanted: 0, live: 0 }), [{ kind: 'nothingOpen' }]],
    ['no stream', { push: 'none' }, [{ kind: 'noStream' }]],
    ['a stream that is not there yet', { push: 'waiting' }, [{ kind: 'streamWaiting' }]],
    ['lists that do not follow', connected({ listChanged: false }), [{ kind: 'noListChanged' }]],
    ['the same server in VS Code', { launch: 'stdio', source: 'user' }, [{ kind: 'otherProcess' }]],
  ];
  for (const [title, facts, findings] of cases) {
    it(title, () => assert.deepEqual(found(facts), findings));
  }

  for (const line of [
    '[stderr] Error: listen EADDRINUSE: address already in use 127.0.0.1:3000',
    '[stderr] OSError: [Errno 98] Address already in use',
    '[stderr] Only one usage of each socket address (protocol/network address/port) is normally permitted.',
    '[stderr] Port 8080 is already in use',
  ]) {
    it(`a port that is taken: ${line.slice(9, 40)}…`, () =>
      assert.deepEqual(found({ ...failed('x'), launch: 'stdio', lines: ['ok', line] }), [
        { kind: 'failed', words: 'x' },
        { kind: 'portInUse', words: line },
        { kind: 'retry' },
      ]));
  }

  for (const line of [
    '[stderr] SqliteError: database is locked',
    '[stderr] Error: SQLITE_BUSY: database is locked',
    '[stderr] could not acquire the file lock',
    '[stderr] Resource is locked by another process',
    '[stderr] Another instance is running',
    '[stderr] Lock file /tmp/x.lock exists',
  ]) {
    it(`a file that is locked: ${line.slice(9, 40)}…`, () =>
      assert.deepEqual(found({ launch: 'stdio', lines: [line] }), [{ kind: 'locked', words: line }]));
  }

  it('ordinary words are no clash, and nor are those of a server that is no process', () => {
    const lines = ['[stderr] listening on port 3000', '[stderr] blocked by policy', '[stderr] unlocked the door'];
    assert.deepEqual(found({ launch: 'stdio', lines }), []);
    assert.deepEqual(found({ lines: ['EADDRINUSE'] }), []);
  });
});
