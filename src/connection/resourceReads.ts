import { setTimeout as pause } from 'node:timers/promises';
import { CancelledError } from '../base/errors';
import type { Root } from './connectionHost';
import { elicitationIdOf, inputRequestOf } from './elicitation';
import type { InputAnswer, InputHandler, InputRequest } from './inputRequest';
import { RequestError } from './requestFailure';
import { refusalOf } from './serverRequests';
import { TimeLimit } from './timeLimit';
import type { ReadAnswer, ReadRequest } from './wire';

/** The result of `roots/list` (specification: client/roots). */
interface RootsAnswer {
  readonly roots: readonly Root[];
}

/** Parameters of `resources/read`; the last two answer a result `input_required` (specification: basic/patterns/mrtr). */
export interface ReadParams {
  readonly uri: string;
  readonly inputResponses?: Readonly<Record<string, InputAnswer | RootsAnswer>>;
  readonly requestState?: string;
}

/** What one `resources/read` came to. */
export type ReadResult =
  | { readonly kind: 'complete'; readonly answer: ReadAnswer }
  /** Modern era: to be asked again with the answers. */
  | { readonly kind: 'inputRequired'; readonly requests: Readonly<Record<string, unknown>>; readonly state?: string }
  /** Error -32042 (2025-11-25): addresses to visit first, as parameters of `elicitation/create`. */
  | { readonly kind: 'visit'; readonly elicitations: readonly unknown[] };

export interface SendOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (words: string) => void;
}

/** Sends one `resources/read`. Rejects with a RequestError. */
export type SendRead = (params: ReadParams, options: SendOptions) => Promise<ReadResult>;

interface Surroundings {
  readonly serverId: string;
  readonly input: InputHandler;
  /** The folders that the server may know; `undefined` where they are not shared. */
  roots(): readonly Root[] | undefined;
  /** Milliseconds. */
  timeoutMs(): number;
  readonly send: SendRead;
}

const cancel: InputAnswer = { action: 'cancel' };
/** How often a read is sent again before its server is taken to ask for ever. */
const MAX_ROUNDS = 10;
/** Pause before a read is sent again that the server put off without asking anything. */
const PUT_OFF_MS = 250;

/** One read from its first request to its last answer. */
class ReadUnderWay {
  readonly limit: TimeLimit;
  /** A person was asked, so that the answer may hold what was said. */
  asked = false;
  /** The person gave the whole thing up. */
  cancelled = false;
  /** What the server asked without being answered; `certain` that it was asked for this read. */
  refused: { readonly message: string; readonly certain: boolean } | undefined;
  /** By the server's identifier of a visit: what to call when it is done. */
  readonly visits = new Map<string, () => void>();

  constructor(
    readonly uri: string,
    readonly how: ReadRequest,
    timeoutMs: number,
  ) {
    this.limit = new TimeLimit(timeoutMs);
  }

  get ofPerson(): boolean {
    return this.how.initiative === 'person';
  }
}

/**
 * The reads of one session, with the input that servers ask for on the way (specification: client/elicitation): inside
 * the read's result (modern), by a request of their own (legacy), or by error -32042. Only a person's read asks a person.
 */
export class ResourceReads {
  private readonly underWay = new Set<ReadUnderWay>();
  /** Questions of a legacy server: nothing says which read they belong to. */
  private readonly questions = new Set<AbortController>();
  private readonly closing = new AbortController();

  constructor(private readonly around: Surroundings) {}

  async read(uri: string, how: ReadRequest, signal?: AbortSignal): Promise<ReadAnswer> {
    const read = new ReadUnderWay(uri, how, this.around.timeoutMs());
    const stops = [read.limit.signal, this.closing.signal, ...(signal ? [signal] : [])];
    this.underWay.add(read);
    try {
      return await this.rounds(read, AbortSignal.any(stops));
    } catch (error) {
      if (signal?.aborted || read.cancelled) {
        throw new CancelledError();
      }
      if (this.closing.signal.aborted) {
        throw new RequestError('disconnected', 'the connection was lost');
      }
      if (read.limit.signal.aborted) {
        throw read.limit.signal.reason as Error;
      }
      throw read.refused ? inputNeeded(read.refused.message) : error;
    } finally {
      read.limit.dispose();
      this.underWay.delete(read);
      if (![...this.underWay].some(({ ofPerson }) => ofPerson)) {
        this.questions.forEach((question) => question.abort());
      }
    }
  }

  /**
   * Answers a legacy server's `elicitation/create`: asks where a person's read is under way, else cancels without a word.
   * Throws a HumanError when the request makes no sense.
   */
  async elicited(params: unknown, signal: AbortSignal): Promise<InputAnswer> {
    const reads = [...this.underWay];
    const certain = reads.length === 1;
    const uri = certain ? reads[0]!.uri : undefined;
    const request = inputRequestOf(params, { serverId: this.around.serverId, uri, waitsForVisit: false });
    if (!reads.some(({ ofPerson }) => ofPerson)) {
      for (const read of reads) {
        read.refused = { message: request.message, certain };
      }
      return { action: 'cancel' };
    }
    const question = new AbortController();
    this.questions.add(question);
    try {
      const answer = await this.ask(request, reads, AbortSignal.any([signal, question.signal, this.closing.signal]));
      if (answer.action === 'accept' && request.kind === 'url') {
        reads.forEach(({ limit }) => limit.relax());
      }
      if (answer.action === 'cancel' && certain) {
        reads[0]!.cancelled = true;
      }
      return answer;
    } finally {
      this.questions.delete(question);
    }
  }

  /** The server says that a visit is done (2025-11-25, notifications/elicitation/complete). */
  completed(elicitationId: string): void {
    this.underWay.forEach(({ visits }) => visits.get(elicitationId)?.());
  }

  /** The session is over: nobody is asked any more. */
  end(): void {
    this.closing.abort(new RequestError('disconnected', 'the connection was closed'));
  }

  private async rounds(read: ReadUnderWay, stop: AbortSignal): Promise<ReadAnswer> {
    let more: Omit<ReadParams, 'uri'> = {};
    for (let round = 0; ; round += 1) {
      read.limit.touch();
      const result = await this.around.send(
        { uri: read.uri, ...more },
        {
          signal: stop,
          onProgress: (words) => {
            read.limit.touch();
            if (words) {
              read.how.onProgress?.(words);
            }
          },
        },
      );
      if (result.kind === 'complete') {
        if (read.refused?.certain) {
          throw inputNeeded(read.refused.message);
        }
        return read.asked ? { ...result.answer, withInput: true } : result.answer;
      }
      if (read.cancelled) {
        throw new CancelledError();
      }
      if (round === MAX_ROUNDS) {
        throw new RequestError('server', `the server still asks for input after ${MAX_ROUNDS} rounds`);
      }
      more =
        result.kind === 'visit'
          ? await this.visit(result.elicitations, read, stop)
          : await this.fulfil(result, read, stop);
    }
  }

  /** The answers to a result `input_required`, asked one after the other. */
  private async fulfil(
    { requests, state }: Extract<ReadResult, { kind: 'inputRequired' }>,
    read: ReadUnderWay,
    stop: AbortSignal,
  ): Promise<Omit<ReadParams, 'uri'>> {
    const asked = Object.entries(requests).map(([key, request]) => [key, this.embedded(request, read)] as const);
    const answers: [string, InputAnswer | RootsAnswer][] = [];
    for (const [key, request] of asked) {
      const answer = 'roots' in request ? request : read.cancelled ? cancel : await this.askFor(request, read, stop);
      answers.push([key, answer]);
    }
    if (answers.length === 0) {
      await pause(PUT_OFF_MS, undefined, { signal: stop });
    }
    return {
      ...(answers.length > 0 ? { inputResponses: Object.fromEntries(answers) } : {}),
      ...(state === undefined ? {} : { requestState: state }),
    };
  }

  /** What a person is to be asked; for folders that are shared, the answer. */
  private embedded(request: unknown, read: ReadUnderWay): InputRequest | RootsAnswer {
    const { method, params } = (request ?? {}) as { method?: unknown; params?: unknown };
    if (method === 'elicitation/create') {
      return this.visible(params, read);
    }
    const roots = method === 'roots/list' ? this.around.roots() : undefined;
    if (roots) {
      return { roots };
    }
    const words = `the server asks for "${String(method)}", which is not offered here`;
    throw new RequestError('server', [words, refusalOf(method)].filter(Boolean).join('. '));
  }

  /** After the visits of error -32042 the read is sent again as it was. */
  private async visit(elicitations: readonly unknown[], read: ReadUnderWay, stop: AbortSignal): Promise<object> {
    for (const params of elicitations) {
      const request = this.visible({ mode: 'url', ...(params as object) }, read);
      const { action } = await this.askFor(request, read, stop);
      if (read.cancelled) {
        throw new CancelledError();
      }
      if (action === 'decline') {
        throw new RequestError('inputNeeded', 'input needed: an address has to be visited first');
      }
    }
    return {};
  }

  private visible(params: unknown, read: ReadUnderWay): InputRequest {
    const id = elicitationIdOf(params);
    const completed = id === undefined ? undefined : new Promise<void>((resolve) => read.visits.set(id, resolve));
    const { serverId } = this.around;
    return inputRequestOf(params, { serverId, uri: read.uri, waitsForVisit: true, completed });
  }

  private async askFor(request: InputRequest, read: ReadUnderWay, stop: AbortSignal): Promise<InputAnswer> {
    if (!read.ofPerson) {
      throw inputNeeded(request.message);
    }
    const answer = await this.ask(request, [read], stop);
    stop.throwIfAborted();
    read.cancelled = answer.action === 'cancel';
    return answer;
  }

  private async ask(request: InputRequest, reads: readonly ReadUnderWay[], signal: AbortSignal): Promise<InputAnswer> {
    for (const read of reads) {
      read.asked = true;
      read.limit.pause();
      read.how.onProgress?.('waiting for your input');
    }
    try {
      return await this.around.input.ask(request, signal);
    } finally {
      reads.forEach(({ limit }) => limit.resume());
    }
  }
}

function inputNeeded(message: string): RequestError {
  return new RequestError('inputNeeded', message ? `input needed: ${message}` : 'input needed');
}
