import type { InputAnswer, InputHandler, InputRequest } from '../../src/connection/inputRequest';

export type Script = InputAnswer | ((request: InputRequest, signal: AbortSignal) => Promise<InputAnswer>);

/** A person with answers prepared; whoever is asked more than that fails the test. */
export class ScriptedInput implements InputHandler {
  readonly asked: InputRequest[] = [];
  private readonly script: Script[];

  constructor(...script: Script[]) {
    this.script = script;
  }

  ask(request: InputRequest, signal: AbortSignal): Promise<InputAnswer> {
    this.asked.push(request);
    const next = this.script.shift();
    if (!next) {
      return Promise.reject(new Error(`Asked once too often: ${request.message}`));
    }
    return typeof next === 'function' ? next(request, signal) : Promise.resolve(next);
  }
}

/** Answers nothing until it is no longer asked. */
export const untilAborted: Script = (_request, signal) =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve({ action: 'cancel' }), { once: true }));

export const accept = (content?: Record<string, string | number | boolean>): InputAnswer => ({
  action: 'accept',
  ...(content ? { content } : {}),
});
