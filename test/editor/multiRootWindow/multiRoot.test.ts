import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { until } from '../../until';
import { api, stdioServer, textOf } from '../ours';

describe('a multi-root workspace', () => {
  it('folders never shadow each other: each server has its folder in its id', async () => {
    const ours = await api();
    await until('both', () => ours.servers().length === 2);
    assert.deepEqual(
      ours.servers().map(({ id, name, source }) => [id, name, source]),
      [
        ['one/docs', 'docs', 'workspace'],
        ['two/docs', 'docs', 'workspace'],
      ],
    );
  });

  it('an edit of one folder’s file leaves the other’s server alone, and each waits for a yes of its own', async () => {
    const ours = await api();
    const servers = ['one', 'two'].map((text) => stdioServer({ resources: [{ uri: 'a://a', text }] }));
    const folders = vscode.workspace.workspaceFolders ?? [];
    folders.forEach(({ uri }, index) => {
      const config = { servers: { docs: servers[index]!.entry, edited: { command: 'x' } } };
      writeFileSync(join(uri.fsPath, '.vscode', 'mcp.json'), JSON.stringify(config));
    });
    await until('both edits are read', () => ours.servers().length === 4);
    const waits = (id: string) =>
      until(`${id} waits`, async () => {
        const read = textOf(ours.documentUri(id, 'a://a')).catch((error: unknown) => String(error));
        return (await read).includes(`it comes from ${id.split('/')[0]}/.vscode/mcp.json`);
      });
    await waits('one/docs');
    await waits('two/docs');
    writeFileSync(join(folders[0]!.uri.fsPath, '.vscode', 'mcp.json'), '{"servers":{}}');
    await until('one is gone', () => ours.servers().length === 2);
    assert.deepEqual(
      ours.servers().map(({ id, state }) => [id, state]),
      [
        ['two/docs', 'failed'],
        ['two/edited', 'notConnected'],
      ],
    );
    writeFileSync(join(folders[1]!.uri.fsPath, '.vscode', 'mcp.json'), '{"servers":{}}');
    await until('both are gone', () => ours.servers().length === 0);
    for (const server of servers) {
      assert.deepEqual(await server.control.processes(), []);
      await server.dispose();
    }
  });
});
