import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fixtureLaunch } from '../server/fixtureClient';
import { isAlive } from '../server/fixtureFolder';
import { testRoot } from '../server/testRoot';
import { until } from '../until';
import { stdio } from './core';
import type { FaultySide, FaultySideOptions } from './faultySide';

/** A server that the client starts through a proxy, both of them processes. */
export function faultyStdio({ era, seed, plan, texts: first }: FaultySideOptions): FaultySide {
  const texts = new Map(first);
  const fixture = fixtureLaunch({ era });
  const { control } = fixture;
  const folder = join(fixture.folder, 'proxy');
  mkdirSync(folder);

  const writeScenario = (): void => {
    const file = join(fixture.folder, 'scenario');
    const resources = [...texts].map(([uri, text]) => ({ uri, text }));
    writeFileSync(`${file}.part`, JSON.stringify({ resources }));
    renameSync(`${file}.part`, file);
  };
  const alive = async (): Promise<number[]> =>
    (await control.processes()).filter((process) => process.alive).map(({ pid }) => pid);
  const proxies = (): number[] => {
    const file = join(folder, 'pids');
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number) : [];
  };

  writeScenario();
  const program = join(testRoot(), 'dist-test', 'server', 'faultProxy.js');
  const own = ['--seed', String(seed), '--plan', JSON.stringify(plan), '--folder', folder];
  return {
    launch: stdio({ ...fixture, args: [program, ...own, '--', fixture.command, ...fixture.args] }),
    async change(uri, text) {
      texts.set(uri, text);
      writeScenario();
      if ((await alive()).length === 0) return false;
      // It may have just ended.
      return control.set(uri, text).then(
        () => true,
        () => false,
      );
    },
    async clear() {
      writeFileSync(join(folder, 'clear'), '');
      await until('every proxy is clear', () =>
        proxies().every((pid) => !isAlive(pid) || existsSync(join(folder, `clear-${pid}`))),
      );
    },
    life: async () => (await alive()).join(),
    subscriptions: () => control.subscriptions(),
    left: async () => [
      ...proxies()
        .filter((pid) => isAlive(pid))
        .map((pid) => `proxy ${pid}`),
      ...(await alive()).map((pid) => `server ${pid}`),
    ],
    dispose: () => fixture.dispose(),
  };
}
