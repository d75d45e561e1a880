import { FaultHttpProxy } from '../server/faultHttpProxy';
import { startFixture } from '../server/fixtureClient';
import { until } from '../until';
import { http } from './core';
import type { FaultySide, FaultySideOptions } from './faultySide';

/** A server behind Streamable HTTP. What the plan calls the end of the server is a restart that forgets every session. */
export async function faultyHttp({ era, seed, plan, texts }: FaultySideOptions): Promise<FaultySide> {
  const resources = [...texts].map(([uri, text]) => ({ uri, text }));
  const fixture = await startFixture({ era, scenario: { resources } });
  let restarts = 0;
  let restarting = Promise.resolve();
  const proxy = new FaultHttpProxy({
    plan,
    seed,
    target: () => fixture.url,
    restart: () => {
      restarts += 1;
      restarting = restarting.then(() => fixture.restart());
    },
  });
  const url = await proxy.start();
  return {
    launch: http(url),
    change: (uri, text) => fixture.set(uri, text).then(() => true),
    async clear() {
      proxy.makeClear();
      await restarting;
    },
    life: () => Promise.resolve(`after ${restarts} restarts`),
    subscriptions: () => fixture.subscriptions(),
    async left() {
      // The client lets go of a request by breaking its connection: that has to get here.
      await until('no request is open', () => proxy.open.length === 0, 1000).catch(() => undefined);
      return proxy.open;
    },
    async dispose() {
      await proxy.stop();
      await restarting;
      await fixture.stop();
    },
  };
}
