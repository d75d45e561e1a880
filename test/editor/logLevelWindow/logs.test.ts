import * as vscode from 'vscode';
import { Logs } from '../../../src/ui/logs';
import { until } from '../../until';

// In a window of its own: in this host VS Code tells of no changed files any more once a level was set.
describe('the log of a server', () => {
  const setLevel = (level: string) => vscode.commands.executeCommand('_extensionTests.setLogLevel', level);

  it('keeps each message only while its level is Trace', async () => {
    const logs = new Logs();
    try {
      const log = logs.of('traced');
      await setLevel('info');
      await until('it does not trace', () => log.traces?.() === false);
      await setLevel('trace');
      await until('it traces', () => log.traces?.() === true);
    } finally {
      await setLevel('info');
      logs.dispose();
    }
  });
});
