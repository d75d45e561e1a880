import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { toolNames } from '../../../src/ids';
import { until } from '../../until';
import { api } from '../ours';
import { page } from '../page';

describe('an untrusted workspace', () => {
  const started = (): boolean => existsSync(join(process.env.MCP_RESOURCES_TEST_WORKSPACE ?? '', 'started'));

  it('A15: neither an address in a text nor a tool reads anything', async () => {
    const ours = await api();
    const address = ours.documentUri('evil', 'a://b').toString();
    await assert.rejects(async () => vscode.workspace.openTextDocument(vscode.Uri.parse(address, true)));
    const input = { server: 'evil', uri: 'a://b' };
    await assert.rejects(
      async () => vscode.lm.invokeTool(toolNames.read, { input, toolInvocationToken: undefined }),
      /No server is named `evil`/,
    );
    assert.equal(started(), false);
  });

  it('X1: nothing starts, whatever the workspace says; granting trust connects without a reload', async function () {
    assert.equal(vscode.workspace.isTrusted, false);
    const ours = await api();
    assert.deepEqual(ours.servers(), [], 'no configuration of the workspace is read');
    await vscode.commands.executeCommand('mcpResources.servers.focus');
    await assert.rejects(ours.connect('evil'), /No server named "evil"/);
    await assert.rejects(async () => vscode.workspace.fs.stat(ours.documentUri('evil', 'a://b')));
    assert.equal(started(), false);
    if (page === undefined) {
      return;
    }
    await page.call('grantTrust');
    await until('trust', () => vscode.workspace.isTrusted);
    await until('the servers are read', () => ours.servers().length === 4);
    await until('the server was started', started, 20_000);
  });
});
