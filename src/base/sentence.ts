/** A message as a part of a sentence that goes on: without the full stop at its end. An ellipsis stays. */
export function withoutStop(message: string): string {
  return message.replace(/(?<!\.)\.\s*$/u, '');
}
