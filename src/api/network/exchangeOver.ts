import type { Dispatcher } from 'undici';
import { codeOf, stepOf } from './code.js';
import { ConnectError, peerOf } from './connectError.js';
import type { BodyEnd, Wanted, WireRequest, WireResult } from './connector.js';

/**
 * One exchange over an undici dispatcher. It uses `dispatch`, the level at which undici says when it is about to write
 * the request: what is stopped earlier is never written, so that "not sent" is a fact.
 */
export function exchangeOver(dispatcher: Dispatcher, request: WireRequest): Promise<WireResult> {
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined;
    let answer: Answering | undefined;
    let settled = false;

    const settle = (result: WireResult): void => {
      if (!settled) {
        settled = true;
        request.signal.removeEventListener('abort', stop);
        answer?.forget();
        resolve(result);
      }
    };
    const giveUp = (end: BodyEnd): void => {
      settle(answer?.result(end) ?? { kind: 'stopped', sent: controller !== undefined });
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
        },
        onResponseStart(_controller, status, headers): void {
          if (status < 200 || settled) {
            return;
          }
          const wanted = request.wanted(status);
          answer = new Answering(status, headers, wanted, stop);
          if (wanted.bytes === 0) {
            giveUp('capped');
          }
        },
        onResponseData(_controller, chunk): void {
          if (!settled && answer?.take(chunk) === false) {
            giveUp('capped');
          }
        },
        onResponseEnd(): void {
          settle(answer?.result(answer.framed ? 'complete' : 'closed') ?? { kind: 'lost', code: 'UNKNOWN' });
        },
        onResponseError(_controller, error): void {
          settle(answer?.result('cut') ?? failed(error, request.origin, controller !== undefined));
        },
      },
    );
  });
}

/** An answer whose status line is there and whose body is on its way. */
class Answering {
  readonly #chunks: Buffer[] = [];
  readonly #headers: Record<string, string | undefined>;
  readonly #patience: NodeJS.Timeout | undefined;
  #room: number;

  constructor(
    private readonly status: number,
    headers: Record<string, string | string[] | undefined>,
    wanted: Wanted,
    outOfPatience: () => void,
  ) {
    this.#headers = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
    );
    this.#room = wanted.bytes;
    this.#patience = wanted.patience === undefined ? undefined : setTimeout(outOfPatience, wanted.patience);
  }

  /** Whether the end of the body can be told from the end of the connection. */
  get framed(): boolean {
    return this.#headers['content-length'] !== undefined || this.#headers['transfer-encoding'] !== undefined;
  }

  /** False as soon as more has come than is wanted; the excess is not kept. */
  take(chunk: Buffer): boolean {
    const part = chunk.subarray(0, this.#room);
    // A copy: undici's chunks are views of its parser's memory.
    this.#chunks.push(Buffer.from(part));
    this.#room -= part.length;
    return part.length === chunk.length;
  }

  result(end: BodyEnd): WireResult {
    return { kind: 'answer', status: this.status, headers: this.#headers, body: Buffer.concat(this.#chunks), end };
  }

  forget(): void {
    clearTimeout(this.#patience);
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
