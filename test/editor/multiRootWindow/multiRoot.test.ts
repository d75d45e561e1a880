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

  it('an edit of one folder’s file leaves the other’s server alone, and documents of both are told apart', async () => {
    const ours = await api();
    const servers = ['one', 'two'].map((text) => stdioServer({ resources: [{ uri: 'a://a', text }] }));
    const folders = vscode.workspace.workspaceFolders ?? [];
    folders.forEach(({ uri }, index) => {
      const config = { servers: { docs: servers[index]!.entry } };
      writeFileSync(join(uri.fsPath, '.vscode', 'mcp.json'), JSON.stringify(config));
    });
    await until('the new definitions', async () => {
      try {
        return (await textOf(ours.documentUri('one/docs', 'a://a'))) === 'one';
      } catch {
        return false;
      }
    });
    assert.equal(await textOf(ours.documentUri('two/docs', 'a://a')), 'two');
    writeFileSync(join(folders[0]!.uri.fsPath, '.vscode', 'mcp.json'), '{"servers":{}}');
    await until('one is gone', () => ours.servers().length === 1);
    assert.equal(ours.servers()[0]?.id, 'two/docs');
    assert.equal(ours.servers()[0]?.state, 'connected');
    writeFileSync(join(folders[1]!.uri.fsPath, '.vscode', 'mcp.json'), '{"servers":{}}');
    await until('both are gone', () => ours.servers().length === 0);
    await Promise.all(servers.map((server) => server.dispose()));
  });
});
