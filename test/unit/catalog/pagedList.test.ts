import assert from 'node:assert/strict';
import fc from 'fast-check';
import { entryCharacters } from '../../../src/catalog/entryCharacters';
import { PagedList } from '../../../src/catalog/pagedList';
import { RequestError } from '../../../src/connection/requestFailure';
import type { Page } from '../../../src/connection/wire';

interface Asked {
  readonly cursor: string | undefined;
  readonly signal: AbortSignal;
  answer(page: Page<string>): void;
  fail(error: Error): void;
}

describe('PagedList', () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);

  before(() => process.on('unhandledRejection', note));
  afterEach(async () => {
    await settled();
    assert.deepEqual(unhandled.splice(0), []);
  });
  after(() => process.off('unhandledRejection', note));

  /** Whatever was to follow from what has happened has followed. */
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  /** A server that answers when the test says so, whatever became of the question. */
  const begin = () => {
    const asked: Asked[] = [];
    const list = new PagedList<string>(
      (cursor, signal) =>
        new Promise((resolve, reject) => asked.push({ cursor, signal, answer: resolve, fail: reject })),
      (item) => item,
      () => 0,
    );
    const last = (): Asked => asked.at(-1)!;
    return { list, asked, last };
  };
  const invalid = (): Error => new RequestError('server', 'no such cursor', -32602);

  for (const [name, cursors] of [
    ['a cursor that repeats', ['a', 'a']],
    ['two cursors in a circle', ['a', 'b', 'a']],
    ['three cursors in a circle', ['a', 'b', 'c', 'a']],
  ] as const) {
    it(`${name}: each page is asked for once`, async () => {
      const { list, asked, last } = begin();
      const loading = list.load();
      for (const [index, nextCursor] of cursors.entries()) {
        last().answer({ items: [String(index)], nextCursor });
        await settled();
      }
      assert.equal((await loading).length, cursors.length);
      assert.equal(asked.length, cursors.length);
      assert.equal(list.state, 'loaded');
    });
  }

  it('a page that fails after it was asked for ahead leaves what was shown', async () => {
    const { list, asked, last } = begin();
    const loading = list.load();
    last().answer({ items: ['a'], nextCursor: 'x' });
    await settled();
    last().fail(new Error('gone'));
    await assert.rejects(loading, /gone/);
    assert.deepEqual([list.state, list.items, asked.length], ['failed', ['a'], 2]);
  });

  for (const end of ['stop', 'reset', 'dispose'] as const) {
    for (const [name, late] of [
      ['answers', (one: Asked) => one.answer({ items: ['late'], nextCursor: 'y' })],
      ['fails', (one: Asked) => one.fail(new Error('late'))],
      ['does not know the cursor', (one: Asked) => one.fail(invalid())],
    ] as const) {
      it(`after ${end} nothing is asked, when the page on its way ${name}`, async () => {
        const { list, asked, last } = begin();
        const loading = list.load();
        last().answer({ items: ['a'], nextCursor: 'x' });
        await settled();
        list[end]();
        late(last());
        await assert.rejects(loading);
        await settled();
        assert.equal(asked.length, 2);
        assert.ok(last().signal.aborted);
        assert.ok(!list.items.includes('late'));
      });
    }
  }

  for (const end of ['stop', 'reset'] as const) {
    it(`${end} by one who hears of the last page ends the walk as it says`, async () => {
      const { list, last } = begin();
      const loading = list.load();
      const hearing = list.onDidChange(() => {
        hearing.dispose();
        list[end]();
      });
      last().answer({ items: ['a'] });
      await assert.rejects(loading);
      assert.equal(list.state, end === 'stop' ? 'failed' : 'idle');
    });
  }

  it('a page that was on its way when the list changed is not fresh', async () => {
    const { list, asked, last } = begin();
    const loading = list.load();
    list.reload().catch(() => undefined);
    last().answer({ items: ['old'], ttlMs: 60_000 });
    await settled();
    assert.equal(asked.length, 2);
    last().answer({ items: ['new'], ttlMs: 60_000 });
    assert.deepEqual(await loading, ['new']);
  });

  it('a walk that was given up leaves nothing to the one after it', async () => {
    const { list, asked, last } = begin();
    const first = list.load();
    list.reset();
    const second = list.load();
    asked[0]!.answer({ items: ['old'], nextCursor: 'x', ttlMs: 60_000 });
    await assert.rejects(first);
    last().answer({ items: ['new'] });
    assert.deepEqual(await second, ['new']);
    list.stop();
    assert.equal(list.state, 'loaded');
  });

  it('whatever happens in whatever order, one page at most is on its way, and what is loaded is not old', async () => {
    const step = fc.constantFrom(
      ...(['load', 'reload', 'stop', 'reset', 'revalidate', 'wait', 'wait', 'late', 'fail', 'invalid'] as const),
      ...([0, 1, 2, 3, 3] as const),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { list, asked } = begin();
        const versions: number[] = [];
        const done = new Set<Asked>();
        let version = 0;
        const open = (): Asked[] => asked.filter((one) => !done.has(one));
        const settle = (one: Asked | undefined, how: (one: Asked) => void): void => {
          if (one) {
            done.add(one);
            how(one);
          }
        };
        const answer = (next: number) => (one: Asked) =>
          one.answer({
            items: [String(versions[asked.indexOf(one)])],
            nextCursor: next < 3 ? `c${next}` : undefined,
            ttlMs: 60_000,
          });
        const look = (): void => {
          while (versions.length < asked.length) {
            versions.push(version);
          }
          const live = open().filter(({ signal }) => !signal.aborted).length;
          assert.ok(live <= (list.state === 'loading' ? 1 : 0), `${live} on their way while ${list.state}`);
        };
        for (const one of steps) {
          version += one === 'reload' || one === 'reset' ? 1 : 0;
          if (typeof one === 'number') {
            settle(open().at(-1), answer(one));
          } else if (one === 'fail' || one === 'invalid') {
            settle(open().at(-1), (page) => page.fail(one === 'fail' ? new Error('no') : invalid()));
          } else if (one === 'late') {
            settle(open()[0], answer(0));
          } else if (one === 'wait') {
            await settled();
          } else {
            // Who waits hears of failures; here nobody does.
            Promise.resolve(list[one]()).catch(() => undefined);
          }
          look();
        }
        for (let turn = 0; list.state === 'loading' && turn < 60; turn += 1) {
          await settled();
          look();
          settle(
            open().find(({ signal }) => !signal.aborted),
            answer(3),
          );
          await settled();
        }
        assert.notEqual(list.state, 'loading');
        if (list.state === 'loaded') {
          assert.deepEqual(list.items, [String(version)]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('a list that is cut lets go of the page that was asked for ahead', async () => {
    const asked: AbortSignal[] = [];
    const list = new PagedList<string>(
      (cursor, signal) => {
        asked.push(signal);
        return cursor === undefined ? Promise.resolve({ items: ['a'], nextCursor: 'x' }) : new Promise(() => undefined);
      },
      (item) => item,
      () => 300 * 1024 * 1024,
    );
    await assert.rejects(list.load(), /too large/);
    assert.ok(asked.at(-1)!.aborted);
  });

  it('ten thousand empty pages are no list without an end before the last', async () => {
    let pages = 0;
    const list = new PagedList<string>(
      () => Promise.resolve({ items: [], nextCursor: (pages += 1) < 10_000 ? `${pages}` : undefined }),
      (item) => item,
      () => 0,
    );
    assert.deepEqual(await list.load(), []);
    assert.equal(pages, 10_000);
    pages = -1;
    await assert.rejects(list.reload(), /does not end within 10000 pages/);
  });

  it('entries that come again are not counted: a list that ends is none that is too long', async () => {
    let pages = 0;
    const page = Array.from({ length: 50_000 }, (_, index) => index);
    const list = new PagedList<string>(
      () => {
        pages += 1;
        // 150,000 entries, the first of them over and over, then the last one.
        const items = pages <= 3 ? page.map((index) => `${pages} ${index}`) : page.map((index) => `1 ${index}`);
        return Promise.resolve(pages < 20 ? { items, nextCursor: `${pages}` } : { items: ['last'] });
      },
      (item) => item,
      () => 0,
    );
    assert.equal((await list.load()).length, 150_001);
    assert.equal(pages, 20);
  });

  it('what an entry holds many of counts, however short each is', () => {
    const icon = { src: '', mimeType: 'x'.repeat(100), sizes: Array.from({ length: 100 }, () => '') };
    const characters = entryCharacters({ uri: 'a:b', name: '', icons: Array.from({ length: 100 }, () => icon) });
    assert.ok(characters >= 100 * 200, `${characters}`);
  });
});
