// Builds the VSIX: `npm run package`.
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureDependencies, giveUp, root } from './bootstrap.mjs';
import { runCommand } from './command.mjs';

/** The package that `packageExtension` makes. */
export const vsixFile = path.join(root, 'mcp-resource-context.vsix');

/** Folders that `vsce` is not shown; all else is for `.vscodeignore` to decide. */
const withheld = new Set(['.git', '.host', 'dist-test', 'node_modules', 'src', 'test']);

/** Builds the extension for production and packs it. Gives the package's path. */
export async function packageExtension() {
  // What an older build left would be packed, too.
  rmSync(path.join(root, 'dist'), { recursive: true, force: true });
  await node('The build', ['esbuild.js', '--production']);
  rmSync(vsixFile, { force: true });
  const stage = mkdtempSync(path.join(tmpdir(), 'mcp-resources-vsix-'));
  try {
    fill(stage);
    const vsce = path.join(root, 'node_modules/@vscode/vsce/vsce');
    // Everything is bundled, so no package goes along.
    const args = [
      'package',
      '--no-dependencies',
      '--allow-missing-repository',
      '--no-rewrite-relative-links',
      '--out',
      vsixFile,
    ];
    await node('The packaging', [vsce, ...args], stage);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
  checkScripts();
  return vsixFile;
}

/**
 * Copies what may be packed: `vsce` walks through the whole folder it is in, and `.host` has some 30,000 files.
 * @param {string} stage
 */
function fill(stage) {
  for (const name of readdirSync(root)) {
    if (!withheld.has(name) && !name.endsWith('.vsix')) {
      cpSync(path.join(root, name), path.join(stage, name), { recursive: true });
    }
  }
  // The scripts are for this repository; `vsce` would run one of them.
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  delete manifest.scripts;
  writeFileSync(path.join(stage, 'package.json'), JSON.stringify(manifest, undefined, 2));
}

/** Fails when a script of `dist/` did not get into the package. */
function checkScripts() {
  const scripts = readdirSync(path.join(root, 'dist')).filter((file) => file.endsWith('.js'));
  // The directory of a ZIP file holds the names as they are.
  const vsix = readFileSync(vsixFile);
  const missing = scripts.filter((file) => !vsix.includes(`extension/dist/${file}`));
  if (scripts.length === 0 || missing.length > 0) {
    throw new Error(`The VSIX lacks ${missing.join(', ') || 'every script of dist/'}.`);
  }
}

/**
 * @param {string} what
 * @param {string[]} args
 * @param {string} [cwd]
 */
async function node(what, args, cwd = root) {
  const { code, output } = await runCommand(process.execPath, args, { cwd, limitMs: 120_000 });
  if (code !== 0) {
    throw new Error(`${what} failed:\n${output.trim()}`);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    ensureDependencies();
    const file = await packageExtension();
    console.log(`${path.relative(root, file)}: ${Math.round(statSync(file).size / 1024)} kB`);
  } catch (error) {
    giveUp(error);
  }
}
