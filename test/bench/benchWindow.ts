import { writeFileSync } from 'node:fs';

/** Does the work of a bench inside the extension host and hands its result, or its failure, to `benchHost.mjs`. */
export async function report(work: () => Promise<object>): Promise<void> {
  const result = await work().catch((error: unknown) => ({
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  }));
  writeFileSync(environment('RESULT'), JSON.stringify(result));
}

/** What `benchHost.mjs` and its caller tell a window. */
export function environment(name: string): string {
  const value = process.env[`MCP_RESOURCES_BENCH_${name}`];
  if (value === undefined) throw new Error(`MCP_RESOURCES_BENCH_${name} is not set: start this by npm run bench.`);
  return value;
}
