import type { Dispatcher } from 'undici';
import { BodyReader } from './bodyReader.js';
import { codeOf, stepOf } from './code.js';
import { ConnectError, peerOf } from './connectError.js';
import type { BodyEnd, Wanted, WireRequest, WireResult } from './connector.js';
import { encodingsIn } from './decoding.js';

/**
 * One exchange over an undici dispatcher. It uses `dispatch`, the level at which undici says when it is about to write
 * the request: what is stopped earlier is never written, so that "not sent" is a fact.
 */
export function exchangeOver(dispatcher: Dispatcher, request: WireRequest): Promise<WireResult> {
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined;
    let answer: Answering | undefined;
    let settled = false;

    /** `otherwise`: without a status line. */
    const settle = (end: BodyEnd, otherwise: () => WireResult): void => {
      if (!settled) {
        settled = true;
        request.signal.removeEventListener('abort', stop);
        resolve(answer?.result(end) ?? otherwise());
      }
    };
    const giveUp = (end: BodyEnd): void => {
      settle(end, () => ({ kind: 'stopped', sent: controller !== undefined }));
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
          if (settled || (request.alone && controller)) {
            started.abort(new Error('stopped'));
            return;
          }
          controller = started;
          request.onPhase?.('sending');
        },
        onResponseStart(_controller, status, headers): void {
          if (status < 200 || settled) {
            return;
          }
          const wanted = request.wanted(status);
          answer = new Answering(status, headers, wanted, giveUp);
          if (wanted.bytes === 0) {
            giveUp('capped');
          }
        },
        onResponseData(_controller, chunk): void {
          if (!settled) {
            answer?.body.take(chunk);
          }
        },
        onResponseEnd(): void {
          settle(answer?.framed === false ? 'closed' : 'complete', () => ({ kind: 'lost', code: 'UNKNOWN' }));
        },
        onResponseError(_controller, error): void {
          settle('cut', () => failed(error, request.origin, controller !== undefined));
        },
      },
    );
  });
}

/** An answer whose status line is there and whose body is on its way. */
class Answering {
  readonly #headers: Record<string, string | undefined>;
  readonly #patience: NodeJS.Timeout | undefined;
  readonly body: BodyReader;

  constructor(
    private readonly status: number,
    headers: Record<string, string | string[] | undefined>,
    wanted: Wanted,
    giveUp: (end: BodyEnd) => void,
  ) {
    this.#headers = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
    );
    const encodings = encodingsIn(this.#headers['content-encoding']);
    this.body = new BodyReader(encodings, wanted.bytes, () => giveUp('capped'));
    const { patience } = wanted;
    this.#patience = patience === undefined ? undefined : setTimeout(() => giveUp('stopped'), patience);
  }

  /** Whether the end of the body can be told from the end of the connection. */
  get framed(): boolean {
    return this.#headers['content-length'] !== undefined || this.#headers['transfer-encoding'] !== undefined;
  }

  async result(end: BodyEnd): Promise<WireResult> {
    clearTimeout(this.#patience);
    return { kind: 'answer', status: this.status, headers: this.#headers, ...(await this.body.finish(end)) };
  }
}

function failed(error: unknown, origin: string, sent: boolean): WireResult {
  if (error instanceof ConnectError) {
    return { kind: 'unreachable', cause: error.facts };
  }
  const code = codeOf(error);
  return sent
    ? { kind: 'lost', code }
    : { kind: 'unreachable', cause: { step: stepOf(code), code, ...peerOf(new URL(origin)) } };
}
