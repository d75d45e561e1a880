// `npm run demo`: a VS Code with the extension, two servers and a workspace, in the browser. Ctrl+C ends it.
import { ensureDependencies, giveUp } from './bootstrap.mjs';

try {
  ensureDependencies();
  console.log('Building the extension and starting VS Code …');
  const { startDemo } = await import('./demoWindow.mjs');
  const { host, url } = await startDemo();
  console.log(
    [
      `\nOpen ${url}\n`,
      'Then, in the view MCP Resources: expand "Sample" and click "Welcome", which says what to try. "everything" comes with the',
      'folder, so that you are asked before it starts. This VS Code runs without its native modules: it keeps no logs, and Show Log',
      'stays empty.\n',
      'Ctrl+C ends VS Code and removes its temporary folder.',
    ].join('\n'),
  );
  // On Ctrl+C the clean-up of `atExit.mjs` does the rest.
  const reason = await host.ended();
  throw new Error(`VS Code ended by itself (${reason}):\n${host.log()}`);
} catch (error) {
  giveUp(error);
}
