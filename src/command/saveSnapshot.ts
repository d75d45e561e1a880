import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { HumanError, messageOf } from '../base/errors';
import type { Memento } from '../base/memento';
import type { ResourceRef } from '../connection/connectionPool';
import type { DocumentTarget } from '../filesystem/resourceDocuments';
import { failureWords } from './attachWords';
import type { OpenServices } from './openResource';
import { filesOf, namesIn, placeOf, type SaveFile, writeFile } from './saveResources';
import { saySaved } from './sayDone';
import { chooseSnapshotFolder, makeFolder } from './snapshotFolder';
import { withProgress } from './withProgress';

/** The list of what was saved, beside the files. */
export const manifestName = 'mcp-snapshot.json';

interface ManifestEntry {
  readonly file: string;
  readonly server: string;
  readonly uri: string;
  /** The part's own URI, where the file is a part of the resource. */
  readonly part?: string;
  readonly mimeType?: string;
  readonly bytes: number;
  readonly sha256: string;
  /** ISO 8601. */
  readonly readAt: string;
}

/** What saving needs; the memory keeps which folder was chosen. */
export interface SnapshotServices extends OpenServices {
  readonly memory: Memento;
}

/** A file to be saved, and what it was read from. */
export interface SnapshotFile extends SaveFile {
  readonly ref: ResourceRef;
  readonly readAt: number;
}

/**
 * Saves resources byte for byte into a folder to choose, with a manifest that says where each file comes from. Earlier
 * snapshots in the folder stay, and so do their lines in the manifest.
 */
export async function saveSnapshot(targets: readonly DocumentTarget[], services: SnapshotServices): Promise<void> {
  const { pool } = services;
  const failures: { uri: vscode.Uri; reason: string }[] = [];
  const found = await withProgress(
    { title: vscode.l10n.t('Reading'), place: 'notification', pool },
    async (signal, tell) => {
      const files: SnapshotFile[] = [];
      for (const [index, { ref, child }] of targets.entries()) {
        tell(vscode.l10n.t('{0} of {1} read', index, targets.length));
        try {
          const { content, readAt } = await services.content.read(ref, {
            purpose: 'open',
            initiative: 'person',
            signal,
          });
          files.push(...filesOf({ ref, child }, content, services).map((file) => ({ ...file, ref, readAt })));
        } catch (error) {
          signal.throwIfAborted();
          failures.push({ uri: services.documents.uriOf(ref), reason: messageOf(error) });
        }
      }
      return files;
    },
  );
  if (found.length > 0) {
    await saveFound(found, services.memory);
  }
  if (failures.length > 0) {
    throw new HumanError(vscode.l10n.t('Not saved: {0}', failureWords(failures)));
  }
}

async function saveFound(found: readonly SnapshotFile[], memory: Memento): Promise<void> {
  const folder = await chooseSnapshotFolder(
    found.length === 1
      ? vscode.l10n.t('Save a snapshot of 1 file')
      : vscode.l10n.t('Save a snapshot of {0} files', found.length),
    memory,
  );
  if (folder) {
    const numbered = await withProgress({ title: vscode.l10n.t('Saving'), place: 'status' }, async () => {
      await makeFolder(folder, memory);
      return writeSnapshot(folder, found);
    });
    saySaved({ count: found.length, numbered }, placeOf(folder));
  }
}

/**
 * Writes files and the manifest into a folder, beside what is there. Where a file cannot be written, the manifest still
 * says where those before it come from. Returns how many have a number in their names, as those were taken. Rejects with
 * a HumanError.
 */
export async function writeSnapshot(folder: vscode.Uri, found: readonly SnapshotFile[]): Promise<number> {
  const manifest = vscode.Uri.joinPath(folder, manifestName);
  const entries = await entriesOf(manifest);
  const names = await namesIn(folder, [manifestName]);
  const before = entries.length;
  let numbered = 0;
  try {
    for (const one of found) {
      const file = names.take(one.name);
      numbered += file === one.name ? 0 : 1;
      const target = vscode.Uri.joinPath(folder, file);
      await writeFile(target, one.bytes).catch(async (error: unknown) => {
        // Half of a file may be there: nobody must take it for the whole.
        await Promise.resolve(vscode.workspace.fs.delete(target)).catch(() => undefined);
        throw error;
      });
      entries.push(entryOf(one, file));
    }
  } finally {
    if (entries.length > before) {
      await writeFile(manifest, Buffer.from(`${JSON.stringify({ version: 1, files: entries }, undefined, 2)}\n`));
    }
  }
  return numbered;
}

function entryOf({ bytes, mimeType, uri, ref, readAt }: SnapshotFile, file: string): ManifestEntry {
  return {
    file,
    server: ref.serverId,
    uri: ref.uri,
    part: uri === ref.uri ? undefined : uri,
    mimeType,
    bytes: bytes.byteLength,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    readAt: new Date(readAt).toISOString(),
  };
}

/** The lines of a manifest that is there already. One that cannot be read is not overwritten, nor is what a link leads to. */
async function entriesOf(manifest: vscode.Uri): Promise<ManifestEntry[]> {
  try {
    const { type } = await vscode.workspace.fs.stat(manifest);
    if (type === vscode.FileType.File) {
      const bytes = await vscode.workspace.fs.readFile(manifest);
      const { files } = JSON.parse(Buffer.from(bytes).toString('utf8')) as { files?: unknown };
      if (Array.isArray(files)) {
        return files as ManifestEntry[];
      }
    }
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') {
      return [];
    }
    // Told below.
  }
  throw new HumanError(vscode.l10n.t('{0} in this folder is no manifest of a snapshot.', manifestName));
}
