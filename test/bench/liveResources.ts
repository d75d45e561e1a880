/** Whose document shows a resource. */
export type Side = 'ours' | 'vscode';

export const sides: readonly Side[] = ['ours', 'vscode'];

/** Open editors of each side. Several, because each of VS Code's own takes one update in three seconds only. */
export const editorsPerSide = 4;

/** Resources are not shared by the sides: an update is for one of them alone. */
export function resourceUri(side: Side, index: number): string {
  return `bench://${side}/${index}.txt`;
}

export const resourceUris: readonly string[] = sides.flatMap((side) =>
  Array.from({ length: editorsPerSide }, (_, index) => resourceUri(side, index)),
);
