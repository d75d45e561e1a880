import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { extensionId } from '../../src/ids';

interface Keybinding {
  readonly key: string;
  readonly command: string;
}

describe('keys', () => {
  it('our default keys that work anywhere are not taken by VS Code', async () => {
    const manifest = vscode.extensions.getExtension(extensionId)?.packageJSON as {
      contributes: { keybindings: (Keybinding & { when?: string })[] };
    };
    const everywhere = manifest.contributes.keybindings.filter(({ when }) => !when?.includes('inQuickInput'));
    assert.ok(everywhere.length >= 2);
    const document = await vscode.workspace.openTextDocument(
      vscode.Uri.parse('vscode://defaultsettings/keybindings.json'),
    );
    const lines = document.getText().split('\n');
    for (const { key, command } of everywhere) {
      const taken = lines.filter((line) => line.includes(`"key": "${key}"`));
      assert.ok(
        taken.some((line) => line.includes(`"${command}"`)),
        `${key} is bound to ${command}: ${taken.join()}`,
      );
      assert.deepEqual(
        taken.filter((line) => !line.includes(`"${command}"`)),
        [],
      );
    }
  });
});
