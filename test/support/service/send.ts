/** Puts an answer on the wire, in the way a fault says. Where an HTTP server is too polite, the socket is used directly. */
import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline, Readable, type Transform } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createDeflate,
  createGzip,
  deflateSync,
  gzipSync,
} from 'node:zlib';
import type { Fault } from './faults.js';

export interface Answer {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer | null;
}

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** The TCP connection, below TLS: only that can be reset. */
  tcp: Socket;
  /** Aborted when the connection is gone: nothing may go on ticking for a client that left. */
  gone: AbortSignal;
  /** To be told before the connection closes: what closes without a word was closed by the client. */
  settle: (state: 'answered' | 'broken') => void;
}

/** Long enough for what was written to reach a client on this machine, so that a reset does not overtake it. */
const BEFORE_RESET_MS = 30;

export function jsonAnswer(status: number, value: unknown): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: Buffer.from(JSON.stringify(value) ?? ''),
  };
}

export function errorAnswer(status: number, message = STATUS_CODES[status] ?? 'Unknown'): Answer {
  return jsonAnswer(status, { error: { code: `http_${status}`, message } });
}

/** The answer that a fault puts in place of the true one, which is `answer`. */
export function faultyAnswer(answer: Answer, fault: Fault, request: IncomingMessage): Answer {
  let faulty = answer;
  if (fault.echo !== undefined) {
    faulty = echo(request, fault.echo, fault.status ?? 200);
  } else if (fault.body !== undefined) {
    faulty = { status: fault.status ?? 200, headers: {}, body: fault.body === null ? null : Buffer.from(fault.body) };
  } else if (fault.status !== undefined) {
    faulty = hasNoBody(fault.status) ? { status: fault.status, headers: {}, body: null } : errorAnswer(fault.status);
  } else if (fault.large !== undefined || fault.endless) {
    faulty = { ...jsonAnswer(200, null), body: null };
  }
  return { ...faulty, headers: { ...faulty.headers, ...fault.headers } };
}

export async function send(exchange: Exchange, answer: Answer, fault: Fault): Promise<void> {
  const { response, gone } = exchange;
  if (fault.latency !== undefined) {
    await sleep(fault.latency, undefined, { signal: gone });
  }
  for (const status of fault.informational ?? []) {
    response.socket?.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Informational'}\r\nx-informational: 1\r\n\r\n`,
    );
  }
  if (fault.silent) {
    await once(gone, 'abort');
  } else if (fault.reset === 'before') {
    reset(exchange);
  } else if (fault.raw === undefined) {
    await sendBody(exchange, answer, fault);
  } else {
    await sendRaw(exchange, fault.raw, fault.rawThen ?? 'end');
  }
}

async function sendRaw(exchange: Exchange, raw: string | Uint8Array, then: 'end' | 'reset' | 'open'): Promise<void> {
  const { response, gone, settle } = exchange;
  const { socket } = response;
  if (raw.length > 0) {
    await new Promise<void>((resolve) => {
      socket?.write(raw, () => resolve());
    });
  }
  if (then === 'reset') {
    await resetLater(exchange);
  } else if (then === 'end' && !gone.aborted) {
    settle('answered');
    socket?.end();
  }
}

function reset({ tcp, settle }: Exchange): void {
  settle('broken');
  tcp.resetAndDestroy();
}

async function resetLater(exchange: Exchange): Promise<void> {
  await sleep(BEFORE_RESET_MS, undefined, { signal: exchange.gone });
  reset(exchange);
}

async function sendBody(exchange: Exchange, answer: Answer, fault: Fault): Promise<void> {
  const { response, gone } = exchange;
  const headers: Record<string, string | string[]> = { ...answer.headers };
  if (fault.encoding !== undefined) {
    headers['content-encoding'] = fault.encoding;
  }
  const whole =
    fault.bomb === undefined && fault.large === undefined && !fault.endless ? encodeBody(answer, fault) : null;
  if (whole !== null && !fault.chunked && !('transfer-encoding' in headers) && !hasNoBody(answer.status)) {
    headers['content-length'] ??= String(whole.length);
  }
  for (let left = fault.hugeHeaders ?? 0, index = 0; left > 0; left -= 1024, index++) {
    headers[`x-filler-${index}`] = 'x'.repeat(Math.min(left, 1024));
  }
  response.writeHead(answer.status, headers);
  response.flushHeaders();
  if (fault.reset === 'headers') {
    await resetLater(exchange);
    return;
  }

  const limit =
    fault.cut ?? (fault.reset === 'body' ? Math.floor((whole?.length ?? 2048) / 2) : Number.POSITIVE_INFINITY);
  let sent = 0;
  for await (const chunk of pieces(whole === null ? generated(answer, fault) : [whole], fault, gone)) {
    const piece = chunk.subarray(0, limit - sent);
    sent += piece.length;
    // Also stops a generator whose reader has gone.
    gone.throwIfAborted();
    if (piece.length > 0 && !response.write(piece)) {
      await once(response, 'drain', { signal: gone });
    }
    if (sent >= limit) break;
  }
  if (fault.reset === 'body') {
    await resetLater(exchange);
  } else if (fault.cut === undefined) {
    await finish(exchange, fault.close);
  } else {
    exchange.settle('broken');
    response.socket?.end();
  }
}

async function finish({ response, tcp }: Exchange, close: Fault['close']): Promise<void> {
  const socket = response.socket;
  await new Promise<void>((resolve) => {
    response.once('close', resolve);
    response.end();
  });
  if (close === 'after') {
    socket?.end();
  } else if (close !== undefined) {
    const read = tcp.bytesRead;
    setTimeout(() => {
      // Idle means that nothing has come since; a request under way keeps its connection.
      if (tcp.bytesRead === read) {
        tcp.destroy();
      }
    }, close).unref();
  }
}

function encodeBody(answer: Answer, fault: Fault): Buffer {
  const body = answer.body ?? Buffer.alloc(0);
  switch (fault.encoding) {
    case 'gzip':
      return gzipSync(body);
    case 'br':
      return brotliCompressSync(body);
    case 'deflate':
      return deflateSync(body);
    default:
      return body;
  }
}

/** Bodies too large to be kept in memory, made (and compressed) while they are read. */
function generated(answer: Answer, fault: Fault): Iterable<Buffer> | AsyncIterable<Buffer> {
  const source =
    fault.bomb === undefined
      ? rows(fault.large ?? Number.POSITIVE_INFINITY)
      : blanks(fault.bomb, answer.body ?? Buffer.alloc(0));
  const compressor = compressorOf(fault.encoding);
  if (compressor === undefined) return source;
  // With pipeline() the source ends too when the reader breaks off, which is no error here.
  pipeline(Readable.from(source), compressor, () => {});
  return compressor;
}

function compressorOf(encoding: Fault['encoding']): Transform | undefined {
  switch (encoding) {
    case 'gzip':
      return createGzip();
    case 'br':
      // The default quality takes minutes for what a bomb needs.
      return createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
    case 'deflate':
      return createDeflate();
    default:
      return undefined;
  }
}

function* blanks(bytes: number, end: Buffer): Generator<Buffer> {
  const block = Buffer.alloc(1024 * 1024, ' ');
  for (let left = bytes; left > 0; left -= block.length) {
    yield block.subarray(0, left);
  }
  yield end;
}

function* rows(bytes: number): Generator<Buffer> {
  const start = Buffer.from('{"requirements":[],"accounts":[{"id":"acc_0"}');
  const row = Buffer.from(`,{"id":"acc_filler","label":"${'x'.repeat(200)}"}`);
  const block = Buffer.concat(Array.from({ length: 256 }, () => row));
  const end = Buffer.from(']}');
  yield start;
  let left = bytes - start.length - end.length;
  for (; left >= block.length; left -= block.length) {
    yield block;
  }
  for (; left >= row.length; left -= row.length) {
    yield row;
  }
  yield end;
}

async function* pieces(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  fault: Fault,
  gone: AbortSignal,
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    if (fault.drip === undefined) {
      yield chunk;
      continue;
    }
    const { bytes, everyMs } = fault.drip;
    for (let at = 0; at < chunk.length; at += bytes) {
      yield chunk.subarray(at, at + bytes);
      await sleep(everyMs, undefined, { signal: gone });
    }
  }
}

function echo(request: IncomingMessage, kind: 'json' | 'html' | 'text', status: number): Answer {
  const { method, url, headers } = request;
  if (kind === 'json') {
    return jsonAnswer(status, { error: { code: 'debug', message: `cannot ${method} ${url}`, request: headers } });
  }
  const authorization = headers.authorization ?? '';
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
  // Debug pages also show values encoded; a client that hides only the plain token is caught here.
  const encoded = [encodeURIComponent(authorization), Buffer.from(authorization).toString('base64')];
  const text = [`${method} ${url}`, ...lines, ...encoded].join('\n');
  const body = kind === 'html' ? `<html><body><h1>Debug</h1><pre>${text}</pre></body></html>` : text;
  return { status, headers: { 'content-type': kind === 'html' ? 'text/html' : 'text/plain' }, body: Buffer.from(body) };
}

function hasNoBody(status: number): boolean {
  return status === 204 || status === 304;
}
