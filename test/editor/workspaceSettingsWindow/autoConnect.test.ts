import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { api } from '../ours';

describe('settings of a workspace', () => {
  it('X1: cannot make its servers start by themselves', async () => {
    const folder = process.env.MCP_RESOURCES_TEST_WORKSPACE ?? '';
    assert.equal(vscode.workspace.isTrusted, true);
    // The folder's settings.json says `"mcpResources.autoConnect": ["*"]`.
    assert.equal(existsSync(join(folder, '.vscode', 'settings.json')), true);
    const ours = await api();
    assert.deepEqual(
      ours.servers().map(({ id, state }) => [id, state]),
      [
        ['evil-too', 'notConnected'],
        ['evil', 'notConnected'],
        ['evil-mcp', 'notConnected'],
        ['evil-cursor', 'notConnected'],
      ],
    );
    // Nor does a document that an editor brings back, or a setting of the workspace that looks like an answer.
    for (const { id } of ours.servers()) {
      await assert.rejects(
        async () => vscode.workspace.fs.readFile(ours.documentUri(id, 'a://b')),
        /Not allowed yet: it comes from .*, and starts only after you said yes/,
      );
    }
    assert.ok(ours.servers().every(({ state }) => state === 'failed'));
    assert.equal(existsSync(join(folder, 'started')), false);
  });
});
