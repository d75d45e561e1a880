import { HumanError } from '../base/errors';
import { deepestMessage } from './sdkFailure';

const TIMEOUT_MS = 20_000;

/**
 * The `fetch` for authorization servers and their metadata. Nothing of the server's own headers is sent along. What a
 * server names must be https; a plain address of this machine is for servers that run on this machine themselves.
 */
export function authorizationFetch(
  serverUrl: string,
  signal?: AbortSignal,
): (input: string | URL, init?: RequestInit) => Promise<Response> {
  const serverIsLocal = isLoopback(new URL(serverUrl));
  return async (input, init) => {
    const url = new URL(input);
    const allowed = url.protocol === 'https:' ? serverIsLocal || !isLoopback(url) : serverIsLocal && isLoopback(url);
    if (!allowed || url.username || url.password) {
      throw new HumanError(`The server names an address for signing in that is not secure: ${url.origin}.`);
    }
    const limits = [
      AbortSignal.timeout(TIMEOUT_MS),
      ...(signal ? [signal] : []),
      ...(init?.signal ? [init.signal] : []),
    ];
    try {
      return await fetch(url, { ...init, signal: AbortSignal.any(limits) });
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

/** Whether an address means this machine. */
export function isLoopback({ hostname }: URL): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}
