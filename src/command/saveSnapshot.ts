import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { HumanError, messageOf } from '../base/errors';
import type { ResourceRef } from '../connection/connectionPool';
import type { DocumentTarget } from '../filesystem/resourceDocuments';
import { failureWords } from './attachWords';
import type { OpenServices } from './openResource';
import { chooseFolder, filesOf, namesIn, type SaveFile, writeFile } from './saveResources';
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

interface Found extends SaveFile {
  readonly ref: ResourceRef;
  readonly readAt: number;
}

/**
 * Saves resources byte for byte into a folder to choose, with a manifest that says where each file comes from. Earlier
 * snapshots in the folder stay, and so do their lines in the manifest.
 */
export async function saveSnapshot(targets: readonly DocumentTarget[], services: OpenServices): Promise<void> {
  const failures: { uri: vscode.Uri; reason: string }[] = [];
  const found = await withProgress(vscode.l10n.t('Reading'), 'notification', async (signal, tell) => {
    const files: Found[] = [];
    for (const [index, { ref, child }] of targets.entries()) {
      tell(vscode.l10n.t('{0} of {1} read', index, targets.length));
      try {
        const { content, readAt } = await services.content.read(ref, { purpose: 'open', initiative: 'person', signal });
        files.push(...filesOf({ ref, child }, content, services).map((file) => ({ ...file, ref, readAt })));
      } catch (error) {
        signal.throwIfAborted();
        failures.push({ uri: services.documents.uriOf(ref), reason: messageOf(error) });
      }
    }
    return files;
  });
  if (found.length > 0) {
    await saveFound(found);
  }
  if (failures.length > 0) {
    throw new HumanError(vscode.l10n.t('Not saved: {0}', failureWords(failures)));
  }
}

async function saveFound(found: readonly Found[]): Promise<void> {
  const folder = await chooseFolder(vscode.l10n.t('Save a snapshot of {0} files', found.length));
  if (!folder) {
    return;
  }
  const manifest = vscode.Uri.joinPath(folder, manifestName);
  const entries = await entriesOf(manifest);
  const names = await namesIn(folder, [manifestName]);
  await withProgress(vscode.l10n.t('Saving'), 'status', async () => {
    for (const { name, bytes, mimeType, uri, ref, readAt } of found) {
      const file = names.take(name);
      await writeFile(vscode.Uri.joinPath(folder, file), bytes);
      entries.push({
        file,
        server: ref.serverId,
        uri: ref.uri,
        part: uri === ref.uri ? undefined : uri,
        mimeType,
        bytes: bytes.byteLength,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        readAt: new Date(readAt).toISOString(),
      });
    }
    await writeFile(manifest, Buffer.from(`${JSON.stringify({ version: 1, files: entries }, undefined, 2)}\n`));
  });
}

/** The lines of a manifest that is there already. One that cannot be read is not overwritten. */
async function entriesOf(manifest: vscode.Uri): Promise<ManifestEntry[]> {
  let bytes: Uint8Array;
  try {
    bytes = await vscode.workspace.fs.readFile(manifest);
  } catch {
    return [];
  }
  try {
    const { files } = JSON.parse(Buffer.from(bytes).toString('utf8')) as { files?: unknown };
    if (Array.isArray(files)) {
      return files as ManifestEntry[];
    }
  } catch {
    // Told below.
  }
  throw new HumanError(vscode.l10n.t('{0} in this folder is no manifest of a snapshot.', manifestName));
}
