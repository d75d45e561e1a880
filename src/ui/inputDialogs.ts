import type { InputAnswer, InputHandler, InputRequest } from '../connection/inputRequest';
import { askForm } from './formDialog';
import { openAddress } from './openAddress';
import { askVisit } from './visitDialog';

/** Asks the person in front of the editor what servers want to know: one question after the other. */
export class InputDialogs implements InputHandler {
  private last: Promise<unknown> = Promise.resolve();

  ask(request: InputRequest, signal: AbortSignal): Promise<InputAnswer> {
    const turn = this.last.then((): InputAnswer | Promise<InputAnswer> => {
      if (signal.aborted) {
        return { action: 'cancel' };
      }
      return request.kind === 'form' ? askForm(request, signal) : askVisit(request, openAddress, signal);
    });
    this.last = turn.catch(() => undefined);
    return turn;
  }
}
