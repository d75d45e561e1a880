/** What a caller says of tokens. `vscode.LanguageModelToolTokenizationOptions` fits it. */
export interface TokenBudget {
  readonly tokenBudget: number;
  countTokens(text: string): PromiseLike<number>;
}

/** Text of four characters for a token is usual; more is asked for first, and cut where it is too much. */
const CHARACTERS_PER_TOKEN = 5;
const ATTEMPTS = 5;

/**
 * Makes a text within a budget: `make` is given smaller limits until its text fits, or the limit is down to `least`.
 * Without a budget `most` is the limit.
 */
export async function withinBudget<T>(
  make: (limit: number) => T,
  textOf: (made: T) => string,
  { most, least, budget }: { most: number; least: number; budget: TokenBudget | undefined },
): Promise<T> {
  if (!budget || !(budget.tokenBudget > 0)) {
    return make(most);
  }
  let limit = Math.max(least, Math.min(most, Math.floor(budget.tokenBudget * CHARACTERS_PER_TOKEN)));
  for (let attempt = 1; ; attempt += 1) {
    const made = make(limit);
    if (limit <= least || attempt === ATTEMPTS) {
      return made;
    }
    const tokens = await budget.countTokens(textOf(made));
    if (tokens <= budget.tokenBudget) {
      return made;
    }
    // The last attempt is made small enough for any text.
    const share = attempt === ATTEMPTS - 1 ? 0.2 : 0.9;
    limit = Math.max(least, Math.floor((limit * share * budget.tokenBudget) / tokens));
  }
}
