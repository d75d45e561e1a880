import { HumanError } from '../base/errors';

/** Somebody asks for a server that is in no configuration, perhaps no longer. */
export class NotConfigured extends HumanError {
  override readonly name = 'NotConfigured';

  constructor(serverId: string) {
    super(`No server named "${serverId}" is configured.`);
  }
}
