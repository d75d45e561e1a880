import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CancelledError } from '../../../src/base/errors';
import { FuzzyEntry, type FuzzySource, rank, rankInSlices } from '../../../src/catalog/fuzzyMatch';
import { fuzzyQuery, scoreOf } from '../../../src/catalog/fuzzyScore';
import { scattered } from '../../../src/catalog/scatteredLetters';
import { longestStretch } from '../content/longestStretch';

function source(given: Partial<FuzzySource>): FuzzySource {
  const title = given.title ?? given.name ?? '';
  return { name: title, uri: '', ...given, title };
}

function found(query: string, sources: readonly FuzzySource[], limit = 200) {
  return rank({ query, entries: sources.map((one) => new FuzzyEntry(one)), limit });
}

/** The titles that are found, best first. */
function titles(query: string, ...sources: readonly (string | Partial<FuzzySource>)[]): string[] {
  const all = sources.map((one) => source(typeof one === 'string' ? { title: one } : one));
  return found(query, all).map((match) => match.source.title);
}

/** The title with what is highlighted in brackets. */
function highlighted(query: string, title: string, more: Partial<FuzzySource> = {}): string | undefined {
  const match = found(query, [source({ title, ...more })])[0];
  return match?.highlights.reduceRight(
    (text, [start, end]) => `${text.slice(0, start)}[${text.slice(start, end)}]${text.slice(end)}`,
    title,
  );
}

const isAbbreviated = (query: string, title: string) => scattered(query, title) !== undefined;

describe('fuzzy match', function () {
  this.timeout(20_000); // thousands of runs, on a busy machine

  it('the whole title comes before its beginning, a word, a part and scattered letters', () => {
    assert.deepEqual(titles('log', 'l-o-g', 'catalog', 'the log', 'logs', 'Log', 'gol'), [
      'Log',
      'logs',
      'the log',
      'catalog',
      'l-o-g',
    ]);
    assert.deepEqual(titles('use', 'u-------s-e', 'u-s-e'), ['u-s-e', 'u-------s-e']);
    assert.deepEqual(titles('weekly notes', 'weekly notes 2', 'notes, weekly', 'Weekly Notes'), [
      'Weekly Notes',
      'weekly notes 2',
      'notes, weekly',
    ]);
  });

  it('title and name come before the URI, and that before the description', () => {
    const sources = [
      { title: 'a', description: 'see log' },
      { title: 'b', uri: 'x://h/log' },
      { title: 'c', name: 'my log' },
      { title: 'd log' },
    ];
    assert.deepEqual(titles('log', ...sources), ['c', 'd log', 'b', 'a']);
    // All URIs of a server begin alike.
    assert.deepEqual(titles('docs', { title: 'a', uri: 'docs://h/a' }, 'My docs'), ['My docs', 'a']);
  });

  it('all words must be found, in whatever field and order', () => {
    const guide = { title: 'User guide', uri: 'docs://api/users.md', description: 'How to begin' };
    for (const query of ['guide user', 'USER api', 'gde begin', '  users.md   how ', 'docs://api/users.md', '']) {
      assert.deepEqual(titles(query, guide), ['User guide'], query);
    }
    for (const query of ['user x', 'user guides begins', 'bgn']) {
      assert.deepEqual(titles(query, guide), [], query);
    }
  });

  it('letters that are scattered over several parts of a URI find nothing', () => {
    const page = { title: 'Style guide', uri: 'demo://resource/static/document/style.md', description: 'A document' };
    assert.deepEqual(titles('count', page, { title: 'Counter', uri: 'x://a' }), ['Counter']);
    for (const query of ['rsrc', 'dcmnt', 'stl.md', 'demo://resource/static/document/style.md']) {
      assert.deepEqual(titles(query, page), ['Style guide'], query);
    }
  });

  it('scattered letters have to be beginnings of words, or most of one', () => {
    const finds: Record<string, readonly string[]> = {
      'User guide': ['ug', 'usgui', 'gde', 'usr', 'uguide'],
      'Report export': ['rex', 'repex', 'rprt'],
      getUserById2: ['gubi', 'gub2', 'gusbyid', 'ui2'],
      'Table of contents': ['tc', 'toc', 'tabcon', 'cntnts'],
      'İİ gün 😀': ['gn', 'İg', 'g😀'],
    };
    const misses: Record<string, readonly string[]> = {
      'Book of the old lantern': ['bern', 'ookern', 'bltrn', 'btn', 'bl'],
      'User guide': ['ugd', 'usd', 'sg', 'rd'],
      'Report export': ['xport2', 'rpe', 'xprt', 'oexport'],
      getuserbyid: ['gubi', 'gbi'],
      'Table of many contents': ['tc'],
    };
    const isFound = (query: string, title: string) => titles(query, title).length > 0;
    const all = (table: typeof finds, as: boolean) =>
      Object.entries(table).flatMap(([title, queries]) =>
        queries.filter((query) => isFound(query, title) !== as).map((query) => `${query}: ${title}`),
      );
    assert.deepEqual(all(finds, true), []);
    assert.deepEqual(all(misses, false), []);
  });

  it('what is found starts a word of the text, whatever the words', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(letters, { minLength: 1, maxLength: 6 }), letters, (words, query) => {
        const title = words.join(' ');
        const initials = words.map((word) => word[0]).join('');
        assert.ok(isAbbreviated(initials, title), `${initials}: ${title}`);
        if (isAbbreviated(query, title)) {
          const [first] = scattered(query, title)!;
          assert.ok(first![0] === 0 || title[first![0] - 1] === ' ', `${query}: ${title}`);
        } else {
          assert.ok(!initials.includes(query), `${query}: ${title}`);
        }
      }),
    );
  });

  it('a hostile text takes no longer than others', () => {
    const text = 'a '.repeat(1000);
    const entries = Array.from({ length: 100 }, () => new FuzzyEntry(source({ title: text, name: 'x', uri: text })));
    const begun = performance.now();
    assert.deepEqual(rank({ query: `${'a'.repeat(23)}b`, entries, limit: 10 }), []);
    assert.deepEqual(rank({ query: 'a'.repeat(20), entries, limit: 10 }).length, 10);
    assert.ok(performance.now() - begun < 5000);
  });

  it('hostile texts keep nothing else from running for long', async () => {
    const text = `${'a '.repeat(999)}b`;
    const entries = Array.from({ length: 300 }, () => new FuzzyEntry(source({ title: text, name: text, uri: 'a:b' })));
    const longest = await longestStretch(async () => {
      assert.deepEqual(await rankInSlices({ query: `${'a'.repeat(23)}b`, entries, limit: 10 }), []);
    });
    assert.ok(longest > 0 && longest < 70, `${longest.toFixed(1)} ms`);
  });

  it('the name of the owner counts as well, less than any word of its own', () => {
    const sources = [
      { title: 'Read me', uri: 'memo:1', owner: 'my docs' },
      { title: 'Ready', uri: 'memo:2', owner: 'files' },
      { title: 'Style', uri: 'memo:3', description: 'See the docs', owner: 'files' },
      { title: 'Other', uri: 'memo:4', owner: 'my docs' },
      { title: 'd o c s', uri: 'memo:5', owner: 'files' },
    ];
    assert.deepEqual(titles('docs', ...sources), ['Style', 'd o c s', 'Read me', 'Other']);
    assert.deepEqual(titles('docs read', ...sources), ['Read me']);
    assert.deepEqual(titles('re my doc', ...sources), ['Read me']);
    assert.deepEqual(titles('ocs', ...sources), ['Style', 'd o c s']);
    assert.deepEqual(highlighted('docs read', 'Read me', { owner: 'docs' }), '[Read] me');
  });

  it('descriptions are searched for words, best at the start of one, never for scattered letters', () => {
    const sources = ['discount', 'a counter', 'c, o, u, n and t'].map((description) => ({
      title: description.slice(0, 1) + '-',
      description,
    }));
    assert.deepEqual(titles('count', ...sources), ['a-', 'd-']);
  });

  it('equal scores go by recency, then by the order of the list', () => {
    const sources = [{ title: 'a1' }, { title: 'a2', recency: 7 }, { title: 'a3', recency: 0 }, { title: 'a4' }];
    assert.deepEqual(titles('a', ...sources), ['a3', 'a2', 'a1', 'a4']);
    assert.deepEqual(titles('', ...sources), ['a3', 'a2', 'a1', 'a4']);
    assert.deepEqual(titles('a4', ...sources), ['a4']);
  });

  it('shows what matched in the title', () => {
    assert.equal(highlighted('guide us', 'User guide'), '[Us]er [guide]');
    assert.equal(highlighted('user se', 'A user'), 'A [user]');
    assert.equal(highlighted('log', 'catalog log'), 'catalog [log]');
    assert.equal(highlighted('usgui', 'User guide'), '[Us]er [gui]de');
    assert.equal(highlighted('gde', 'User guide'), 'User [g]ui[de]');
    assert.equal(highlighted('urs', 'Your users', { uri: 'x://urs' }), 'Your users');
    assert.equal(highlighted('gn', 'İİ gün'), 'İİ [g]ü[n]');
    assert.equal(highlighted('', 'User guide'), 'User guide');
  });

  it('takes texts of any length', () => {
    const long = 'a'.repeat(1_000_000);
    assert.deepEqual(titles(`${long} ${long}`, { title: long, uri: long, description: long }), [long]);
  });

  it('gives way to other work, and is the same in the end', async () => {
    const sources = Array.from({ length: 100_000 }, (_, index) =>
      source({ title: `Report ${index}`, uri: `docs://reports/${index}.md`, description: 'A report of the week' }),
    );
    const search = { query: 'rprt 99', entries: sources.map((one) => new FuzzyEntry(one)), limit: 200 };
    let turns = 0;
    let done = false;
    const count = () => {
      turns += 1;
      if (!done) {
        setImmediate(count);
      }
    };
    setImmediate(count);
    const sliced = await rankInSlices(search);
    done = true;
    assert.ok(turns > 1, `${turns}`);
    assert.equal(sliced.length, 200);
    assert.deepEqual(sliced, rank(search));

    const abort = new AbortController();
    setImmediate(() => abort.abort());
    await assert.rejects(rankInSlices(search, abort.signal), CancelledError);
    await assert.rejects(rankInSlices(search, AbortSignal.abort()), CancelledError);
  });

  it('gives the first of a plain sort of all scores, with highlights inside the title', () => {
    const signs = fc.constantFrom('a', 'b', 'B', 'c', ' ', '-', '/', 'é', 'İ', '😀');
    const text = fc.string({ unit: signs, maxLength: 8 });
    const sources = fc.array(
      fc.record({
        title: text,
        name: text,
        uri: text,
        description: fc.option(text, { nil: undefined }),
        recency: fc.option(fc.nat(3), { nil: undefined }),
      }),
      { maxLength: 400 },
    );
    fc.assert(
      fc.property(fc.string({ unit: signs, maxLength: 4 }), sources, fc.nat(20), (query, all, limit) => {
        const sorted = all
          .map((one) => ({ one, score: scoreOf(fuzzyQuery(query), new FuzzyEntry(one).texts) }))
          .filter(({ score }) => score !== undefined)
          .sort((a, b) => b.score! - a.score! || (a.one.recency ?? Infinity) - (b.one.recency ?? Infinity) || 0);
        const matches = found(query, all, limit);
        assert.deepEqual(
          matches.map((match) => match.source),
          sorted.slice(0, limit).map(({ one }) => one),
        );
        for (const { source: one, highlights } of matches) {
          const edges = highlights.flat();
          assert.deepEqual(
            edges,
            [...new Set(edges)].sort((a, b) => a - b),
          );
          assert.ok((edges.at(-1) ?? 0) <= one.title.length);
        }
      }),
    );
  });
});
