import { posix } from 'node:path';
import * as vscode from 'vscode';
import { HumanError, messageOf } from '../base/errors';
import type { ResourceRef } from '../connection/connectionPool';
import { documentBelow } from '../content/attachedForms';
import type { ContentDocument, ResourceContent } from '../content/resourceContent';
import type { DocumentTarget } from '../filesystem/resourceDocuments';
import { inertLine } from '../ui/plainText';
import { type OpenServices, readForOpening } from './openResource';

interface SaveFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Saves resources to disk, byte for byte as the server sent them: one under a name to choose, several into a folder. */
export async function saveResources(targets: readonly DocumentTarget[], services: OpenServices): Promise<void> {
  const failures: string[] = [];
  const files: SaveFile[] = [];
  for (const target of targets) {
    try {
      files.push(...(await filesOf(target, services)));
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

async function filesOf(target: DocumentTarget, services: OpenServices): Promise<SaveFile[]> {
  const { ref, child } = target;
  const { content } = await readForOpening(ref, services, () => saveResources([target], services));
  if (child !== undefined) {
    const document = documentBelow(child, content, ref);
    return document ? [{ name: child, bytes: originalBytes(document) }] : [];
  }
  if (content.shape === 'directory') {
    return partsOf(content);
  }
  return [{ name: nameOf(ref, services), bytes: originalBytes(content) }, ...partsOf(content)];
}

/** Every part that came from the server; what we made of them ourselves is not saved. */
function partsOf(content: ResourceContent): SaveFile[] {
  return [...content.children].flatMap(([name, document]) =>
    document.part?.failure === undefined && document.part ? [{ name, bytes: document.part.bytes }] : [],
  );
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
    await write(target, bytes);
  }
}

/** Into a folder; nothing that is there already is overwritten. Names are single, sanitised segments: never outside it. */
async function saveMany(files: readonly SaveFile[], failures: string[]): Promise<void> {
  const [folder] =
    (await vscode.window.showOpenDialog({
      canSelectFiles: false,
      canSelectFolders: true,
      defaultUri: startFolder(),
      openLabel: vscode.l10n.t('Save Here'),
      title: vscode.l10n.t('Save {0} files', files.length),
    })) ?? [];
  if (!folder) {
    return;
  }
  const taken = new Set((await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name.toLowerCase()));
  await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Saving'), cancellable: true },
    async (progress, token) => {
      for (const { name, bytes } of files) {
        if (token.isCancellationRequested) {
          return;
        }
        progress.report({ message: inertLine(name, 60), increment: 100 / files.length });
        const free = freeName(name, taken);
        taken.add(free.toLowerCase());
        try {
          await write(vscode.Uri.joinPath(folder, free), bytes);
        } catch (error) {
          failures.push(messageOf(error));
        }
      }
    },
  );
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  const { name: stem, ext } = posix.parse(name);
  let free = name;
  for (let number = 2; taken.has(free.toLowerCase()); number += 1) {
    free = `${stem} (${number})${ext}`;
  }
  return free;
}

async function write(target: vscode.Uri, bytes: Uint8Array): Promise<void> {
  try {
    await vscode.workspace.fs.writeFile(target, bytes);
  } catch (error) {
    throw new HumanError(vscode.l10n.t('{0} could not be written: {1}', target.path, messageOf(error)), {
      cause: error,
    });
  }
}

function startFolder(): vscode.Uri {
  return vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(process.env.HOME ?? '/');
}
