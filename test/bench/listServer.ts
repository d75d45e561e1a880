// A server that lists and does nothing else: every page is a string that was made before the first request.
//   node dist-test/bench/listServer.js --count N --page N [--log FILE]
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { listedLabel } from './listCases';

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly cursor?: string; readonly protocolVersion?: string };
}

function main(): void {
  const { values } = parseArgs({
    options: { count: { type: 'string' }, page: { type: 'string' }, log: { type: 'string' } },
  });
  const pages = pagesOf(Number(values.count), Number(values.page));
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    const { id, method, params } = JSON.parse(line) as Message;
    if (id === undefined) return;
    if (method === 'resources/list' && values.log !== undefined) appendFileSync(values.log, '.');
    const answer = answerTo(method, params, pages);
    process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${answer}}\n`);
  });
  lines.on('close', () => process.exit());
}

/** The member `result` or `error` of an answer, as JSON. Legacy era only: VS Code's own client knows no other. */
function answerTo(method: string | undefined, params: Message['params'], pages: readonly string[]): string {
  switch (method) {
    case 'initialize':
      return `"result":${JSON.stringify({
        protocolVersion: params?.protocolVersion,
        capabilities: { resources: {} },
        serverInfo: { name: 'lists', version: '1.0.0' },
      })}`;
    case 'ping':
      return '"result":{}';
    case 'resources/list':
      return `"result":${pages[Number(params?.cursor ?? 0)]}`;
    case 'resources/templates/list':
      return '"result":{"resourceTemplates":[]}';
    default:
      return '"error":{"code":-32601,"message":"Method not found"}';
  }
}

/** The results, as JSON. Cursors are the numbers of the pages. */
function pagesOf(count: number, perPage: number): string[] {
  const total = Math.ceil(count / perPage);
  return Array.from({ length: total }, (_, page) => {
    const first = page * perPage;
    const resources = Array.from({ length: Math.min(perPage, count - first) }, (_, index) => resourceAt(first + index));
    return JSON.stringify({ resources, ...(page + 1 < total && { nextCursor: String(page + 1) }) });
  });
}

/** As servers describe their resources: some fields more than the least. */
function resourceAt(index: number): object {
  return {
    uri: `bench://shelf-${index % 50}/folder-${index % 7}/book-${index}.txt`,
    name: listedLabel(index),
    description: `What is known of book ${index}, in a line of ordinary length`,
    mimeType: 'text/plain',
    size: 1000 + index,
    annotations: { audience: ['user'], priority: (index % 10) / 10 },
  };
}

main();
