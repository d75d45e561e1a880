// Bundles the extension, its sample server and its reaper to dist/; `--production` minifies, `--watch` rebuilds on change.
const esbuild = require('esbuild');

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');

/** @type {import('esbuild').BuildOptions} */
const shared = {
  bundle: true,
  // jsonc-parser's `main` is UMD, whose inner requires a bundler cannot see.
  mainFields: ['module', 'main'],
  platform: 'node',
  target: 'node20',
  minify: production,
  sourcemap: production ? false : 'linked',
  logLevel: 'info',
};

/** @type {import('esbuild').BuildOptions[]} */
const bundles = [
  {
    ...shared,
    entryPoints: { extension: 'src/extension.ts', sdk: 'src/connection/sdk.ts' },
    format: 'cjs',
    outdir: 'dist',
    // An `import()` that becomes a `require`, since Node's own wants a file name.
    supported: { 'dynamic-import': false },
    // Two files of their own: the SDK, loaded on the first connection, and the database of MIME types, for rare ones.
    external: ['vscode', './sdk', './mimeTypes'],
    // The SDK's words for its console repeat what others say, secrets included. Ours go to the log, which masks them.
    drop: ['console'],
    alias: { 'mime-types': './mimeTypes' },
  },
  { ...shared, entryPoints: { mimeTypes: 'mime-types' }, format: 'cjs', outdir: 'dist' },
  { ...shared, entryPoints: { sampleServer: 'src/sampleServer/main.ts' }, format: 'cjs', outdir: 'dist' },
  { ...shared, entryPoints: { reaper: 'src/reaper/main.ts' }, format: 'cjs', outdir: 'dist' },
];

async function main() {
  const contexts = await Promise.all(bundles.map((options) => esbuild.context(options)));
  if (watch) {
    await Promise.all(contexts.map((context) => context.watch()));
    return;
  }
  await Promise.all(contexts.map((context) => context.rebuild()));
  await Promise.all(contexts.map((context) => context.dispose()));
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
