/** Where something small is remembered, readable and not encrypted. `vscode.Memento` fits it. */
export interface Memento {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}
