import { CancelledError } from '../base/errors';
import type { Memento } from '../base/memento';
import {
  changedParts,
  changedVariables,
  type DefinitionPrint,
  digest,
  type FileVariables,
  printOf,
  settingNamesOf,
  type UsedSettings,
} from '../config/definitionPrint';
import { isOfWorkspace, type ServerDefinition } from '../config/serverDefinition';
import { ConsentNeeded, type ConsentReason } from './consentNeeded';
import { type EnvironmentNames, namesIn } from './environmentNames';
import { type StartedBy, whileAsking } from './startedBy';

/** What a person is asked to say yes to. */
export interface ConsentRequest {
  readonly definition: ServerDefinition;
  readonly reason: ConsentReason;
  readonly settings: UsedSettings;
  /** Absent where there is no `envFile`. */
  readonly environment?: EnvironmentNames;
}

/** What consent needs of the editor and of the person in front of it. */
export interface ConsentHost {
  /** Neither a workspace nor its settings can write here. */
  readonly memory: Memento;
  /** What the settings that a definition names stand for now. */
  settings(names: readonly string[], definition: ServerDefinition): UsedSettings;
  /** What is in the `envFile` of a definition, by name; `undefined` where there is none. */
  environment(definition: ServerDefinition): Promise<EnvironmentNames | undefined>;
  /** Shows what would start. Anything but true is no. */
  ask(request: ConsentRequest, signal: AbortSignal): Promise<boolean>;
}

const KEY = 'consents';

/** `null`: a yes that was forgotten. Not to know it any more would make a changed server look like a new one. */
type Records = Readonly<Record<string, DefinitionPrint | null>>;

/**
 * Which definitions may start. One from a workspace may after a person saw it and said yes; one of the person's own may
 * at once, since the person wrote it. Either is remembered as it is written, for its place alone: one that is changed, or
 * another of the same name elsewhere, is asked about anew.
 */
export class Consent {
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly host: ConsentHost) {}

  /**
   * Resolves where the definition may start. Rejects with `ConsentNeeded`, or `CancelledError` once the signal aborts. `file`:
   * the variables of its `envFile` that it would be started with, where they are known already.
   */
  require(definition: ServerDefinition, by: StartedBy, file?: Readonly<Record<string, string>>): Promise<void> {
    if (by.initiative === 'background') {
      return this.decide(definition, by, file);
    }
    // One question after the other.
    const turn = this.last.then(() => this.decide(definition, by, file));
    this.last = turn.catch(() => undefined);
    return turn;
  }

  /** How many definitions may start without a question. */
  get count(): number {
    return Object.values(this.records).filter((record) => record !== null).length;
  }

  /** Forgets every yes: whatever has been started before is asked about before it starts the next time. */
  async reset(): Promise<void> {
    const forgotten = Object.keys(this.records).map((key) => [key, null] as const);
    await this.host.memory.update(KEY, Object.fromEntries(forgotten));
  }

  private get records(): Records {
    return Object(this.host.memory.get(KEY)) as Records;
  }

  private async decide(
    definition: ServerDefinition,
    by: StartedBy,
    file: Readonly<Record<string, string>> | undefined,
  ): Promise<void> {
    const { initiative, signal } = by;
    const { source } = definition;
    if (source.kind === 'sample') {
      return;
    }
    const settings = this.host.settings(settingNamesOf(definition), definition);
    const byWorkspace = isOfWorkspace(source) || Object.values(settings).some(({ ofWorkspace }) => ofWorkspace);
    const key = keyOf(definition, byWorkspace);
    const environment = file ? namesIn(file) : await this.host.environment(definition);
    const known = environment && 'names' in environment ? environment : undefined;
    const print = printOf(definition, settings, known);
    const { records } = this;
    const record = Object.hasOwn(records, key) ? records[key] : undefined;
    const isWritten = record?.exact === print.exact;
    // Where the file cannot be read, the start says so.
    if (isWritten && (known === undefined || record.parts.envNames === print.parts.envNames)) {
      return;
    }
    // What a person's own file says is new only where another file was seen before.
    const isFirstSight = isWritten && !byWorkspace && record.parts.envNames === undefined;
    if (!isFirstSight && (record !== undefined || byWorkspace)) {
      const reason = reasonOf(record, print, known);
      if (initiative === 'background') {
        throw new ConsentNeeded(reason, source.label);
      }
      giveUpIfAborted(signal);
      const allowed = await whileAsking(by, () => this.host.ask({ definition, reason, settings, environment }, signal));
      giveUpIfAborted(signal);
      if (!allowed) {
        throw new ConsentNeeded(reason, source.label);
      }
    }
    await this.host.memory.update(KEY, { ...this.records, [key]: print });
  }
}

function reasonOf(
  record: DefinitionPrint | null | undefined,
  print: DefinitionPrint,
  file: FileVariables | undefined,
): ConsentReason {
  return record
    ? { kind: 'changed', parts: changedParts(record, print), variables: file && changedVariables(record, file) }
    : { kind: record === null ? 'forgotten' : 'new' };
}

/** A name for a server in its place. Where a workspace has a say, its folder belongs to it. */
function keyOf({ name, source }: ServerDefinition, byWorkspace: boolean): string {
  const folder = byWorkspace ? source.folder?.path : undefined;
  return digest([name, source.kind, source.file ?? source.label, folder ?? null]).slice(0, 32);
}

function giveUpIfAborted(signal: AbortSignal): void {
  if (signal.aborted) {
    throw new CancelledError();
  }
}
