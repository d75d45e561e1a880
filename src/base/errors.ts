/** An error whose message may be shown to a person as it is; anything else is a bug and is logged with its stack. */
export class HumanError extends Error {
  override readonly name: string = 'HumanError';
}

/** The work was given up because somebody asked for it. Never shown. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError';

  constructor(message = 'Cancelled') {
    super(message);
  }
}

/** The message of anything that was thrown, in one line of text. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) {
    return error.message || error.name;
  }
  return typeof error === 'string' ? error : (JSON.stringify(error) ?? String(error));
}
