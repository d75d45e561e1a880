// The tables and the verdict of `npm run bench -- live`.
import { loadavg } from 'node:os';
import { median, quantile, row } from './numbers.mjs';

/** Our median may be this many times that of VS Code's own document. */
const ratioLimit = 1.15;
/** Milliseconds that ours may take beyond the floor and the bare client together. */
const beyondMs = 5;

/** @typedef {import('./liveFollowers').Update} Update */
/** @typedef {import('./liveLanes').Lane} Lane */
/** @typedef {import('./liveWindow').Part} Part */
/** @typedef {{ name: string, passed: boolean, detail: string }} Gate */

/**
 * Says whether every gate was passed.
 * @param {import('./liveWindow').LiveResult} result
 * @param {{ version: string, lanes: readonly Lane[] }} around
 */
export function printLive(result, { version, lanes }) {
  const load = loadavg().map(rounded);
  const summary = lanes.map((lane) => summaryOf(result, lane));
  const gates = gatesOf(result, summary, lanes);
  const ms = (/** @type {number} */ value) => value.toFixed(1);
  console.log(
    [
      '',
      `From the server's send to the new text in the open editor, ms (VS Code ${version})`,
      '',
      row('', ['p50 (median)', 'of each round', '', 'p95', 'shown', 'requests each']),
      ...summary.map(({ name, p50, least, most, p95, shown, sent, requestsEach }) =>
        row(name, [ms(p50), `${ms(least)} …`, ms(most), ms(p95), `${shown} of ${sent}`, requestsEach.toFixed(2)]),
      ),
      '',
      row('shown', ['same length', 'bursts', 'soon', 'hidden', 'many']),
      ...summary
        .filter(({ name }) => /^(ours|vscode)/.test(name))
        .map(({ name, others }) =>
          row(
            name,
            others.map(({ shown, sent }) => (sent ? `${shown} of ${sent}` : '')),
          ),
        ),
      row('p50, ms', []),
      ...summary
        .filter(({ name }) => /^(ours|vscode)/.test(name))
        .map(({ name, others }) =>
          row(
            name,
            others.map(({ shown, p50 }) => (shown ? ms(p50) : '')),
          ),
        ),
      row('requests each', []),
      ...summary
        .filter(({ name }) => /^(ours|vscode)/.test(name))
        .map(({ name, others }) =>
          row(
            name,
            others.map((o) => (o.sent ? o.requestsEach.toFixed(2) : '')),
          ),
        ),
      '',
      ...gates.map(({ name, passed, detail }) => `${passed ? 'PASS' : 'FAIL'}  ${name}: ${detail}`),
      '',
      `Load of the machine: ${load.join(', ')}`,
      JSON.stringify({ bench: 'live', version, load, summary, gates }),
    ].join('\n'),
  );
  return gates.every(({ passed }) => passed);
}

/**
 * @param {import('./liveWindow').LiveResult} result
 * @param {Lane} lane
 */
function summaryOf({ rounds, sameLength, bursts, soon, hidden, many }, { name }) {
  const of = (/** @type {Part} */ { updates }) => updates.filter(({ lane }) => lane === name);
  const ofRounds = rounds.map((part) => rounded(median(latencies(of(part)))));
  const all = rounds.flatMap(of);
  const counted = (/** @type {readonly Update[]} */ updates, /** @type {number} */ requests) => ({
    sent: updates.length,
    shown: latencies(updates).length,
    requestsEach: rounded(requests / updates.length),
    p95: rounded(quantile(latencies(updates), 0.95)),
  });
  const requests = rounds.reduce((sum, part) => sum + (part.requests[name] ?? 0), 0);
  return {
    name,
    p50: rounded(median(ofRounds)),
    least: Math.min(...ofRounds),
    most: Math.max(...ofRounds),
    ...counted(all, requests),
    others: [sameLength, bursts, soon, hidden, many].map((part) => ({
      ...counted(of(part), part.requests[name] ?? 0),
      p50: rounded(median(latencies(of(part)))),
    })),
  };
}

/**
 * @param {import('./liveWindow').LiveResult} result
 * @param {readonly ReturnType<typeof summaryOf>[]} summary
 * @param {readonly Lane[]} lanes
 * @returns {Gate[]}
 */
function gatesOf(result, summary, lanes) {
  const p50 = (/** @type {string} */ name) => summary.find((each) => each.name === name)?.p50 ?? Number.NaN;
  const floor = p50('floor');
  const wires = lanes.flatMap(({ side, wire }) => (side === 'ours' && wire ? [wire] : []));
  /** @type {Gate[]} */
  const gates = [];
  for (const { transport, era } of wires) {
    const ours = p50(`ours-${transport}-${era}`);
    if (era === 'legacy') {
      const theirs = p50(`vscode-${transport}-${era}`);
      gates.push({
        name: `${transport}, ${era}: ours to VS Code's own`,
        passed: ours / theirs <= ratioLimit,
        detail: `${(ours / theirs).toFixed(2)} = ${ours} / ${theirs}, at most ${ratioLimit}`,
      });
    }
    const bare = p50(`bare-${transport}-${era}`);
    const limit = rounded(floor + bare + beyondMs);
    gates.push({
      name: `${transport}, ${era}: beside floor and bare client`,
      passed: ours <= limit,
      detail: `${ours} ms, at most ${limit} = ${floor} + ${bare} + ${beyondMs}`,
    });
  }
  const { rounds, sameLength, bursts, soon, hidden, many } = result;
  const parts = {
    'varying length': rounds,
    'same length': [sameLength],
    bursts: [bursts],
    'soon after opening': [soon],
  };
  for (const [name, part] of Object.entries({ ...parts, 'hidden tabs': [hidden], 'many at once': [many] })) {
    const ours = part.flatMap(({ updates }) => updates).filter(({ lane }) => lane.startsWith('ours'));
    const lost = ours.filter(({ latency }) => latency === null);
    const words = lost.map(
      ({ uri, characters, told }) =>
        `${uri}, ${characters} characters, ${told === 0 ? 'nobody had subscribed' : 'it was told'}`,
    );
    gates.push({
      name: `shown, ${name}`,
      passed: ours.length > 0 && lost.length === 0,
      detail: [`${ours.length - lost.length} of ${ours.length}`, ...words].join('; '),
    });
  }
  return gates;
}

/** @param {readonly Update[]} updates */
const latencies = (updates) => updates.map(({ latency }) => latency).filter((latency) => latency !== null);

/** @param {number} value */
const rounded = (value) => Math.round(value * 100) / 100;
