// What a fixture server offers and how it misbehaves: plain data, so that it can travel in a JSON file.
// (Only `contents` may also be a function, for servers that run inside the test's own process.)

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json | undefined;
}

/** Which protocol family the server speaks; `dual` decides message by message. */
export type FixtureEra = 'legacy' | 'modern' | 'dual';
export type FixtureTransport = 'stdio' | 'http' | 'sse';

export interface RpcError {
  code: number;
  message: string;
  data?: Json;
}

/**
 * One item of a read result. Without `uri` it gets the resource's, without `mimeType` the resource's `readMimeType` or
 * `mimeType`. `bytes` makes that many pseudo-random bytes (`fixtureBytes`), `repeat` repeats the text,
 * `{ raw }` is sent exactly as it is: null, a number, an object without `uri`, …
 */
export interface ContentPart {
  uri?: string;
  mimeType?: string;
  text?: string;
  repeat?: number;
  blob?: string;
  bytes?: number;
  _meta?: JsonObject;
}
export interface RawPart {
  raw: Json;
}
export type Contents = readonly (ContentPart | RawPart)[];

export interface ResourceSpec {
  uri: string;
  /** Default: the URI's last part. */
  name?: string;
  title?: string;
  description?: string;
  mimeType?: string;
  size?: number;
  annotations?: JsonObject;
  /** Further fields of the list entry. */
  extra?: JsonObject;
  /** Sent in the list in place of the whole entry: for entries that break the rules. */
  entry?: Json;
  /** False: can be read but is not listed. */
  listed?: boolean;
  /** Short for a single textual part. */
  text?: string;
  contents?: Contents | ((reading: number) => Contents);
  /** MIME type of the parts where it differs from the list's; null: none. */
  readMimeType?: string | null;
  /** `{reads}` in texts becomes the number of the read. */
  countReads?: boolean;
  /** Every read fails with this. */
  error?: RpcError;
  /** Milliseconds before a read is answered. */
  delay?: number;
  /** Reports of `notifications/progress`, spread over `delay`, to those who sent a token. */
  progress?: readonly JsonObject[];
  /** Reads are never answered. */
  never?: boolean;
  input?: InputSpec;
  /** False: `resources/subscribe` is refused, `subscriptions/listen` does not acknowledge it. */
  subscribable?: boolean;
  ttlMs?: number;
}

/**
 * Input that a read asks for before it answers: by `input_required` (modern), `elicitation/create` or -32042 (legacy).
 * `{input}` in the texts becomes the JSON of all answers.
 */
export interface InputSpec {
  /** Parameters of `elicitation/create`, asked one after the other. */
  requests: readonly JsonObject[];
  /** Modern: all in one result. */
  together?: boolean;
  /** Legacy: every first read of a client fails with -32042 and these requests. */
  byError?: boolean;
  /** The last one is asked for ever. */
  endless?: boolean;
  /** The text where a request was declined or cancelled; absent: an error that says so. */
  refused?: string;
}

/** Fixed suggestions, or suggestions that depend on an argument chosen before. Filtered by prefix, cut at 100. */
export type CompletionSpec = readonly string[] | { dependsOn: string; values: Record<string, readonly string[]> };

export interface TemplateSpec {
  uriTemplate: string;
  name?: string;
  title?: string;
  description?: string;
  mimeType?: string;
  annotations?: JsonObject;
  extra?: JsonObject;
  entry?: Json;
  /** Text of every URI that fits the template; `{uri}` becomes the URI asked for. Absent: such reads are "not found". */
  text?: string;
  completions?: Record<string, CompletionSpec>;
}

/** What happens to requests of one method (or `*`: of every method without an entry of its own). */
export interface Fault {
  error?: RpcError;
  /** Replaces the result; the fields that the modern era demands are added where absent. */
  result?: JsonObject;
  /** Stands for result and error, exactly as it is: for answers that are no answers. */
  raw?: JsonObject;
  /** Milliseconds before the answer. */
  delay?: number;
  /** No answer ever comes. */
  never?: boolean;
  /** HTTP only: this status and no JSON-RPC answer. */
  httpStatus?: number;
  /** Only the first so many requests are hit. */
  times?: number;
}

export interface StdioHabits {
  ignoreEnd?: boolean;
  ignoreTerm?: boolean;
  /** Starts a process of its own that outlives it: in its process group, or detached from it. */
  grandchild?: 'attached' | 'detached';
  /** Lines that are no protocol, written to stdout before anything else. */
  noise?: readonly string[];
  stderr?: readonly string[];
  /** Leaves at once with this code. */
  exitAtStart?: number;
}

export interface HttpHabits {
  /** Legacy GET stream: `open` (default), `silent` (headers never come), or an HTTP status. */
  getStream?: 'open' | 'silent' | number;
  /** How a POST is answered; default `sse` in the legacy era, `json` in the modern one (as the SDKs do). */
  answers?: 'sse' | 'json';
  /** Legacy: sessions with `mcp-session-id` (default true). */
  sessions?: boolean;
  /** Every request must carry this header with this value, or is answered by the status (default 401). */
  requireHeader?: { name: string; value: string; status?: number; challenge?: string };
}

export interface Scenario {
  name?: string;
  title?: string;
  version?: string;
  instructions?: string;
  /** Legacy: always answer `initialize` with this version. */
  protocolVersion?: string;
  resources?: readonly ResourceSpec[];
  templates?: readonly TemplateSpec[];
  /** Entries per page of both lists; absent: one page. */
  pageSize?: number;
  /** Default: resources with subscribe and listChanged, completions if some template has them. `{}`: none at all. */
  capabilities?: JsonObject;
  methods?: Record<string, Fault>;
  /** Modern: freshness of lists and reads (default 0), per method or for all. */
  ttlMs?: number | Record<string, number>;
  cacheScope?: 'public' | 'private';
  /** Answer to a read of an unknown URI; default by era, as `protocol.md` has it. */
  notFound?: RpcError;
  /** What happens to `server/discover`; default `answer` (modern, dual) or `refuse` (legacy). */
  probe?: 'answer' | 'refuse' | 'exit' | 'ignore';
  /** Legacy: before a request of this method is answered, the client is asked something. */
  askAt?: Record<string, { method: string; params?: JsonObject }>;
  /** Each new subscription is answered by an update notification at once. */
  updateOnSubscribe?: boolean;
  /** Modern: each stream of updates ends right after its acknowledgement, with an answer or by a cancellation. */
  listenEnds?: 'answered' | 'cancelled';
  /** Each listing of resources says that the list has changed. */
  changeOnList?: boolean;
  stdio?: StdioHabits;
  http?: HttpHabits;
}
