import { realpathSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { extensionId } from '../../src/ids';
import { until } from '../until';
import { report } from './benchWindow';

/** What VS Code itself says of our activation in one window; whole milliseconds, as it rounds them. */
export interface ActivationResult {
  /** Reading and running the bundle. */
  readonly loadCode: number;
  /** `activate()` until it returned. */
  readonly callActivate: number;
  /** From then until what it returned was there. */
  readonly finishActivate: number;
  /** The activation event. */
  readonly event: string;
  /** Whether the SDK's bundle was loaded although no server was contacted. */
  readonly sdkLoaded: boolean;
}

/** The document of the command "Developer: Startup Performance". */
const startupPerformance = vscode.Uri.from({ scheme: 'perf', path: 'Startup Performance' });

/** What VS Code calls in the extension host. */
export function run(): Promise<void> {
  return report(async (): Promise<ActivationResult> => {
    const extension = await until('the extension', () => vscode.extensions.getExtension(extensionId));
    await until('its activation by itself', () => extension.isActive, 30_000);
    // The scheme of its document is known only after the command.
    await vscode.commands.executeCommand('perfview.show');
    const document = await vscode.workspace.openTextDocument(startupPerformance);
    const cells = await until('its row in the table', () => rowOf(document.getText()), 30_000);
    const dist = path.join(realpathSync(extension.extensionPath), 'dist');
    if (!(path.join(dist, 'extension.js') in require.cache))
      throw new Error('The bundle is not found among the loaded.');
    return {
      loadCode: Number(cells[2]),
      callActivate: Number(cells[3]),
      finishActivate: Number(cells[4]),
      event: cells[5] ?? '',
      sdkLoaded: path.join(dist, 'sdk.js') in require.cache,
    };
  });
}

/** The cells: extension, eager, load code, call activate, finish activate, event, by. */
function rowOf(table: string): string[] | undefined {
  const line = table.split('\n').find((line) => line.startsWith(`| ${extensionId} `));
  return line
    ?.split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}
