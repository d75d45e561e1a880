// JSON-RPC as it really arrives: nothing is checked beyond its outline, since clients and scenarios may be odd.
import type { Json, JsonObject, RpcError } from './scenario';

export type RequestId = string | number;

export interface Incoming extends JsonObject {
  id?: RequestId;
  method?: string;
  params?: JsonObject;
}

export const MODERN_VERSION = '2026-07-28';
export const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

const META = 'io.modelcontextprotocol/';
export const VERSION_KEY = `${META}protocolVersion`;
export const SUBSCRIPTION_KEY = `${META}subscriptionId`;
export const SERVER_INFO_KEY = `${META}serverInfo`;
export const ENVELOPE_KEYS = [VERSION_KEY, `${META}clientInfo`, `${META}clientCapabilities`];

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The string, or an empty one where something else came. */
export function stringOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** The protocol version in the request's `_meta` envelope: what makes it a message of the modern era. */
export function envelopeVersion(message: Incoming): string | undefined {
  const meta = message.params?._meta;
  const version = isObject(meta) ? meta[VERSION_KEY] : undefined;
  return typeof version === 'string' ? version : undefined;
}

/** Thrown by a handler; becomes the JSON-RPC error of its request. */
export class RpcFailure extends Error {
  constructor(
    readonly error: RpcError,
    /** HTTP status where the error is the protocol's own, not a handler's. */
    readonly httpStatus = 200,
  ) {
    super(error.message);
  }
}

export function unsupportedVersion(requested: string | undefined): RpcFailure {
  const data: JsonObject = { supported: [MODERN_VERSION], ...(requested === undefined ? {} : { requested }) };
  return new RpcFailure({ code: -32022, message: 'Unsupported protocol version', data }, 400);
}

export function methodNotFound(method: string): RpcFailure {
  return new RpcFailure({ code: -32601, message: `Method not found: ${method}` }, 404);
}
