import { CancelledError, messageOf } from '../base/errors';
import type { Folder } from '../config/locations';
import { quoted } from '../config/launchEntry';
import type { InputDefinition, ServerDefinition } from '../config/serverDefinition';
import { type VariableContext, variablesOf, type VariableValue } from '../config/variables';
import type { SecretStore } from './credentialVault';
import { InputNeeded } from './inputNeeded';
import { limited } from './limited';
import { keyOfInput, StoredInputs } from './storedInputs';
import { type StartedBy, whileAsking } from './startedBy';

/** A question to the person in front of the editor. */
export interface VariableQuestion {
  readonly serverId: string;
  /** Where the server is configured, in words. */
  readonly place: string;
}

type AskedInput = Exclude<InputDefinition, { type: 'command' }>;

/** What variables need of the editor and of the person in front of it. */
export interface VariableHost {
  readonly store: SecretStore;
  folders(): readonly Folder[];
  /** A setting as text; `undefined` where it is not set or is no text, number or truth value. */
  setting(name: string, folder: Folder | undefined): string | undefined;
  /** `undefined`: given up. */
  ask(question: VariableQuestion & { readonly input: AskedInput }, signal: AbortSignal): Promise<string | undefined>;
  mayRun(question: VariableQuestion & { readonly command: string }, signal: AbortSignal): Promise<boolean>;
  run(command: string, args: unknown): Promise<unknown>;
}

/** What the variables of one launch stand for now, and which values were typed as passwords. */
export type LaunchValues = Required<Pick<VariableContext, 'folders' | 'values'>> & {
  readonly passwords: readonly string[];
};

/**
 * Finds what variables stand for that take the editor or a person: settings, commands, inputs. Questions come one after
 * the other, and only where a person started the server; else `InputNeeded` is what waits for them.
 */
export class LaunchVariables {
  private readonly stored: StoredInputs;
  /** What commands gave last: in the background none is run, since it may ask. */
  private readonly results = new Map<string, string>();
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly host: VariableHost) {
    this.stored = new StoredInputs(host.store);
  }

  /** Rejects with `InputNeeded`, or `CancelledError` once the signal aborts. */
  of(definition: ServerDefinition, by: StartedBy): Promise<LaunchValues> {
    if (by.initiative === 'background') {
      return this.find(definition, by);
    }
    const turn = this.last.then(() => this.find(definition, by));
    this.last = turn.catch(() => undefined);
    return turn;
  }

  /** Forgets what was said and allowed; resolves with how many values and permissions it was. */
  forget(): Promise<number> {
    this.results.clear();
    return this.stored.forget();
  }

  private async find(definition: ServerDefinition, by: StartedBy): Promise<LaunchValues> {
    const values = new Map<string, VariableValue>();
    const passwords: string[] = [];
    for (const variable of definition.launch ? variablesOf(definition.launch) : []) {
      const [, kind, name = ''] = /^(config|command|input):(.*)$/s.exec(variable) ?? [];
      const input = kind === 'input' ? definition.inputs?.find(({ id }) => id === name) : undefined;
      if (kind === 'config') {
        values.set(variable, this.setting(name, definition));
      } else if (kind === 'command') {
        values.set(variable, await this.commandValue(definition, name, undefined, by));
      } else if (input?.type === 'command') {
        values.set(variable, await this.commandValue(definition, input.command, input.args, by));
      } else if (input) {
        const value = await this.inputValue(definition, input, by);
        values.set(variable, { value });
        passwords.push(...(input.type === 'promptString' && input.password ? [value] : []));
      } else if (kind === 'input') {
        values.set(variable, { lack: noInputWords(definition) });
      }
    }
    return { values, passwords, folders: this.host.folders() };
  }

  private setting(name: string, { source }: ServerDefinition): VariableValue {
    const value = this.host.setting(name, source.folder);
    return value === undefined ? { lack: `the setting ${quoted(name)} is not set to a text or number` } : { value };
  }

  private async inputValue(definition: ServerDefinition, input: AskedInput, by: StartedBy): Promise<string> {
    const key = keyOfInput('input', placeOf(definition), input.id);
    const known = await this.stored.get(key);
    // A choice that is no longer offered is asked for again.
    if (known !== undefined && (input.type !== 'pickString' || input.options.some(({ value }) => value === known))) {
      return known;
    }
    if (by.initiative === 'background') {
      throw new InputNeeded(quoted(input.description ?? input.id));
    }
    giveUpIfAborted(by);
    const value = await whileAsking(by, () => this.host.ask({ ...questionOf(definition), input }, by.signal));
    giveUpIfAborted(by);
    if (value === undefined) {
      throw new InputNeeded(`${quoted(input.description ?? input.id)} was not given`);
    }
    await this.stored.set(key, value);
    return value;
  }

  /** A permission counts for one command of one definition: a definition that changes is asked about anew. */
  private async commandValue(
    definition: ServerDefinition,
    command: string,
    args: unknown,
    by: StartedBy,
  ): Promise<VariableValue> {
    const { name, launch, inputs } = definition;
    const key = keyOfInput('command', placeOf(definition), name, launch, inputs, command);
    if (by.initiative === 'background') {
      const value = this.results.get(key);
      if (value === undefined) {
        throw new InputNeeded(`the command ${quoted(command)} waits for you to start the server`);
      }
      return { value };
    }
    if ((await this.stored.get(key)) === undefined) {
      giveUpIfAborted(by);
      const allowed = await whileAsking(by, () => this.host.mayRun({ ...questionOf(definition), command }, by.signal));
      giveUpIfAborted(by);
      if (!allowed) {
        throw new InputNeeded(`the command ${quoted(command)} was not allowed to run`);
      }
      await this.stored.set(key, 'allowed');
    }
    try {
      // A command may never end; its server does, and others have their turn.
      const value = await limited(this.host.run(command, args), by.signal);
      giveUpIfAborted(by);
      if (typeof value !== 'string') {
        return { lack: `the command ${quoted(command)} gave no text` };
      }
      this.results.set(key, value);
      return { value };
    } catch (error) {
      giveUpIfAborted(by);
      return { lack: `the command ${quoted(command)} failed: ${messageOf(error)}` };
    }
  }
}

function giveUpIfAborted({ signal }: StartedBy): void {
  if (signal.aborted) {
    throw new CancelledError();
  }
}

function noInputWords({ source }: ServerDefinition): string {
  return source.kind === 'setting'
    ? 'a setting has no "inputs". Configure the server in an mcp.json'
    : `"inputs" of ${source.label} describes none with this id`;
}

function placeOf({ source }: ServerDefinition): string {
  return source.file ?? source.label;
}

function questionOf({ id, source }: ServerDefinition): VariableQuestion {
  return { serverId: id, place: source.label };
}
