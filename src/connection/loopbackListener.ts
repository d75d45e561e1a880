import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Disposable } from '../base/lifecycle';

const PAGE = `<!doctype html><meta charset="utf-8"><title>MCP Resources</title>
<p>You can close this page and go back to the editor.</p>`;
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'",
  'cache-control': 'no-store',
  connection: 'close',
};

/** Waits on this machine for a browser to come back from signing in (RFC 8252, section 7.3): one answer, then it closes. */
export class LoopbackListener implements Disposable {
  private accept: ((request: IncomingMessage) => boolean) | undefined;

  private constructor(private readonly server: Server) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const taken = this.accept?.(request) === true;
      response.writeHead(taken ? 200 : 404, HEADERS).end(taken ? PAGE : undefined, () => taken && this.dispose());
    });
  }

  /** Listens on the port if it is free, else on any. */
  static async start(port: number): Promise<LoopbackListener> {
    const server = createServer();
    await listen(server, port).catch((error: unknown) => {
      if (port === 0) {
        throw error;
      }
      return listen(server, 0);
    });
    return new LoopbackListener(server);
  }

  /** To return to, seen from this machine. */
  get address(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  /** The parameters of the first request that bears the state; others are answered with 404. Rejects with the signal's reason. */
  answer(state: string, signal: AbortSignal): Promise<URLSearchParams> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => reject(signal.reason as Error);
      if (signal.aborted) {
        onAbort();
      }
      signal.addEventListener('abort', onAbort, { once: true });
      this.accept = ({ method, url = '/' }) => {
        const base = 'http://127.0.0.1';
        // Whoever is on this machine can ask for what is no address, like `//`.
        const asked = URL.canParse(url, base) ? new URL(url, base) : undefined;
        const searchParams = asked?.pathname === '/' ? asked.searchParams : undefined;
        if (method !== 'GET' || searchParams?.get('state') !== state) {
          return false;
        }
        this.accept = undefined;
        signal.removeEventListener('abort', onAbort);
        resolve(searchParams);
        return true;
      };
    });
  }

  dispose(): void {
    this.accept = undefined;
    this.server.close();
    this.server.closeIdleConnections();
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}
