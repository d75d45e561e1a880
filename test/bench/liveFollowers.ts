import * as vscode from 'vscode';
import type { BareFollower } from './liveBare';
import { now } from './clock';
import type { Lane } from './liveLanes';
import type { Source } from './liveSources';

/** What became of one update, or of a burst of them, of which the last one counts. */
export interface Update {
  readonly lane: string;
  readonly uri: string;
  readonly characters: number;
  /** Notifications that the server sent for it: one, unless nobody has subscribed. */
  readonly told: number;
  /** Milliseconds from the server's send to the text in the editor; null when it was not there in time. */
  readonly latency: number | null;
}

export interface UpdateOptions {
  /** Milliseconds until it counts as lost. */
  readonly limitMs: number;
  /** Milliseconds from one update of a burst to the next. */
  readonly everyMs?: number;
}

/** Calls back once, with the time, when the text is there; gives what stops the waiting. */
type Awaiting = (text: string, there: (at: number) => void) => () => void;

/** Somebody who follows one resource. */
export class Follower {
  private constructor(
    readonly lane: Lane,
    readonly uri: string,
    private readonly source: Source,
    private readonly awaiting: Awaiting,
  ) {}

  /** A document, open in an editor. */
  static document(lane: Lane, uri: string, source: Source, document: vscode.TextDocument): Follower {
    return new Follower(lane, uri, source, (text, there) => {
      const listener = vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document === document && document.getText() === text) there(now());
      });
      return () => {
        listener.dispose();
      };
    });
  }

  /** The SDK's client: there is what it has read. */
  static bare(lane: Lane, source: Source, bare: BareFollower): Follower {
    return new Follower(lane, bare.uri, source, (text, there) => {
      bare.listener = (read, at) => {
        if (read === text) there(at);
      };
      return () => {
        bare.listener = undefined;
      };
    });
  }

  /** Sends texts one after the other and waits until the last one is there. */
  async update(texts: readonly string[], { limitMs, everyMs = 0 }: UpdateOptions): Promise<Update> {
    const text = texts.at(-1) ?? '';
    const shown = new Promise<number | undefined>((resolve) => {
      const settle = (at: number | undefined): void => {
        stop();
        clearTimeout(timer);
        resolve(at);
      };
      const timer = setTimeout(() => settle(undefined), limitMs + texts.length * everyMs);
      const stop = this.awaiting(text, settle);
    });
    const { sentAt, told } = await this.source.send({ uri: this.uri, texts, everyMs });
    const at = await shown;
    const latency = at === undefined ? null : at - sentAt;
    return { lane: this.lane.name, uri: this.uri, characters: text.length, told, latency };
  }
}
