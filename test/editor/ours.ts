import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { McpResourcesApi, McpServer } from '../../src/api';
import { extensionId } from '../../src/ids';
import {
  type Control,
  fixtureLaunch,
  type FixtureEra,
  type HttpFixture,
  type Scenario,
  startFixture,
} from '../server/fixtureClient';
import { until } from '../until';

/** The public API of the extension under test. */
export async function api(): Promise<McpResourcesApi> {
  const extension = vscode.extensions.getExtension<McpResourcesApi>(extensionId);
  assert.ok(extension, 'the extension is installed');
  const found = await extension.activate();
  await found.whenReady();
  return found;
}

/** A server entry as it stands in `mcp.json`. */
export type Entry = Record<string, unknown>;

function configFile(): string {
  const folder = process.env.MCP_RESOURCES_TEST_USER_DIR;
  assert.ok(folder, 'the folder of the user’s settings is known');
  return join(folder, 'mcp.json');
}

/**
 * Writes the user's `mcp.json`, whose new servers need nobody's consent, and waits until the extension shows exactly
 * these servers of it.
 */
export async function configure(servers: Record<string, Entry>): Promise<McpResourcesApi> {
  writeConfig(JSON.stringify({ servers }));
  const found = await api();
  const wanted = Object.keys(servers).sort().join();
  await until(
    `the servers ${wanted}`,
    () =>
      userServers(found)
        .map(({ id }) => id)
        .sort()
        .join() === wanted || null,
  );
  return found;
}

export function writeConfig(text: string): void {
  writeFileSync(configFile(), text);
}

/** Writes the `.vscode/mcp.json` of the workspace's folder. */
export function writeWorkspaceConfig(servers: Record<string, Entry>): void {
  const file = join(process.env.MCP_RESOURCES_TEST_WORKSPACE ?? '', '.vscode', 'mcp.json');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ servers }));
}

export function removeConfig(): void {
  rmSync(configFile(), { force: true });
}

export function userServers(found: McpResourcesApi): readonly McpServer[] {
  return found.servers().filter(({ source }) => source === 'user');
}

/** A fixture server over stdio: its entry for `mcp.json`, and what a test can do to it. */
export interface StdioServer {
  readonly entry: Entry;
  readonly control: Control;
  dispose(): Promise<void>;
}

export function stdioServer(scenario: Scenario, era: FixtureEra = 'legacy'): StdioServer {
  const fixture = fixtureLaunch({ era, scenario });
  const { command, args, env, control } = fixture;
  return { entry: { type: 'stdio', command, args, env }, control, dispose: () => fixture.dispose() };
}

/** A fixture server over HTTP, in this process. */
export async function httpServer(
  scenario: Scenario,
  era: FixtureEra = 'legacy',
): Promise<HttpFixture & { entry: Entry }> {
  const fixture = await startFixture({ era, scenario });
  return Object.assign(fixture, { entry: { type: 'http', url: fixture.url } });
}

/** Things to let go of after each test. */
export class Cleanup {
  private readonly tasks: (() => unknown)[] = [];

  add<T extends { dispose(): unknown } | { stop(): unknown }>(item: T): T {
    this.tasks.push(() => ('stop' in item ? item.stop() : item.dispose()));
    return item;
  }

  /** Closes all editors, removes the configuration, ends the servers. */
  async run(): Promise<void> {
    await closeEditors();
    removeConfig();
    const found = await api();
    await until('no server of the user is left', () => userServers(found).length === 0);
    for (const task of this.tasks.splice(0).reverse()) {
      await task();
    }
  }
}

export async function closeEditors(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  await until('all tabs are closed', () => vscode.window.tabGroups.all.every(({ tabs }) => tabs.length === 0));
}

export async function textOf(uri: vscode.Uri): Promise<string> {
  return Buffer.from(await vscode.workspace.fs.readFile(uri)).toString('utf8');
}

/** Opens a document as a person does: VS Code lets go of it when its last editor is closed. */
export async function show(uri: vscode.Uri): Promise<vscode.TextEditor> {
  await vscode.commands.executeCommand('vscode.open', uri, { preview: false });
  return until(`the editor of ${uri.path}`, () => {
    const editor = vscode.window.activeTextEditor;
    return editor?.document.uri.toString() === uri.toString() ? editor : null;
  });
}

/** A server id that no other test has: documents opened through the API outlive their test by minutes. */
export function freshId(): string {
  return `server-${randomUUID().slice(0, 8)}`;
}

/** Waits until the open document of a URI has a text; says what it has when it does not come. */
export async function untilText(uri: vscode.Uri, text: string, limitMs = 10_000): Promise<void> {
  const current = (): string | undefined =>
    vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString())?.getText();
  await until(`“${text.slice(0, 60)}” in ${uri.path}`, () => current() === text, limitMs).catch((error: unknown) => {
    throw new Error(`${String(error)}; it has “${current()?.slice(0, 200) ?? 'no document'}”`);
  });
}
