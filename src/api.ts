import type * as vscode from 'vscode';

/** Where a server was configured; `tool`: in the user's own file of another tool. */
export type McpServerSource = 'setting' | 'workspace' | 'user' | 'tool' | 'sample';

/** What a person sees of a server's connection. */
export type McpServerState = 'notConnected' | 'connecting' | 'connected' | 'failed' | 'stopped';

/** A configured server. */
export interface McpServer {
  /** The name, or `folder/name` for a folder's file in a multi-root workspace. */
  readonly id: string;
  readonly name: string;
  readonly source: McpServerSource;
  readonly state: McpServerState;
  /** Protocol family, once connected. */
  readonly era?: 'legacy' | 'modern';
  /** Negotiated protocol version (`2024-11-05` … `2026-07-28`), once connected. */
  readonly protocolVersion?: string;
  /** Why the server is in the state `failed`. */
  readonly error?: string;
}

/** A resource as its server lists it. */
export interface McpResource {
  /** The server's own string, byte for byte. */
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Bytes, as the server says. */
  readonly size?: number;
  readonly annotations?: {
    readonly audience?: readonly ('user' | 'assistant')[];
    /** 0 (least) … 1 (most important). */
    readonly priority?: number;
    /** ISO 8601. */
    readonly lastModified?: string;
  };
}

/** A resource template (RFC 6570) as its server lists it. */
export interface McpResourceTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

/** What an attach request led to. */
export interface AttachResult {
  /** Attachments whose arrival in the chat was noticed. */
  readonly confirmed: readonly vscode.Uri[];
  /** Attachments that could not be confirmed, each with the reason. */
  readonly unconfirmed: readonly { readonly uri: vscode.Uri; readonly reason: string }[];
}

/** The public API, returned by `activate`. */
export interface McpResourcesApi {
  readonly version: 1;
  /** Resolves once the configuration has been read for the first time. */
  whenReady(): Promise<void>;
  servers(): readonly McpServer[];
  /**
   * Connects to a server, or waits for the connection under way. May ask the person: for a yes to what is started, for
   * inputs of the configuration, for a sign-in. Rejects with the reason when it fails, or when the person gives up.
   */
  connect(serverId: string): Promise<void>;
  /**
   * The complete list (all pages), a copy. Connects when needed, and may ask the person as `connect` does. Rejects with the
   * reason when it fails.
   */
  resources(serverId: string): Promise<readonly McpResource[]>;
  /** The complete list of templates (all pages), in every other respect as `resources`. */
  templates(serverId: string): Promise<readonly McpResourceTemplate[]>;
  /** The document of a resource. Synchronous; needs neither a connection nor a read. */
  documentUri(serverId: string, resourceUri: string): vscode.Uri;
  /** The inverse of `documentUri`; `undefined` for a URI that is not one of ours. */
  resourceOf(documentUri: vscode.Uri): { readonly serverId: string; readonly uri: string } | undefined;
  /**
   * Attaches documents to the editor's chat. Reads them first: that connects when needed, and may ask the person as
   * `connect` does, or for what a server wants to know. As the commands do, it asks about what is meant for the user and
   * not for a model, about many, and about much for a chat: it resolves once all is answered. What the person leaves out
   * is in `unconfirmed`.
   */
  attach(documentUris: readonly vscode.Uri[]): Promise<AttachResult>;
  readonly onDidChangeServers: vscode.Event<void>;
  /** Fires with the id of the server whose resources or templates changed. */
  readonly onDidChangeResources: vscode.Event<string>;
  /** Fires with the document whose contents changed. */
  readonly onDidChangeContent: vscode.Event<vscode.Uri>;
}
