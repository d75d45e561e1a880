// `npm run bench -- activation`: the size of what is shipped, and what VS Code reports of our activation.
import { readdirSync, statSync } from 'node:fs';
import { loadavg } from 'node:os';
import path from 'node:path';
import { root } from '../host/bootstrap.mjs';
import { vsixFile } from '../host/package.mjs';
import { BenchHost, buildForBench } from './benchHost.mjs';
import { median, row } from './numbers.mjs';

/**
 * Resolves with whether no window loaded the SDK.
 * @param {{ rounds?: number }} options `rounds` is the number of windows that count.
 */
export async function run({ rounds = 7 }) {
  await buildForBench();
  const dist = path.join(root, 'dist');
  const files = [...readdirSync(dist).map((name) => path.join(dist, name)), vsixFile];
  const bytes = Object.fromEntries(files.map((file) => [path.basename(file), statSync(file).size]));
  console.log(`Activation: ${rounds} windows after a first one …`);
  const host = new BenchHost();
  /** @type {import('./activationWindow').ActivationResult[]} */
  const windows = [];
  try {
    await host.start();
    for (let index = 0; index <= rounds; index++) {
      windows.push(await host.run('activationWindow', 120_000));
    }
    return print({ bytes, first: windows[0], windows: windows.slice(1), version: host.version });
  } finally {
    await host.stop();
  }
}

/**
 * @param {{ bytes: Record<string, number>, first: import('./activationWindow').ActivationResult,
 *   windows: import('./activationWindow').ActivationResult[], version: string }} findings
 */
function print({ bytes, first, windows, version }) {
  const times = /** @type {const} */ ({
    loadCode: 'load the code',
    callActivate: 'call activate',
    finishActivate: 'finish',
  });
  const rows = Object.entries(times).map(([time, title]) => {
    const each = windows.map((window) => window[/** @type {keyof typeof times} */ (time)]);
    return { time, title, each, median: median(each), least: Math.min(...each) };
  });
  const load = Math.round(loadavg()[0] * 100) / 100;
  const sdkLoaded = [first, ...windows].some((window) => window.sdkLoaded);
  console.log(
    [
      '',
      ...Object.entries(bytes).map(([name, size]) => row(name, [`${size.toLocaleString('en')} bytes`])),
      '',
      `Activation by ${first.event}, ms, as VS Code ${version} reports it`,
      '',
      `${row('', ['median', 'least'])}   each window`,
      ...rows.map(
        ({ title, each, median, least }) => `${row(title, [String(median), String(least)])}   ${each.join(' ')}`,
      ),
      '',
      `The SDK was ${sdkLoaded ? '' : 'not '}loaded. (Load of the machine: ${load}.)`,
      JSON.stringify({
        bench: 'activation',
        vscodeVersion: version,
        load,
        bytes,
        median: Object.fromEntries(rows.map(({ time, median }) => [time, median])),
        least: Object.fromEntries(rows.map(({ time, least }) => [time, least])),
        sdkLoaded,
      }),
    ].join('\n'),
  );
  return !sdkLoaded;
}
