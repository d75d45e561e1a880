/** Pauses of the store, all in milliseconds; tests inject shorter ones. */
export interface StoreTimes {
  /** How long the calls of one opening share one answer. */
  readonly openingMs: number;
  /** How long a read waits for its subscription to be answered, so that no update falls between the two. */
  readonly settleMs: number;
  /** The same where nobody waits for the read and nobody looks at the resource. */
  readonly settleHiddenMs: number;
  /** At least this long from a read of a resource to the next one that nobody waits for. */
  readonly betweenReadsMs: number;
  /** The same while many resources change faster than they are read: the editor has all of them to show. */
  readonly betweenManyReadsMs: number;
  /** The same for those that nobody looks at: what is in view comes first. */
  readonly betweenHiddenReadsMs: number;
  /** Answers overtaken by updates are thrown away for this long, then shown all the same and read again. */
  readonly discardForMs: number;
  /** Before each further attempt at a resource that the server cannot read just now. */
  readonly retryPausesMs: readonly number[];
}
