import type { SignInNeeded } from './signInNeeded';
import type { PushState } from './streamWatch';

/** A resource as listed (specification: server/resources, Resource). `uri` is the server's own string, byte for byte. */
export interface ResourceEntry {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Bytes, as the server says. */
  readonly size?: number;
  readonly annotations?: Annotations;
  readonly icons?: readonly Icon[];
}

/** A picture of a server or a resource, as the server describes it (specification: basic, Icon). Not to be fetched. */
export interface Icon {
  readonly src: string;
  readonly mimeType?: string;
  /** `WxH` or `any`. */
  readonly sizes?: readonly string[];
  readonly theme?: 'light' | 'dark';
}

/** Hints of a server about a resource (specification: server/resources, Annotations). Bad values are left out. */
export interface Annotations {
  readonly audience?: readonly ('user' | 'assistant')[];
  /** 0 (least) … 1 (most important). */
  readonly priority?: number;
  /** ISO 8601. */
  readonly lastModified?: string;
}

/** A resource template as listed (specification: server/resources, ResourceTemplate; RFC 6570). */
export interface TemplateEntry {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly annotations?: Annotations;
  readonly icons?: readonly Icon[];
}

/** One page of a list. `nextCursor` is opaque and absent on the last page. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Entries that could not be understood, each as its place and the reason ("entry 3 is null"). */
  readonly failures?: readonly string[];
  readonly nextCursor?: string;
  /** Milliseconds for which the page is fresh; given by the modern era alone. */
  readonly ttlMs?: number;
}

/** One item of a read's answer. Text or base64 `blob`; its `uri` may differ from the one that was asked for. */
export interface ContentItem {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  /** Base64. */
  readonly blob?: string;
  /** Why the item could not be understood; it has neither text nor blob then. */
  readonly failure?: string;
}

/** The answer of `resources/read`. `ttlMs` (milliseconds) is given by the modern era alone. */
export interface ReadAnswer {
  readonly contents: readonly ContentItem[];
  readonly ttlMs?: number;
  /** A person was asked on the way: to be kept no longer than its open document (specification: basic/patterns/mrtr). */
  readonly withInput?: true;
}

/** What is asked for suggestions: the value so far of one variable of a template (specification: server/utilities/completion). */
export interface CompletionRequest {
  readonly uriTemplate: string;
  readonly argument: string;
  readonly value: string;
  /** Values of other variables that were chosen before, by name. */
  readonly context: Readonly<Record<string, string>>;
}

/** Suggestions, best first, at most 100. */
export interface Completion {
  readonly values: readonly string[];
  /** How many there are, sent or not, as the server says. */
  readonly total?: number;
  readonly hasMore: boolean;
}

/**
 * Who wants something of a server. A person may start anything and be asked for input; work in the background (a restored
 * tab, an expanded node) starts neither a server that was stopped nor one that has failed, and asks nobody.
 */
export type Initiative = 'person' | 'background';

/** How a resource is read. */
export interface ReadRequest {
  readonly initiative: Initiative;
  /** Hears in words how far the server is. */
  readonly onProgress?: (words: string) => void;
}

/** Protocol family: `legacy` opens with `initialize`, `modern` (2026-07-28 and later) with `server/discover`. */
export type Era = 'legacy' | 'modern';

/** What a live session is and may be asked for. */
export interface SessionInfo {
  readonly era: Era;
  readonly protocolVersion: string;
  readonly serverName?: string;
  readonly serverVersion?: string;
  readonly icons?: readonly Icon[];
  /** The `resources` capability; without it no `resources/*` request is sent at all. */
  readonly resources: boolean;
  readonly subscribe: boolean;
  readonly listChanged: boolean;
  readonly completions: boolean;
}

/** How a `subscriptions/listen` stream ended: by us, with an answer of the server, or without one. */
export type ListenEnd = 'local' | 'graceful' | 'remote';

/** A `subscriptions/listen` stream (modern era). */
export interface ListenStream {
  /** The URIs that the server agreed to. */
  readonly honored: ReadonlySet<string>;
  readonly ended: Promise<ListenEnd>;
  close(): Promise<void>;
}

/** Hears what a server says unasked. */
export interface SessionListener {
  onResourceUpdated(uri: string): void;
  onListChanged(): void;
  /** The server can tell us things now, or no longer can. */
  onPushChanged(): void;
  /** The connection ended without our doing; `reason` in words. */
  onClosed(reason: string): void;
  /** The server refuses what was signed in with, and nothing but a person helps. */
  onSignInNeeded(error: SignInNeeded): void;
}

/** A live session with one server. Requests reject with what the server or the transport said. */
export interface McpSession {
  readonly info: SessionInfo;
  /** Whether notifications can reach us. */
  readonly push: PushState;
  listResources(cursor: string | undefined, signal?: AbortSignal): Promise<Page<ResourceEntry>>;
  listTemplates(cursor: string | undefined, signal?: AbortSignal): Promise<Page<TemplateEntry>>;
  read(uri: string, how: ReadRequest, signal?: AbortSignal): Promise<ReadAnswer>;
  /** Only where `info.completions` says that the server knows the method. */
  complete(request: CompletionRequest, signal?: AbortSignal): Promise<Completion>;
  /** Legacy era only. */
  subscribe(uri: string): Promise<void>;
  /** Legacy era only. */
  unsubscribe(uri: string): Promise<void>;
  /** Modern era only. */
  listen(uris: readonly string[]): Promise<ListenStream>;
  close(): Promise<void>;
}
