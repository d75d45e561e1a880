import type { HttpLaunch } from '../../src/config/serverDefinition';
import { SignInNeeded, type SignInReason } from '../../src/connection/signInNeeded';
import { type AuthOptions, AuthServer } from '../server/authServer';
import { type FixtureEra, type HttpFixture, startFixture } from '../server/fixtureClient';
import { type Core, startCore } from './core';
import { MemoryStore, Person } from './signInPerson';

/** An authorization server, MCP servers behind it, the core, and a person. */
export class SignInWorld {
  readonly store = new MemoryStore();
  person = new Person(this.store);
  readonly fixtures: HttpFixture[] = [];
  /** Why nothing may start. */
  refusal: string | undefined;
  /** Keeps each message of the wire in the log. */
  traces = false;

  private constructor(
    readonly auth: AuthServer,
    private core: Core | undefined,
  ) {}

  static async make(options: AuthOptions = {}): Promise<SignInWorld> {
    return new SignInWorld(await AuthServer.start(options), undefined);
  }

  /** Starts a server behind the authorization server. */
  async protect(era: FixtureEra = 'modern', transport: 'http' | 'sse' = 'http'): Promise<HttpFixture> {
    const scenario = { resources: [{ uri: 'a://x', text: 'x' }] };
    const fixture = await startFixture({ era, transport, scenario, guard: this.auth.guard });
    this.fixtures.push(fixture);
    return fixture;
  }

  /** Configures the servers `one`, `two`, …, in a window of their own: what was stored before is there. */
  async configure(...fixtures: (HttpFixture | HttpLaunch)[]): Promise<Core> {
    await this.core?.end();
    const names = ['one', 'two'];
    const launches = fixtures.map((each, index): [string, HttpLaunch] => [
      names[index]!,
      'headers' in each ? each : { type: 'http', url: each.url, headers: {} },
    ]);
    this.core = startCore(Object.fromEntries(launches), {
      signIn: this.person,
      refusal: () => this.refusal,
      traces: this.traces,
    });
    return this.core;
  }

  connection(id = 'one') {
    return this.core!.connection(id);
  }

  /** Why the server is in need of a sign-in; `undefined` when it is not in that state. */
  reason(id = 'one'): SignInReason | undefined {
    const { state } = this.connection(id);
    return state.kind === 'failed' && state.error instanceof SignInNeeded ? state.error.reason : undefined;
  }

  async read(initiative: 'person' | 'background' = 'person', id = 'one'): Promise<string> {
    const answer = await this.connection(id).read('a://x', { initiative });
    return answer.contents[0]?.text ?? '';
  }

  async end(): Promise<void> {
    await this.core?.end();
    for (const fixture of this.fixtures) {
      await fixture.stop();
    }
    await this.auth.stop();
  }
}
