import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { Coalescer } from '../base/coalescer';
import { messageOf } from '../base/errors';
import { Emitter } from '../base/events';
import { type Disposable, DisposableSlot, DisposableStore } from '../base/lifecycle';
import type { Log } from '../base/log';
import { findTools, type FoundTool, usedToolFiles } from './foundTools';
import { type Location, locations, serversSetting } from './locations';
import { keepUnchanged, mergeDefinitions } from './merge';
import { folderPlaces, type Machine } from './places';
import { readLocations, type ServersSetting } from './readLocations';
import type { ServerDefinition } from './serverDefinition';
import type { ToolChoice } from './toolChoice';
import { ValidReadings } from './validReadings';

/** What the configured servers are read from, beside the workspace. */
export interface ServerDefinitionsOptions {
  /** Absolute path of the user's `mcp.json`; the file and its folder need not exist. */
  readonly userFile: () => string;
  readonly onDidChangeUserFile: (listener: () => void) => Disposable;
  readonly machine: Machine;
  readonly tools: ToolChoice;
  /** Name of the kind of remote machine that this is; absent in a local window. */
  readonly remote?: string;
  readonly log: Log;
  /** Servers that the extension brings along; anything configured under the same id wins. */
  readonly samples?: readonly ServerDefinition[];
}

/** Milliseconds: long enough for an editor that empties a file before it writes it, too short to be noticed. */
const quiet = { delay: 50, maxWait: 500 };

/** A folder's files, and the folders that they lie in. */
const folderPattern = `{${[...new Set(folderPlaces.flatMap(({ label }) => [dirname(label), label]))]
  .filter((path) => path !== '.')
  .join(',')}}`;

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
  private readonly foundChanges = this.store.add(new Emitter<void>());
  private readonly userWatchers = this.store.add(new DisposableSlot<DisposableStore>());
  private readonly folderWatchers = this.store.add(new DisposableSlot<DisposableStore>());
  private readonly reading: Coalescer;
  private readonly validReadings = new ValidReadings();
  private current: readonly ServerDefinition[] = [];
  private foundTools: readonly FoundTool[] = [];
  private samples: readonly ServerDefinition[];
  private started = false;
  private markReady: () => void = () => undefined;

  /** Fires after `definitions` changed. */
  readonly onDidChange = this.changes.event;

  /** Fires after `found` changed. */
  readonly onDidChangeFound = this.foundChanges.event;

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

  /** What other tools' files hold, used or not. */
  get found(): readonly FoundTool[] {
    return this.foundTools;
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
    const otherUserFiles = (): void => {
      this.watchUserFiles();
      changed();
    };
    this.store.add(this.options.onDidChangeUserFile(otherUserFiles));
    this.store.add(this.options.tools.onDidChange(otherUserFiles));
    this.watchFolders();
    otherUserFiles();
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
      const trusted = vscode.workspace.isTrusted;
      const next = trusted ? await this.readAll(signal) : [];
      const found = trusted ? await findTools(this.options.machine, this.options.tools, signal) : [];
      signal.throwIfAborted();
      this.acceptFound(found);
      this.accept(next);
    } finally {
      this.markReady();
    }
  }

  private async readAll(signal: AbortSignal): Promise<ServerDefinition[]> {
    const configuration = vscode.workspace.getConfiguration('mcpResources');
    const setting: ServersSetting = {
      own: configuration.inspect(serversSetting)?.globalValue,
      merged: configuration.get(serversSetting),
    };
    const read = await readLocations(this.locations(), setting, signal);
    return mergeDefinitions(this.validReadings.settle(read), this.samples);
  }

  private acceptFound(found: readonly FoundTool[]): void {
    if (JSON.stringify(found) !== JSON.stringify(this.foundTools)) {
      this.foundTools = found;
      this.foundChanges.fire();
    }
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
      workspaceSetting:
        vscode.workspace.getConfiguration('mcpResources').inspect(serversSetting)?.workspaceValue !== undefined,
      userFile: this.options.userFile(),
      tools: usedToolFiles(this.options.machine, this.options.tools),
      remote: this.options.remote,
    });
  }

  private watchUserFiles(): void {
    const watchers = new DisposableStore();
    this.userWatchers.value = watchers;
    // Another tool's file that is not used is seen on coming back to the window.
    const { machine, tools, userFile } = this.options;
    for (const file of [userFile(), ...usedToolFiles(machine, tools).map((tool) => tool.file)]) {
      // A bare name as the pattern makes a watcher of that one folder: it holds everything VS Code stores.
      watchers.add(this.watch(new vscode.RelativePattern(vscode.Uri.file(dirname(file)), basename(file))));
    }
  }

  private watchFolders(): void {
    const watchers = new DisposableStore();
    this.folderWatchers.value = watchers;
    if (vscode.workspace.isTrusted) {
      for (const folder of vscode.workspace.workspaceFolders ?? []) {
        // The folder itself too: when it goes or comes as a whole, nothing is told about the files in it.
        watchers.add(this.watch(new vscode.RelativePattern(folder, folderPattern)));
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

function errorText(error: unknown): string {
  return (error instanceof Error ? error.stack : undefined) ?? messageOf(error);
}
