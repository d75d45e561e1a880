// Finds the browser that shows the workbench.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * The path of a Chromium, installed by apt first where that is possible.
 * @returns {string}
 */
export function findChromium() {
  const fromEnvironment = process.env.CHROMIUM;
  if (fromEnvironment) {
    if (!isExecutable(fromEnvironment)) {
      throw new Error(`$CHROMIUM is ${fromEnvironment}, which is not an executable file.`);
    }
    return fromEnvironment;
  }
  const found = search();
  if (found) {
    return found;
  }
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    console.log('Installing Chromium with apt-get (none was found) …');
    apt(['update']);
    apt(['install', '-y', 'chromium']);
  }
  const installed = search();
  if (!installed) {
    throw new Error(
      'No Chromium was found. Install Chromium or Chrome so that `chromium` or `google-chrome` is on the PATH, ' +
        'or set CHROMIUM to its path.',
    );
  }
  return installed;
}

function search() {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter).filter(Boolean), '/usr/bin'];
  const onMac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
  const candidates = [...folders.flatMap((folder) => names.map((name) => path.join(folder, name))), onMac];
  return candidates.find(isExecutable);
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @param {string[]} args */
function apt(args) {
  const result = spawnSync('apt-get', ['-q', ...args], {
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    maxBuffer: 64 * 1024 * 1024,
  });
  if (result.status !== 0) {
    throw new Error(`apt-get ${args.join(' ')} failed:\n${`${result.stdout}${result.stderr}`.slice(-2000)}`);
  }
}
