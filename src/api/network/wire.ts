import type { Client, Dispatcher } from 'undici';
import type { Call } from '../call.js';
import { type ConnectionCause, type Failure, peerOf } from '../failure.js';
import {
  type BodyEnd,
  BodyReader,
  decodeBody,
  endOfBody,
  type Headers,
  maxBodyBytes,
  maxBodyMs,
} from './body.js';
import { codeOf, failedStepOf, failureOf, isInvalidHttp, toConnectError } from './errorCodes.js';

/** A request as HTTP sends it. */
export interface WireRequest extends Pick<Call, 'signal' | 'urgent' | 'onPhase' | 'onStep'> {
  readonly method: 'GET' | 'DELETE';
  /** `https://host.example` */
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Never send it on a kept connection, so that "not sent" differs from "outcome unknown". */
  readonly needsNewConnection: boolean;
}

/** An answer of any status; `end` says whether its body is whole. */
export interface WireAnswer extends BodyEnd {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: Headers;
  /** Epoch ms when status and headers arrived. */
  readonly receivedAt: number;
  /** Decoded by `Content-Encoding`, and cut after `maxBodyBytes`. */
  readonly body: Uint8Array;
}

/** A request that ended without a status. */
export interface Unanswered {
  readonly kind: 'unanswered';
  readonly failure: Failure;
  /** Whether the platform may have got the request. */
  readonly maybeSent: boolean;
}

export type WireResult = WireAnswer | Unanswered;

/**
 * Sends a request on the connection of `client`. Never rejects. Uses undici's `dispatch`, because
 * only that says when it is about to write a request, so that "not sent" is a fact. `socketError`:
 * returns the error of the client's connection, even one that came before undici listened.
 */
export function send(
  client: Client,
  request: WireRequest,
  socketError: () => unknown,
): Promise<WireResult> {
  return new Promise((resolve) => {
    new ClientRequest(request, socketError, resolve).dispatchTo(client);
  });
}

/** What an answer consists of while its body is read. */
interface ReceivedAnswer extends Pick<WireAnswer, 'status' | 'headers' | 'receivedAt'> {
  readonly body: BodyReader;
}

type Resolve = (result: WireResult | Promise<WireResult>) => void;

/**
 * One request at an undici client, which calls the methods `on…` in the order in which they stand
 * here. Resolves once: with the answer as far as it has come, or with why there is none.
 */
class ClientRequest implements Dispatcher.DispatchHandler {
  /** Set just before undici writes the request; without it nothing was sent. */
  private controller: Dispatcher.DispatchController | undefined;
  /** By `performance.now()`, when undici wrote the request. */
  private sentAt = 0;
  private answer: ReceivedAnswer | undefined;
  /** Ends the reading of a body that is not worth a longer wait. */
  private bodyTimer: NodeJS.Timeout | undefined;
  private isFinished = false;

  constructor(
    private readonly request: WireRequest,
    private readonly socketError: () => unknown,
    private readonly resolve: Resolve,
  ) {}

  dispatchTo(client: Client): void {
    const { origin, path, method, headers, needsNewConnection, signal } = this.request;
    if (signal.aborted) {
      this.cut();
      return;
    }
    signal.addEventListener('abort', this.cut);
    client.dispatch(
      {
        origin,
        path,
        method,
        // This code decodes the body, because undici would bound only its compressed bytes.
        headers: { ...headers, 'accept-encoding': 'gzip' },
        reset: needsNewConnection,
      },
      this,
    );
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (!this.isFinished) this.request.onPhase?.({ kind: 'sending' });
    // That listener may have aborted the request, which undici writes only after this.
    if (this.isFinished) {
      controller.abort(new Error('stopped'));
      return;
    }
    this.controller = controller;
    this.sentAt = performance.now();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    received: Record<string, string | string[] | undefined>,
  ): void {
    const isInformational = status < 200;
    if (isInformational || this.isFinished) return;
    const { method } = this.request;
    this.reportStep(status);
    const body = new BodyReader(maxBodyBytes(method, status));
    this.answer = { status, headers: headersOf(received), receivedAt: Date.now(), body };
    const maxMs = maxBodyMs(method, status);
    if (maxMs !== undefined) this.bodyTimer = setTimeout(this.cut, maxMs);
    if (body.isFull) this.endEarly('capped');
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.isFinished || !this.answer) return;
    this.answer.body.take(chunk);
    if (this.answer.body.isFull) this.endEarly('capped');
  }

  onResponseEnd(): void {
    const withoutAnswer = connectionLostResult(undefined, this.request.origin);
    this.finish(endOfBody(this.answer?.headers ?? {}), withoutAnswer);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const { origin } = this.request;
    const reason = this.socketError() ?? error;
    const withoutAnswer = this.controller
      ? connectionLostResult(reason, origin)
      : unreachableResult(reason, origin);
    // A 204 has no body, but undici misses the bytes if it has a `Content-Length` all the same.
    const bodyError = this.answer?.status === 204 ? undefined : reason;
    this.finish(endOfBody(this.answer?.headers ?? {}, bodyError), withoutAnswer);
  }

  /** Stops the request, or the reading of its body, before its end. */
  private readonly cut = (): void => this.endEarly('cut');

  /** Ends the request now: with the answer so far if its status has come, else as stopped. */
  private endEarly(end: BodyEnd['end']): void {
    const maybeSent = this.controller !== undefined;
    this.finish({ end }, stoppedResult(this.request.signal, maybeSent));
    this.controller?.abort(new Error('stopped'));
  }

  /** `withoutAnswer`: the result if no status has come. */
  private finish(end: BodyEnd, withoutAnswer: Unanswered): void {
    if (this.isFinished) return;
    this.isFinished = true;
    clearTimeout(this.bodyTimer);
    this.request.signal.removeEventListener('abort', this.cut);
    if (this.answer) {
      this.resolve(decodedAnswer(this.answer, end, this.request.method));
      return;
    }
    if (this.controller) this.reportStep(undefined);
    this.resolve(withoutAnswer);
  }

  private reportStep(status: number | undefined): void {
    const duration = performance.now() - this.sentAt;
    if (status === undefined) this.request.onStep?.({ kind: 'http', viaEditor: false, duration });
    else this.request.onStep?.({ kind: 'http', viaEditor: false, status, duration });
  }
}

function decodedAnswer(
  { status, headers, receivedAt, body }: ReceivedAnswer,
  end: BodyEnd,
  method: WireRequest['method'],
): Promise<WireAnswer> {
  const decoding = decodeBody(body.bytes, headers, maxBodyBytes(method, status), end);
  return decoding.then((decoded) => ({ kind: 'answer', status, headers, receivedAt, ...decoded }));
}

/** Joins several headers of one name with commas. */
export function headersOf(received: Record<string, string | string[] | undefined>): Headers {
  const joined = Object.entries(received).map(([name, value]) => {
    const text = Array.isArray(value) ? value.join(', ') : value;
    return [name, text] as const;
  });
  // An assignment to `__proto__`, which a server may send, would set the prototype.
  return Object.fromEntries(joined);
}

/** The result when no connection could be made, so that nothing was sent. */
export function unreachableResult(error: unknown, origin: string): Unanswered {
  const cause = toConnectError(error, peerOf(new URL(origin))).facts;
  return { kind: 'unanswered', failure: { kind: 'unreachable', cause }, maybeSent: false };
}

/**
 * The result when a connection ended without an answer to the request that was sent on it. With TLS
 * 1.3 the platform may refuse a client without a certificate only then, which is no lost
 * connection.
 */
export function connectionLostResult(error: unknown, origin: string): Unanswered {
  const code = codeOf(error);
  if (failedStepOf(code) === 'tls') {
    const cause: ConnectionCause = {
      step: 'tls',
      code,
      ...peerOf(new URL(origin)),
      isAfterHandshake: true,
    };
    return { kind: 'unanswered', failure: { kind: 'unreachable', cause }, maybeSent: true };
  }
  const kind = isInvalidHttp(code) ? 'invalidHttp' : 'connectionLost';
  return { kind: 'unanswered', failure: { kind, code }, maybeSent: true };
}

/** The result of a request that its signal stopped. */
export function stoppedResult(signal: AbortSignal, maybeSent: boolean): Unanswered {
  return { kind: 'unanswered', failure: failureOf(signal.reason), maybeSent };
}
