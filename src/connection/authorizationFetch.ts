import { HumanError } from '../base/errors';
import { boundedFetch } from './boundedFetch';
import { deepestMessage } from './sdkFailure';

const TIMEOUT_MS = 20_000;
/** What says where one signs in, or holds a token, is some kilobytes long. */
const LONGEST_BYTES = 1024 * 1024;

/**
 * The `fetch` for authorization servers and their metadata. Nothing of the server's own headers is sent along. What a
 * server names must be https; a plain address of this machine is for servers that run on this machine themselves.
 */
export function authorizationFetch(
  serverUrl: string,
  signal?: AbortSignal,
): (input: string | URL, init?: RequestInit) => Promise<Response> {
  const bounded = boundedFetch(fetch, LONGEST_BYTES);
  return async (input, init) => {
    const url = secureAddress(serverUrl, input);
    const limits = [
      AbortSignal.timeout(TIMEOUT_MS),
      ...(signal ? [signal] : []),
      ...(init?.signal ? [init.signal] : []),
    ];
    try {
      return await bounded(url, { ...init, signal: AbortSignal.any(limits) });
    } catch (error) {
      if (signal?.aborted) {
        throw error;
      }
      throw new HumanError(`Nothing answers at ${url.origin}, where one signs in (${deepestMessage(error)}).`, {
        cause: error,
      });
    }
  };
}

/** An address that a server names for signing in. Throws a HumanError unless it may be asked, or opened. */
export function secureAddress(serverUrl: string, address: string | URL): URL {
  const url = new URL(address);
  const serverIsLocal = isLoopback(new URL(serverUrl));
  const plain = url.protocol === 'http:' && serverIsLocal && isLoopback(url);
  const secure = url.protocol === 'https:' && (serverIsLocal || !isLoopback(url));
  if (!(plain || secure) || url.username || url.password) {
    throw new HumanError(
      `The server names an address for signing in that is not secure: ${url.protocol}//${url.host}.`,
    );
  }
  return url;
}

/** Whether an address means this machine. */
function isLoopback({ hostname }: URL): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}
