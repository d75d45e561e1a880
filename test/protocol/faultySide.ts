// The far side of a fault test: a real server, and between it and the client a proxy that follows a plan.
import type { Launch } from '../../src/config/serverDefinition';
import type { FixtureEra } from '../server/fixtureClient';
import type { FaultPlan } from '../server/faultProxyPlan';

export interface FaultySide {
  readonly launch: Launch;
  /** Makes a resource say this from now on, after a restart too; false where no living server has it yet. */
  change(uri: string, text: string): Promise<boolean>;
  /** From here on nothing goes astray. */
  clear(): Promise<void>;
  /** Which server lives: another word after each restart; empty when none does. */
  life(): Promise<string>;
  /** How many subscriptions to resources are in force. */
  subscriptions(): Promise<number>;
  /** What is left of connections and processes, in words. */
  left(): Promise<string[]>;
  dispose(): Promise<void>;
}

export interface FaultySideOptions {
  readonly era: FixtureEra;
  readonly seed: number;
  readonly plan: FaultPlan;
  /** What the resources say at first, by their URIs. */
  readonly texts: ReadonlyMap<string, string>;
}
