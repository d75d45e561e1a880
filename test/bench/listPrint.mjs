// The tables and gates of `npm run bench -- list`.
import { loadavg } from 'node:os';
import { median, row } from './numbers.mjs';

/** Complete list, ours beside the bare walk; and per resource, the largest list beside the middle one. */
const mostOfBare = 1.5;
const mostGrowth = 1.5;
/** Browsing, ours beside VS Code's own. */
const mostOfVscode = 1.15;
/** Milliseconds. */
const longestTask = 50;

/**
 * Prints what was measured and gives whether every gate was passed.
 * @param {import('./listWindow').ListResult} result
 * @param {string} version
 */
export function printList({ cases, tasks, browse }, version) {
  const load = Math.round((loadavg()[0] ?? 0) * 100) / 100;
  const table = cases.map(
    ({ count, page, bare, bareCpu, complete, completeCpu, withTree, first, keystroke, heap }) => ({
      count,
      page,
      bare: median(bare),
      complete: median(complete),
      withTree: median(withTree),
      cpuRatio: median(completeCpu) / median(bareCpu),
      first: median(first),
      keystroke: median(keystroke),
      heap: median(heap),
      task: tasks.find((each) => each.count === count && each.page === page)?.tasks[0]?.ms ?? 0,
    }),
  );
  const picks = Object.fromEntries(
    /** @type {const} */ (['ours', 'again', 'vscode']).map((side) => [
      side,
      { first: median(browse[side].map(({ first }) => first)), all: median(browse[side].map(({ all }) => all)) },
    ]),
  );
  const gates = [...listGates(table), ...browseGates(browse, picks)];
  const good = gates.every(([, holds]) => holds);
  console.log(
    [
      '',
      row(`VS Code ${version}, medians, ms`, [
        'first row',
        'bare',
        'complete',
        'ratio',
        'ratio of work',
        'with the tree',
        'keystroke',
        'task',
        'heap, MB',
      ]),
      ...table.map((each) =>
        row(nameOf(each), [
          ...[each.first, each.bare, each.complete].map(ms),
          (each.complete / each.bare).toFixed(2),
          each.cpuRatio.toFixed(2),
          ...[each.withTree, each.keystroke, each.task, each.heap / 1e6].map(ms),
        ]),
      ),
      '',
      row('5,000 browsed, medians, ms', ['first rows', 'all']),
      ...Object.entries(picks).map(([side, { first, all }]) => row(sideNames[side] ?? side, [ms(first), ms(all)])),
      '',
      ...tasks.flatMap(({ count, page, tasks: [task] }) =>
        task
          ? [
              `longest task, ${nameOf({ count, page })}: ${ms(task.ms)} ms (${ms(task.wallMs)} by the clock): ${task.where}`,
            ]
          : [],
      ),
      '',
      ...gates.map(([gate, holds]) => `${holds ? 'PASS' : 'FAIL'}  ${gate}`),
      '',
      `load of the machine: ${load}`,
      JSON.stringify({ bench: 'list', version, load, table, picks, cases, browse, good }),
    ].join('\n'),
  );
  return good;
}

/** @type {Record<string, string>} */
const sideNames = { ours: 'ours', again: 'ours, shown again', vscode: 'VS Code’s own' };

const ms = (/** @type {number} */ value) => value.toFixed(1);
const nameOf = (/** @type {{ count: number, page: number }} */ { count, page }) =>
  `${count.toLocaleString('en')} in pages of ${page.toLocaleString('en')}`;

/**
 * @param {readonly { count: number, page: number, complete: number, bare: number, task: number }[]} table
 * @returns {[string, boolean][]}
 */
function listGates(table) {
  const beside = table.map(({ complete, bare, ...each }) =>
    gate(`${nameOf(each)}: complete beside bare`, complete / bare, mostOfBare),
  );
  const growth = table
    .filter(({ count }) => count === 100_000)
    .map((large) => {
      const middle = table.find(({ count, page }) => count === 10_000 && page === large.page);
      const perResource = large.complete / large.count / ((middle?.complete ?? 0) / 10_000);
      return gate(`pages of ${large.page}: a resource among 100,000 beside one among 10,000`, perResource, mostGrowth);
    });
  const longest = Math.max(...table.map(({ task }) => task));
  return [...beside, ...growth, gate('our longest task, ms', longest, longestTask)];
}

/**
 * @param {import('./listWindow').BrowseResult} browse
 * @param {Record<string, { first: number, all: number }>} picks
 * @returns {[string, boolean][]}
 */
function browseGates({ requestsAgain }, { ours, vscode }) {
  return [
    gate('browsing: first rows beside VS Code’s own', (ours?.first ?? NaN) / (vscode?.first ?? NaN), mostOfVscode),
    gate('browsing: all beside VS Code’s own', (ours?.all ?? NaN) / (vscode?.all ?? NaN), mostOfVscode),
    [`browsing again: ${requestsAgain} requests (none is allowed)`, requestsAgain === 0],
  ];
}

/**
 * @param {string} what
 * @param {number} value
 * @param {number} most
 * @returns {[string, boolean]}
 */
function gate(what, value, most) {
  return [`${what}: ${value.toFixed(2)} (at most ${most})`, value <= most];
}
