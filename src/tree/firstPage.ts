import type { ServerCatalog } from '../catalog/serverCatalog';

/** How long the first page of a list is waited for before "Loading…" is said. Milliseconds. */
const FIRST_PAGE_MS = 100;

/** Often there at once: better than to say "Loading…" and to be asked again. */
export async function firstPage({ resources, onDidChange }: ServerCatalog): Promise<void> {
  const isAwaited = (): boolean => resources.state === 'loading' && resources.items.length === 0;
  if (isAwaited()) {
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        subscription.dispose();
        resolve();
      };
      const timer = setTimeout(done, FIRST_PAGE_MS);
      const subscription = onDidChange(() => isAwaited() || done());
    });
  }
}
