import { PersonNeeded } from './personNeeded';

/** The configuration leaves something open that a person has to say first: a value, or that a command may run. */
export class InputNeeded extends PersonNeeded {
  override readonly name = 'InputNeeded';

  constructor(what: string) {
    super(`Input needed: ${what}.`);
  }
}
