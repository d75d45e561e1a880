import { posix } from 'node:path';
import * as vscode from 'vscode';

interface CustomEditor {
  readonly viewType?: string;
  readonly selector?: readonly { readonly filenamePattern?: string }[];
}

/** Whether some extension (VS Code's own media preview among them) shows files of this name in an editor of its own. */
export function hasViewerFor(uri: vscode.Uri): boolean {
  const name = posix.basename(uri.path).toLowerCase();
  return customEditors().some(({ selector }) =>
    selector?.some(({ filenamePattern }) => filenamePattern !== undefined && matches(filenamePattern, name)),
  );
}

export function hasHexEditor(): boolean {
  return customEditors().some(({ viewType }) => viewType === 'hexEditor.hexedit');
}

function customEditors(): readonly CustomEditor[] {
  return vscode.extensions.all.flatMap(({ packageJSON }) => {
    const { contributes } = packageJSON as { contributes?: { customEditors?: unknown } };
    return Array.isArray(contributes?.customEditors) ? (contributes.customEditors as CustomEditor[]) : [];
  });
}

/** `*.png` and `*.{jpg,jpeg}`; `*` alone (the hex editor) is no viewer of a kind. */
function matches(pattern: string, name: string): boolean {
  const extensions = /^\*\.(?:\{([^{}]+)\}|([^*{}]+))$/.exec(pattern.toLowerCase());
  const list = extensions?.[1]?.split(',') ?? (extensions?.[2] === undefined ? [] : [extensions[2]]);
  return list.some((extension) => name.endsWith(`.${extension.trim()}`));
}
