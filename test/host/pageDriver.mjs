// Lets tests inside the extension host act on the page around them: a loopback HTTP server that calls `Workbench` by name.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

/**
 * Takes `POST {"method": "clickRow", "args": ["Welcome"]}` and answers `{"value": …}` or `{"error": "…"}`.
 * @param {import('./workbench.mjs').Workbench} workbench
 * @returns {Promise<{ url: string, close(): void }>}
 */
export async function startPageDriver(workbench) {
  // Any page in the browser could send a request here; none can guess the path.
  const secret = `/${randomUUID()}`;
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST' || request.url !== secret) {
      response.writeHead(404).end();
      return;
    }
    const answer = await call(workbench, request).catch((error) => ({ error: error.message }));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}${secret}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * @param {import('./workbench.mjs').Workbench} workbench
 * @param {import('node:http').IncomingMessage} request
 */
async function call(workbench, request) {
  const chunks = [];
  for await (const chunk of request) {
    chunks.push(chunk);
  }
  const { method, args } = JSON.parse(Buffer.concat(chunks).toString());
  const target = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (workbench))[method];
  if (typeof target !== 'function') {
    throw new Error(`The workbench has no function ${method}.`);
  }
  return { value: await target.apply(workbench, args) };
}
