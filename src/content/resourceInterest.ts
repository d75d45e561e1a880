import { type Disposable, DisposableSlot } from '../base/lifecycle';
import type { ServerConnection } from '../connection/serverConnection';

/** What a resource asks of its server's subscriptions: for those who hold it, and for the time of an opening. */
export class ResourceInterest implements Disposable {
  private boundTo: ServerConnection | undefined;
  private readonly held = new DisposableSlot();
  /** Until the document that is being opened holds the resource. */
  private readonly opening = new DisposableSlot();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly uri: string) {}

  /** For those who hold it; `undefined` where nobody does, or the server is not configured. */
  bind(connection: ServerConnection | undefined): void {
    if (connection !== this.boundTo) {
      this.boundTo = connection;
      this.held.value = connection?.subscriptions.acquire(this.uri);
    }
  }

  beginOpening(connection: ServerConnection): void {
    clearTimeout(this.timer);
    this.opening.value = connection.subscriptions.acquire(this.uri);
  }

  endOpening(): void {
    clearTimeout(this.timer);
    this.opening.value = undefined;
  }

  /** Ends the opening after `ms`, then tells. */
  endOpeningIn(ms: number, ended: () => void): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.endOpening();
      ended();
    }, ms);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.held.dispose();
    this.opening.dispose();
  }
}
