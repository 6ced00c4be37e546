import type { Dispatcher } from 'undici';
import type { ConnectionCause } from '../failure.js';
import { type BodyEnd, BodyReader, encodingsIn } from './body.js';
import { ConnectError, codeOf, peerOf, stepOf } from './errorCodes.js';

/** One request on its way: no redirects, no repeats, no body. */
export interface WireRequest {
  readonly method: 'GET' | 'DELETE';
  /** Scheme, host and port. */
  readonly origin: string;
  /** Sent as it stands. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the exchange at any moment, also while resolving and connecting. */
  readonly signal: AbortSignal;
  /** `sending`: in this moment the request is written, or left to the editor. Until then, stopping it keeps it from being sent. */
  readonly onPhase?: (phase: 'connecting' | 'sending') => void;
  /** On a connection of its own, never a pooled one, so that "not sent" can be told from "outcome unknown". */
  readonly alone: boolean;
  /** How much of the body of an answer with this status is wanted. */
  readonly wanted: (status: number) => Wanted;
}

export interface Wanted {
  /** Decoded; 0: none, the connection is given up. */
  readonly bytes: number;
  /** Ms after the status line; then what has arrived must do. */
  readonly patience?: number;
}

/** What became of one exchange. Exchanges never reject. */
export type WireResult =
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** Names in lower case. */
      readonly headers: Readonly<Record<string, string | undefined>>;
      /** Decoded. */
      readonly body: Uint8Array;
      readonly end: BodyEnd;
    }
  /** No connection could be made: nothing was sent. */
  | { readonly kind: 'unreachable'; readonly cause: ConnectionCause; readonly viaEditor?: ConnectionCause }
  /** Sent, but no status line came back; `code` as in `Failure.connectionLost`. */
  | { readonly kind: 'lost'; readonly code: string }
  /** The signal ended it before a status line. */
  | { readonly kind: 'stopped'; readonly sent: boolean };

/** Nothing was sent: the exchange may go on over the editor's `fetch`, but needs a place of the editor's route for that. */
export interface NeedsEditor {
  readonly kind: 'needsEditor';
  /** Why the direct way did not lead there, if it was tried. */
  readonly directFailed?: ConnectionCause;
}

export interface EditorTurn {
  /** May use the editor's `fetch`. */
  readonly hasEditorPlace: boolean;
  /** The direct way was tried, and is not tried again. */
  readonly directFailed?: ConnectionCause;
}

/**
 * One exchange over an undici dispatcher. It uses `dispatch`, the level at which undici says when it is about to write
 * the request: what is stopped earlier is never written, so that "not sent" is a fact.
 */
export function exchangeOver(dispatcher: Dispatcher, request: WireRequest): Promise<WireResult> {
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined;
    let answer: Answering | undefined;
    let finished = false;

    /** `otherwise`: without a status line. */
    const finish = (end: BodyEnd, otherwise: () => WireResult): void => {
      if (!finished) {
        finished = true;
        request.signal.removeEventListener('abort', stop);
        resolve(answer?.result(end) ?? otherwise());
      }
    };
    const giveUp = (end: BodyEnd): void => {
      finish(end, () => ({ kind: 'stopped', sent: controller !== undefined }));
      controller?.abort(new Error('stopped'));
    };
    const stop = (): void => giveUp('stopped');

    if (request.signal.aborted) {
      stop();
      return;
    }
    request.signal.addEventListener('abort', stop);
    dispatcher.dispatch(
      {
        origin: request.origin,
        path: request.path,
        method: request.method,
        headers: { ...request.headers },
        reset: request.alone,
      },
      {
        onRequestStart(started): void {
          if (finished || (request.alone && controller)) {
            started.abort(new Error('stopped'));
            return;
          }
          controller = started;
          request.onPhase?.('sending');
        },
        onResponseStart(_controller, status, headers): void {
          if (status < 200 || finished) return;
          const wanted = request.wanted(status);
          answer = new Answering(status, headers, wanted, giveUp);
          if (wanted.bytes === 0) giveUp('capped');
        },
        onResponseData(_controller, chunk): void {
          if (!finished) answer?.body.take(chunk);
        },
        onResponseEnd(): void {
          finish(answer?.framed === false ? 'closed' : 'complete', () => ({ kind: 'lost', code: 'UNKNOWN' }));
        },
        onResponseError(_controller, error): void {
          finish('cut', () => failed(error, request.origin, controller !== undefined));
        },
      },
    );
  });
}

/** An answer whose status line is there and whose body is on its way. */
class Answering {
  private readonly headers: Record<string, string | undefined>;
  private readonly patience: NodeJS.Timeout | undefined;
  readonly body: BodyReader;

  constructor(
    private readonly status: number,
    headers: Record<string, string | string[] | undefined>,
    wanted: Wanted,
    giveUp: (end: BodyEnd) => void,
  ) {
    this.headers = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
    );
    const encodings = encodingsIn(this.headers['content-encoding']);
    this.body = new BodyReader(encodings, wanted.bytes, () => giveUp('capped'));
    const { patience } = wanted;
    this.patience = patience === undefined ? undefined : setTimeout(() => giveUp('stopped'), patience);
  }

  /** Whether the end of the body can be told from the end of the connection. */
  get framed(): boolean {
    return this.headers['content-length'] !== undefined || this.headers['transfer-encoding'] !== undefined;
  }

  async result(end: BodyEnd): Promise<WireResult> {
    clearTimeout(this.patience);
    return { kind: 'answer', status: this.status, headers: this.headers, ...(await this.body.finish(end)) };
  }
}

function failed(error: unknown, origin: string, sent: boolean): WireResult {
  if (error instanceof ConnectError) return { kind: 'unreachable', cause: error.facts };
  const code = codeOf(error);
  return sent
    ? { kind: 'lost', code }
    : { kind: 'unreachable', cause: { step: stepOf(code), code, ...peerOf(new URL(origin)) } };
}
