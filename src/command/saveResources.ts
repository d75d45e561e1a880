import { posix } from 'node:path';
import * as vscode from 'vscode';
import { fileIdentity, FreeNames } from '../content/freeNames';
import { HumanError, messageOf } from '../base/errors';
import type { ResourceRef } from '../connection/connectionPool';
import { documentBelow } from '../content/attachedForms';
import type { ContentDocument, ResourceContent } from '../content/resourceContent';
import type { DocumentTarget } from '../filesystem/resourceDocuments';
import { inertLine } from '../ui/plainText';
import { type OpenServices, readForOpening } from './openResource';
import { sayDone, saySaved } from './sayDone';

/** A file to be saved, under its best name. */
export interface SaveFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly mimeType?: string;
  /** The part's own, where the file is a part. */
  readonly uri?: string;
}

/** Saves resources to disk, byte for byte as the server sent them: one under a name to choose, several into a folder. */
export async function saveResources(targets: readonly DocumentTarget[], services: OpenServices): Promise<void> {
  const failures: string[] = [];
  const files: SaveFile[] = [];
  for (const target of targets) {
    try {
      files.push(...(await readFiles(target, services)));
    } catch (error) {
      if (!(error instanceof HumanError) || targets.length === 1) {
        throw error;
      }
      failures.push(error.message);
    }
  }
  const [only] = files;
  if (files.length === 1 && only && targets.length === 1) {
    await saveOne(only);
  } else if (files.length > 0) {
    await saveMany(files, failures);
  }
  if (failures.length > 0) {
    throw new HumanError(failures.join(' '));
  }
}

async function readFiles(target: DocumentTarget, services: OpenServices): Promise<SaveFile[]> {
  const { content } = await readForOpening(target.ref, services, () => saveResources([target], services));
  return filesOf(target, content, services);
}

/** What there is to save of a document: itself, and every part that came from the server. */
export function filesOf({ ref, child }: DocumentTarget, content: ResourceContent, services: OpenServices): SaveFile[] {
  if (child !== undefined) {
    const document = documentBelow(child, content, ref);
    return document ? [fileOf(child, document)] : [];
  }
  if (content.shape === 'directory') {
    return partsOf(content);
  }
  return [fileOf(nameOf(ref, services), content), ...partsOf(content)];
}

/** What we made of parts ourselves is not saved. */
function partsOf(content: ResourceContent): SaveFile[] {
  return [...content.children].flatMap(([name, document]) =>
    document.part && document.part.failure === undefined ? [fileOf(name, document)] : [],
  );
}

function fileOf(name: string, document: ContentDocument): SaveFile {
  return { name, bytes: originalBytes(document), mimeType: document.mimeType, uri: document.part?.uri };
}

function originalBytes(document: ContentDocument): Uint8Array {
  return document.part?.bytes ?? document.bytes;
}

function nameOf(ref: ResourceRef, { documents }: OpenServices): string {
  return posix.basename(documents.uriOf(ref).path);
}

async function saveOne({ name, bytes }: SaveFile): Promise<void> {
  const target = await vscode.window.showSaveDialog({ defaultUri: vscode.Uri.joinPath(startFolder(), name) });
  if (target) {
    await writeFile(target, bytes);
    sayDone('save', vscode.l10n.t('Saved: {0}', placeOf(target)));
  }
}

/** Into a folder; nothing that is there already is overwritten. Names are single, sanitised segments: never outside it. */
async function saveMany(files: readonly SaveFile[], failures: string[]): Promise<void> {
  const folder = await chooseFolder(
    files.length === 1 ? vscode.l10n.t('Save 1 file') : vscode.l10n.t('Save {0} files', files.length),
  );
  if (!folder) {
    return;
  }
  const names = await namesIn(folder);
  const saved = { count: 0, numbered: 0 };
  await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Saving'), cancellable: true },
    async (progress, token) => {
      for (const { name, bytes } of files) {
        if (token.isCancellationRequested) {
          return;
        }
        progress.report({ message: inertLine(name, 60), increment: 100 / files.length });
        const free = names.take(name);
        try {
          await writeFile(vscode.Uri.joinPath(folder, free), bytes);
          saved.count += 1;
          saved.numbered += free === name ? 0 : 1;
        } catch (error) {
          failures.push(messageOf(error));
        }
      }
    },
  );
  if (saved.count > 0) {
    saySaved(saved, placeOf(folder));
  }
}

/** A folder that a person chooses to save in; the workspace's is offered. */
export async function chooseFolder(title: string): Promise<vscode.Uri | undefined> {
  const [folder] =
    (await vscode.window.showOpenDialog({
      canSelectFiles: false,
      canSelectFolders: true,
      defaultUri: startFolder(),
      openLabel: vscode.l10n.t('Save Here'),
      title,
    })) ?? [];
  return folder;
}

/** Names for new files in a folder beside those that are there and `others`. */
export async function namesIn(folder: vscode.Uri, others: readonly string[] = []): Promise<FreeNames> {
  const there = (await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name);
  return new FreeNames([...there, ...others], fileIdentity);
}

/** Writes a file; rejects with a HumanError that names it. */
export async function writeFile(target: vscode.Uri, bytes: Uint8Array): Promise<void> {
  try {
    await vscode.workspace.fs.writeFile(target, bytes);
  } catch (error) {
    throw new HumanError(vscode.l10n.t('{0} could not be written: {1}', target.path, messageOf(error)), {
      cause: error,
    });
  }
}

/** Where something was saved, for a person to read. */
export function placeOf(target: vscode.Uri): string {
  return inertLine(vscode.workspace.asRelativePath(target), 80);
}

function startFolder(): vscode.Uri {
  return vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(process.env.HOME ?? '/');
}
