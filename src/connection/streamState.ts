import type { PushState, StreamListener } from './streamWatch';
import type { SessionListener } from './wire';

/** Why a session is over, in words. */
export const sessionLost = 'the server no longer knows the session';

/** What is known of a session's GET stream. */
export class StreamState implements StreamListener {
  state: PushState = 'waiting';

  constructor(private readonly listener: SessionListener) {}

  readonly onChange = (state: PushState): void => {
    if (this.state !== state) {
      this.state = state;
      this.listener.onPushChanged();
    }
  };

  readonly onSessionLost = (): void => this.listener.onClosed(sessionLost);
}
