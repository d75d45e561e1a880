import * as vscode from 'vscode';
import type { Icon } from '../connection/wire';

/** Characters of a `data:` URI; larger pictures are not shown. */
const LARGEST = 64 * 1024;
/** How each kind of picture begins, in base64. */
const beginnings: Readonly<Record<string, RegExp>> = {
  png: /^iVBORw0KGgo/,
  jpeg: /^\/9j\//,
  webp: /^UklGR/,
};

/** What an item shows as its icon: a small picture that came with the list. Nothing is ever fetched. */
export function iconOf(icons: readonly Icon[] | undefined): vscode.IconPath | undefined {
  const usable = (icons ?? []).filter(({ src }) => isPicture(src));
  const of = (theme: Icon['theme']): vscode.Uri | undefined => {
    const icon = usable.find((each) => each.theme === theme) ?? usable.find((each) => each.theme === undefined);
    return icon && vscode.Uri.parse(icon.src);
  };
  const [light, dark] = [of('light'), of('dark')];
  return (light ?? dark) && { light: (light ?? dark)!, dark: (dark ?? light)! };
}

function isPicture(src: string): boolean {
  const [, type = '', data = ''] =
    /^data:image\/(png|jpeg|webp);base64,([A-Za-z0-9+/]+={0,2})$/.exec(src.slice(0, LARGEST)) ?? [];
  return src.length <= LARGEST && beginnings[type]?.test(data) === true;
}
