/** A `notifications/progress` as received (specification: basic/utilities/progress). */
export interface ProgressReport {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** A progress report in words: the server's message, and the share that is done where a total is known. */
export function progressWords({ progress, total, message }: ProgressReport): string {
  const known = total !== undefined && Number.isFinite(total) && total > 0 && Number.isFinite(progress);
  const share = known ? `${Math.round(Math.min(1, Math.max(0, progress / total)) * 100)} %` : undefined;
  if (!message) {
    return share ?? '';
  }
  return share ? `${message} (${share})` : message;
}
