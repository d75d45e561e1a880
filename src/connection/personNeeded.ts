import { HumanError } from '../base/errors';

/** Only a person can make it go on, by one act. In the background it is a state, never a dialog. */
export abstract class PersonNeeded extends HumanError {}
