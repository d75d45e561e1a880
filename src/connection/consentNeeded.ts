import type { ChangedVariables, DefinitionPart } from '../config/definitionPrint';
import { PersonNeeded } from './personNeeded';

/** Why a person has to say yes: what is to start was never seen, is another than before, or all was forgotten. */
export type ConsentReason =
  | { readonly kind: 'new' | 'forgotten' }
  | {
      readonly kind: 'changed';
      readonly parts: readonly DefinitionPart[];
      /** Of the `envFile`, where it is known what was in it before. */
      readonly variables?: ChangedVariables;
    };

const words: Record<DefinitionPart, string> = {
  transport: 'the transport',
  command: 'the command',
  args: 'the arguments',
  cwd: 'the folder',
  env: 'the environment variables',
  envFile: 'the environment file',
  envNames: 'what the environment file sets',
  url: 'the address',
  headers: 'the headers',
  oauth: 'the client id',
  inputs: 'the inputs',
  settings: 'settings that it uses',
};

/** Parts of a definition in words: "the command, the arguments". */
export function partWords(parts: readonly DefinitionPart[]): string {
  return parts.map((part) => words[part]).join(', ') || 'how its file is read';
}

/** Nobody has said yes to what would start. In the background it is a state, never a dialog. */
export class ConsentNeeded extends PersonNeeded {
  override readonly name = 'ConsentNeeded';

  constructor(
    readonly reason: ConsentReason,
    /** Where the server is configured, in words. */
    place: string,
  ) {
    super(`Not allowed yet: ${sentence(reason, place)}.`);
  }
}

function sentence(reason: ConsentReason, place: string): string {
  switch (reason.kind) {
    case 'new':
      return `it comes from ${place}, and starts only after you said yes`;
    case 'changed':
      return `its configuration has changed (${partWords(reason.parts)})`;
    case 'forgotten':
      return 'trust was reset';
  }
}
