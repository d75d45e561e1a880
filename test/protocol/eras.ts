import type { Launch } from '../../src/config/serverDefinition';
import { type Control, fixtureLaunch, type FixtureEra, type Scenario, startFixture } from '../server/fixtureClient';
import { http, stdio } from './core';

/** A fixture server of one era over one transport, ready to be configured. */
export interface Fixture {
  readonly launch: Launch;
  readonly control: Control;
  dispose(): Promise<void>;
}

export interface Way {
  readonly name: string;
  readonly era: FixtureEra;
  start(scenario: Scenario): Promise<Fixture>;
}

function overStdio(era: FixtureEra): Way {
  return {
    name: `${era}, stdio`,
    era,
    start: async (scenario) => {
      const fixture = fixtureLaunch({ era, scenario });
      return Promise.resolve({ launch: stdio(fixture), control: fixture.control, dispose: () => fixture.dispose() });
    },
  };
}

function overHttp(era: FixtureEra): Way {
  return {
    name: `${era}, HTTP`,
    era,
    start: async (scenario) => {
      const fixture = await startFixture({ era, scenario });
      return { launch: http(fixture.url), control: fixture, dispose: () => fixture.stop() };
    },
  };
}

/** Both eras over both transports. */
export const ways: readonly Way[] = [overStdio('legacy'), overStdio('modern'), overHttp('legacy'), overHttp('modern')];

/** SSE, for servers that predate Streamable HTTP: configured as `http`, found by the fallback. */
export const sseFallback: Way = {
  name: 'legacy, SSE by fallback',
  era: 'legacy',
  start: async (scenario) => {
    const fixture = await startFixture({ era: 'legacy', transport: 'sse', scenario });
    return { launch: http(fixture.url), control: fixture, dispose: () => fixture.stop() };
  },
};
