import assert from 'node:assert/strict';
import { ProtocolError } from '@modelcontextprotocol/client';
import { HumanError } from '../../../src/base/errors';
import type { SdkModule } from '../../../src/connection/mcpClient';
import { openByEra } from '../../../src/connection/stdioEras';
import type { Era } from '../../../src/connection/wire';

const ignore = (): void => undefined;
const log = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };

describe('the attempts at a server that is a process', () => {
  type Failure = 'timeout' | 'refused' | 'missing';
  const failures = {
    timeout: new Error('timeout'),
    refused: new ProtocolError(-32601, 'refused'),
    missing: new HumanError('missing'),
  };
  /** What is known; how each attempt fails, the last one that is listed succeeding where it is `ok`; what is tried, with seconds. */
  const cases: [string, Era | undefined, (Failure | 'ok')[], string][] = [
    ['one that answers the probe', undefined, ['ok'], 'modern 3'],
    ['one that refuses the probe', undefined, ['refused', 'ok'], 'modern 3, legacy 20'],
    ['one that ignores the probe', undefined, ['timeout', 'ok'], 'modern 3, legacy 20'],
    ['a modern one that is slow to start', undefined, ['timeout', 'refused', 'ok'], 'modern 3, legacy 20, modern 20'],
    ['one that never answers', undefined, ['timeout', 'timeout'], 'modern 3, legacy 20: timeout'],
    ['one whose command is missing', undefined, ['missing'], 'modern 3: missing'],
    ['a known modern one, however slow to start', 'modern', ['ok'], 'modern 20'],
    ['one that is not modern any more', 'modern', ['refused', 'ok'], 'modern 20, legacy 20'],
    ['a known modern one that never answers', 'modern', ['timeout', 'timeout'], 'modern 20, legacy 20: timeout'],
    ['a known legacy one', 'legacy', ['ok'], 'legacy 20'],
    ['one that is not legacy any more and says so', 'legacy', ['refused', 'ok'], 'legacy 20, modern 20'],
    ['one that is not legacy any more and exits', 'legacy', ['timeout', 'ok'], 'legacy 20, modern 3'],
    ['a known legacy one that never answers', 'legacy', ['timeout', 'refused'], 'legacy 20, modern 3: timeout'],
    ['a known one whose command is missing', 'legacy', ['missing'], 'legacy 20: missing'],
  ];

  for (const [title, verdict, outcomes, expected] of cases) {
    it(`are for ${title}: ${expected}`, async () => {
      const tried: string[] = [];
      const around = { verdict, startTimeoutMs: 20_000, log, signal: new AbortController().signal };
      const outcome = await openByEra({ ...around, sdk: { ProtocolError } as SdkModule }, (era, timeoutMs) => {
        const result = outcomes[tried.length] ?? 'missing';
        tried.push(`${era} ${timeoutMs / 1000}`);
        return result === 'ok' ? Promise.resolve('') : Promise.reject(failures[result]);
      }).catch((error: unknown) => `: ${(error as Error).message}`);
      assert.equal(tried.join(', ') + outcome, expected);
    });
  }

  it('end when they are given up', async () => {
    const abort = new AbortController();
    const tried: string[] = [];
    const opening = openByEra(
      { verdict: undefined, startTimeoutMs: 1, log, signal: abort.signal, sdk: { ProtocolError } as SdkModule },
      (era) => {
        tried.push(era);
        abort.abort();
        return Promise.reject(failures.timeout);
      },
    );
    await assert.rejects(opening, /timeout/);
    assert.deepEqual(tried, ['modern']);
  });
});
