import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { Coalescer } from '../base/coalescer';
import { messageOf } from '../base/errors';
import { Emitter } from '../base/events';
import { type Disposable, DisposableSlot, DisposableStore } from '../base/lifecycle';
import type { Log } from '../base/log';
import { parseServersFile, parseServersSetting, type ServerList } from './dialect';
import { folderFile, type Location, locations, serversSetting } from './locations';
import { keepUnchanged, mergeDefinitions } from './merge';
import { readConfigFile } from './readConfigFile';
import type { ServerDefinition } from './serverDefinition';

/** What the configured servers are read from, beside the workspace. */
export interface ServerDefinitionsOptions {
  /** Absolute path of the user's `mcp.json`; the file and its folder need not exist. */
  readonly userFile: string | undefined;
  readonly log: Log;
  /** Servers that the extension brings along; anything configured under the same id wins. */
  readonly samples?: readonly ServerDefinition[];
}

/** Milliseconds: long enough for an editor that empties a file before it writes it, too short to be noticed. */
const quiet = { delay: 50, maxWait: 500 };

/**
 * The servers that are configured now, following every edit on disk, of the setting, the folders and the trust. Nothing
 * is read in an untrusted workspace: there are no definitions then. An unchanged definition stays the same object.
 *
 * Files are read by `node:fs`, not `workspace.fs`: the extension runs where the workspace's disk is, the error codes are
 * plain, and a folder of a virtual workspace, which has no disk, could not run a server either.
 */
export class ServerDefinitions implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changes = this.store.add(new Emitter<void>());
  private readonly folderWatchers = this.store.add(new DisposableSlot<DisposableStore>());
  private readonly reading: Coalescer;
  private current: readonly ServerDefinition[] = [];
  private samples: readonly ServerDefinition[];
  private started = false;
  private markReady: () => void = () => undefined;

  /** Fires after `definitions` changed. */
  readonly onDidChange = this.changes.event;

  /** Resolves when the configuration was read for the first time (in an untrusted workspace: found to be off limits). */
  readonly ready = new Promise<void>((resolve) => (this.markReady = resolve));

  /** Does nothing yet: `start` begins to read and to watch. */
  constructor(private readonly options: ServerDefinitionsOptions) {
    this.samples = options.samples ?? [];
    const onError = (error: unknown): void => options.log.error(errorText(error));
    this.reading = this.store.add(new Coalescer((signal) => this.read(signal), { ...quiet, onError }));
  }

  get definitions(): readonly ServerDefinition[] {
    return this.current;
  }

  /** Begins to watch and to read. Returns before any file is touched. */
  start(): void {
    if (this.started || this.store.isDisposed) {
      return;
    }
    this.started = true;
    const changed = (): void => this.reading.trigger();
    this.store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(`mcpResources.${serversSetting}`)) {
          changed();
        }
      }),
    );
    this.store.add(
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        this.watchFolders();
        changed();
      }),
    );
    this.store.add(
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        this.watchFolders();
        changed();
      }),
    );
    // What is saved in this window is noticed even where a file watcher is slow, excluded or waits for the folder.
    this.store.add(
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (uri.scheme === 'file' && this.locations().some(({ source }) => source.file === uri.fsPath)) {
          changed();
        }
      }),
    );
    // What no watcher tells (a folder that did not exist yet, a network drive, a link's target) is seen on coming back.
    this.store.add(vscode.window.onDidChangeWindowState(({ focused }) => focused && changed()));
    this.watchUserFile();
    this.watchFolders();
    changed();
    void this.reading.flush();
  }

  /** Reads everything anew. Resolves when that is done and the change, if any, was told. */
  async refresh(): Promise<void> {
    this.reading.trigger();
    await this.reading.flush();
  }

  /** Replaces the servers that the extension brings along. */
  async setSamples(samples: readonly ServerDefinition[]): Promise<void> {
    this.samples = samples;
    await this.refresh();
  }

  dispose(): void {
    this.store.dispose();
    this.markReady();
  }

  private async read(signal: AbortSignal): Promise<void> {
    try {
      const next = vscode.workspace.isTrusted ? await this.readAll(signal) : [];
      signal.throwIfAborted();
      this.accept(next);
    } finally {
      this.markReady();
    }
  }

  private async readAll(signal: AbortSignal): Promise<ServerDefinition[]> {
    const places = await Promise.all(
      this.locations().map(async (location) => ({ location, list: await readLocation(location, signal) })),
    );
    return mergeDefinitions(places, this.samples);
  }

  private accept(next: readonly ServerDefinition[]): void {
    const previous = this.current;
    this.current = keepUnchanged(previous, next);
    if (this.current === previous) {
      return;
    }
    const { log } = this.options;
    log.info(`Configured servers: ${this.current.length}`);
    for (const { error } of this.current.filter((definition) => !previous.includes(definition))) {
      if (error !== undefined) {
        log.warn(error);
      }
    }
    this.changes.fire();
  }

  private locations(): Location[] {
    const { workspaceFolders = [], workspaceFile } = vscode.workspace;
    return locations({
      folders: workspaceFolders
        .filter(({ uri }) => uri.scheme === 'file')
        .map(({ name, uri }) => ({ name, path: uri.fsPath })),
      // Not the number of folders: adding a second one must not change the ids of the first one's servers.
      multiRoot: workspaceFile !== undefined,
      userFile: this.options.userFile,
    });
  }

  private watchUserFile(): void {
    const { userFile } = this.options;
    if (userFile !== undefined) {
      // A bare name as the pattern makes a watcher of that one folder: it holds everything VS Code stores.
      const base = vscode.Uri.file(dirname(userFile));
      this.store.add(this.watch(new vscode.RelativePattern(base, basename(userFile))));
    }
  }

  private watchFolders(): void {
    const watchers = new DisposableStore();
    this.folderWatchers.value = watchers;
    if (vscode.workspace.isTrusted) {
      for (const folder of vscode.workspace.workspaceFolders ?? []) {
        // The folder itself too: when it goes or comes as a whole, nothing is told about the files in it.
        watchers.add(this.watch(new vscode.RelativePattern(folder, `{${dirname(folderFile)},${folderFile}}`)));
      }
    }
  }

  private watch(pattern: vscode.RelativePattern): Disposable {
    const changed = (): void => this.reading.trigger();
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    watcher.onDidCreate(changed);
    watcher.onDidChange(changed);
    watcher.onDidDelete(changed);
    return watcher;
  }
}

async function readLocation({ source }: Location, signal: AbortSignal): Promise<ServerList> {
  if (source.file === undefined) {
    return parseServersSetting(vscode.workspace.getConfiguration('mcpResources').get(serversSetting));
  }
  const found = await readConfigFile(source.file, signal);
  switch (found.kind) {
    case 'text':
      return parseServersFile(found.text);
    case 'none':
      return { entries: [] };
    case 'error':
      return { entries: [], error: { message: found.message } };
  }
}

function errorText(error: unknown): string {
  return (error instanceof Error ? error.stack : undefined) ?? messageOf(error);
}
