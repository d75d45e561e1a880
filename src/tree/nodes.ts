import type { PathGroup } from '../catalog/pathGroups';
import type { TemplateInstance } from '../catalog/templateInstances';
import type { FoundTool } from '../config/foundTools';
import type { ServerConnection } from '../connection/serverConnection';
import type { ResourceEntry, TemplateEntry } from '../connection/wire';

/** A node of the tree: plain data; `treeItem.ts` says how each kind looks. */
export type TreeNode =
  | ServerNode
  | FolderNode
  | MoreNode
  | ResourceNode
  | PartNode
  | TemplateGroupNode
  | TemplateNode
  | MessageNode
  | OfferNode;

export interface ServerNode {
  readonly kind: 'server';
  readonly connection: ServerConnection;
}

/** Resources whose URIs begin alike. */
export interface FolderNode {
  readonly kind: 'folder';
  readonly server: ServerNode;
  readonly parent: ServerNode | FolderNode;
  readonly group: PathGroup;
}

/** Stands for the rows that are not shown yet. */
export interface MoreNode {
  readonly kind: 'more';
  readonly parent: ServerNode | FolderNode;
  readonly shown: number;
  readonly total: number;
}

export interface ResourceNode {
  readonly kind: 'resource';
  readonly server: ServerNode;
  readonly parent: ServerNode | FolderNode | TemplateNode;
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
  readonly mood: 'loading' | 'failed' | 'signIn' | 'input' | 'consent' | 'empty' | 'stopped';
  readonly text: string;
}

/** Servers of another tool that could be used here. */
export interface OfferNode {
  readonly kind: 'offer';
  readonly tool: FoundTool;
}
