import * as vscode from 'vscode';

/** Makes a file system VS Code's own for a scheme: case-sensitive and read-only, with words for those who type. */
export function registerFileSystem(scheme: string, fileSystem: vscode.FileSystemProvider): vscode.Disposable {
  const words = vscode.l10n.t(
    'A resource of an MCP server is read-only here. “Save Resource As…” makes a copy that you can edit.',
  );
  const isReadonly = new vscode.MarkdownString(words);
  return vscode.workspace.registerFileSystemProvider(scheme, fileSystem, { isCaseSensitive: true, isReadonly });
}
