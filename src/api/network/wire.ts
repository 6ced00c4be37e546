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
import { breaksHttp, codeOf, connectError, failureOf, stepOf } from './errorCodes.js';

export interface WireRequest extends Pick<Call, 'signal' | 'urgent' | 'onPhase' | 'onStep'> {
  readonly method: 'GET' | 'DELETE';
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Never a pooled connection, so that "not sent" differs from "outcome unknown". */
  readonly ownConnection: boolean;
}

/** The body is decoded. */
export interface WireAnswer extends BodyEnd {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: Headers;
  /** Epoch ms when status and headers arrived. */
  readonly receivedAt: number;
  readonly body: Uint8Array;
}

export interface Unanswered {
  readonly kind: 'unanswered';
  readonly failure: Failure;
  /** Whether the platform may have got the request. */
  readonly sent: boolean;
}

export type WireResult = WireAnswer | Unanswered;

/**
 * Never rejects. Only undici's `dispatch` says when it is about to write a request, so that "not sent" is a
 * fact. `socketError`: of the client's connection, also one that came before undici listened.
 */
export function send(
  client: Client,
  request: WireRequest,
  socketError: () => unknown,
): Promise<WireResult> {
  const { origin, path, method, ownConnection, signal, onPhase, onStep } = request;
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined;
    let answer:
      | (Omit<WireAnswer, 'kind' | 'body' | keyof BodyEnd> & { readonly body: BodyReader })
      | undefined;
    let bodyTimer: NodeJS.Timeout | undefined;
    let sentAt = 0;
    let finished = false;

    const finish = (end: BodyEnd, withoutAnswer: Unanswered): void => {
      if (finished) return;
      finished = true;
      clearTimeout(bodyTimer);
      signal.removeEventListener('abort', stop);
      if (!answer) {
        if (controller)
          onStep?.({ kind: 'http', viaEditor: false, duration: performance.now() - sentAt });
        resolve(withoutAnswer);
        return;
      }
      const { body, ...start } = answer;
      const decoded = decodeBody(
        body.bytes,
        start.headers,
        maxBodyBytes(method, start.status),
        end,
      );
      resolve(decoded.then((whole) => ({ kind: 'answer', ...start, ...whole })));
    };
    const giveUp = (end: BodyEnd['end']): void => {
      finish({ end }, stopped(signal, controller !== undefined));
      controller?.abort(new Error('stopped'));
    };
    const stop = (): void => giveUp('cut');

    if (signal.aborted) {
      stop();
      return;
    }
    signal.addEventListener('abort', stop);
    client.dispatch(
      {
        origin,
        path,
        method,
        // Decoded here, because undici would count compressed bytes only.
        headers: { ...request.headers, 'accept-encoding': 'gzip' },
        reset: ownConnection,
      },
      {
        onRequestStart(started): void {
          if (!finished) onPhase?.({ kind: 'sending' });
          // That listener may have aborted it, too: undici writes it only after this.
          if (finished) {
            started.abort(new Error('stopped'));
            return;
          }
          controller = started;
          sentAt = performance.now();
        },
        onResponseStart(_controller, status, received): void {
          if (status < 200 || finished) return;
          onStep?.({
            kind: 'http',
            viaEditor: false,
            status,
            duration: performance.now() - sentAt,
          });
          const headers = headersOf(received);
          const body = new BodyReader(maxBodyBytes(method, status));
          answer = { status, headers, receivedAt: Date.now(), body };
          const maxMs = maxBodyMs(method, status);
          if (maxMs !== undefined) bodyTimer = setTimeout(stop, maxMs);
          if (body.full) giveUp('capped');
        },
        onResponseData(_controller, chunk): void {
          if (finished || !answer) return;
          answer.body.take(chunk);
          if (answer.body.full) giveUp('capped');
        },
        onResponseEnd(): void {
          finish(endOfBody(answer?.headers ?? {}), lost(undefined, origin));
        },
        onResponseError(_controller, error): void {
          const reason = socketError() ?? error;
          // undici misses the body that a length promises, which a 204 never has.
          const ofBody = answer?.status === 204 ? undefined : reason;
          const withoutAnswer = controller ? lost(reason, origin) : unreachable(reason, origin);
          finish(endOfBody(answer?.headers ?? {}, ofBody), withoutAnswer);
        },
      },
    );
  });
}

export function headersOf(received: Record<string, string | string[] | undefined>): Headers {
  const entries = Object.entries(received);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}

export function unreachable(error: unknown, origin: string): Unanswered {
  const { facts } = connectError(error, peerOf(new URL(origin)));
  return { kind: 'unanswered', failure: { kind: 'unreachable', cause: facts }, sent: false };
}

/**
 * What ended a connection without an answer to what was sent on it. In TLS 1.3 the platform may refuse a
 * client without a certificate only then.
 */
export function lost(error: unknown, origin: string): Unanswered {
  const code = codeOf(error);
  if (stepOf(code) === 'tls') {
    const cause: ConnectionCause = {
      step: 'tls',
      code,
      ...peerOf(new URL(origin)),
      isAfterHandshake: true,
    };
    return { kind: 'unanswered', failure: { kind: 'unreachable', cause }, sent: true };
  }
  const kind = breaksHttp(code) ? 'invalidHttp' : 'connectionLost';
  return { kind: 'unanswered', failure: { kind, code }, sent: true };
}

export function stopped({ reason }: AbortSignal, sent: boolean): Unanswered {
  return { kind: 'unanswered', failure: failureOf(reason), sent };
}
