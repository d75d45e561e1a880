import type { TemplateInstance } from '../catalog/templateInstances';
import type { ServerConnection } from '../connection/serverConnection';
import type { ResourceEntry, TemplateEntry } from '../connection/wire';

/** A node of the tree: plain data; `treeItem.ts` says how each kind looks. */
export type TreeNode = ServerNode | ResourceNode | PartNode | TemplateGroupNode | TemplateNode | MessageNode;

export interface ServerNode {
  readonly kind: 'server';
  readonly connection: ServerConnection;
}

export interface ResourceNode {
  readonly kind: 'resource';
  readonly server: ServerNode;
  readonly entry: ResourceEntry;
  /** Another resource of this server bears the same label. */
  readonly ambiguous: boolean;
  /** It is not listed: a person made it from this template. */
  readonly filled?: { readonly template: TemplateNode; readonly instance: TemplateInstance };
}

/** A document below a resource: one of its parts, or what is made of them. */
export interface PartNode {
  readonly kind: 'part';
  readonly resource: ResourceNode;
  /** Name among the resource's children. */
  readonly name: string;
}

export interface TemplateGroupNode {
  readonly kind: 'templateGroup';
  readonly server: ServerNode;
}

export interface TemplateNode {
  readonly kind: 'template';
  readonly group: TemplateGroupNode;
  readonly entry: TemplateEntry;
}

/** A state in words, where a list has none of its own to show: loading, failed, empty, stopped. */
export interface MessageNode {
  readonly kind: 'message';
  readonly parent: ServerNode | ResourceNode | TemplateGroupNode;
  readonly mood: 'loading' | 'failed' | 'empty' | 'stopped';
  readonly text: string;
}

/** Label of an entry: `title`, else `name`, else the last part of its URI (specification: BaseMetadata). */
export function labelOf(entry: { title?: string; name?: string; uri?: string; uriTemplate?: string }): string {
  const uri = entry.uri ?? entry.uriTemplate ?? '';
  const lastPart = uri.split(/[/?#]/u).filter(Boolean).at(-1);
  return [entry.title, entry.name, lastPart, uri].find((text) => text?.trim()) ?? '(empty URI)';
}
