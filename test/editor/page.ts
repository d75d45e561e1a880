/** The functions of `test/host/workbench.mjs` that a test inside the extension host may need, by name. */
export interface Page {
  /** Calls `Workbench.<method>(...args)` in the process that holds the page and resolves with its result. */
  call<T = unknown>(method: string, ...args: readonly unknown[]): Promise<T>;
}

/** The page around this extension host; `undefined` on the desktop, where nothing drives the window. */
export const page: Page | undefined = driverOf(process.env.MCP_RESOURCES_TEST_PAGE);

function driverOf(url: string | undefined): Page | undefined {
  if (url === undefined) {
    return undefined;
  }
  return {
    async call<T>(method: string, ...args: readonly unknown[]): Promise<T> {
      const response = await fetch(url, { method: 'POST', body: JSON.stringify({ method, args }) });
      const answer = (await response.json()) as { value: T } | { error: string };
      if ('error' in answer) {
        throw new Error(answer.error);
      }
      return answer.value;
    },
  };
}
