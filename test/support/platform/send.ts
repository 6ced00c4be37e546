/** Puts an answer on the wire, in the way a fault says. Where an HTTP server is too polite, the socket is used directly. */
import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './faults.js';

export interface Answer {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer | null;
}

export interface Exchange {
  response: ServerResponse;
  /** The TCP connection, below TLS: only that can be reset. */
  tcp: Socket;
  /** Aborted when the connection is gone: nothing may go on ticking for a client that left. */
  gone: AbortSignal;
  /** To be told before the connection closes: what closes without a word was closed by the client. */
  settle: (state: 'answered' | 'broken') => void;
}

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

export function faultyAnswer(answer: Answer, fault: Fault, request: IncomingMessage): Answer {
  let faulty = answer;
  if (fault.echo !== undefined) {
    faulty = echo(request, fault.echo, fault.status ?? 200);
  } else if (fault.body !== undefined) {
    faulty = {
      status: fault.status ?? 200,
      headers: {},
      body: fault.body === null ? null : Buffer.from(fault.body),
    };
  } else if (fault.status !== undefined) {
    faulty = hasNoBody(fault.status)
      ? { status: fault.status, headers: {}, body: null }
      : errorAnswer(fault.status);
  }
  return { ...faulty, headers: { ...faulty.headers, ...fault.headers } };
}

export async function send(exchange: Exchange, answer: Answer, fault: Fault): Promise<void> {
  const { response, gone } = exchange;
  if (fault.latency !== undefined) await sleep(fault.latency, undefined, { signal: gone });
  // A client that has the whole of an answer may send the next request before Node has ended that answer: until then this one has no socket.
  if (!response.socket) await once(response, 'socket', { signal: gone });
  for (const status of fault.informational ?? []) {
    response.socket?.write(`HTTP/1.1 ${status} Informational\r\nx-informational: 1\r\n\r\n`);
  }
  if (fault.raw === undefined) return sendBody(exchange, answer, fault);
  if (fault.raw.length > 0) response.socket?.write(fault.raw);
  if (fault.ending === 'reset') return reset(exchange, fault.raw.length > 0);
  if (fault.ending === 'open' || gone.aborted) return;
  exchange.settle('answered');
  response.socket?.end();
}

async function reset({ tcp, gone, settle }: Exchange, isAfterBytes = true): Promise<void> {
  // Long enough for what was written to reach a client on this machine, so that a reset does not overtake it.
  if (isAfterBytes) await sleep(30, undefined, { signal: gone });
  settle('broken');
  tcp.resetAndDestroy();
}

async function sendBody(exchange: Exchange, answer: Answer, fault: Fault): Promise<void> {
  const { response, gone } = exchange;
  const headers: Record<string, string | string[]> = { ...answer.headers };
  const hasLength = !hasNoBody(answer.status) && headers['transfer-encoding'] === undefined;
  if (hasLength) headers['content-length'] ??= String(answer.body?.length ?? 0);
  const { dateAheadMs } = fault;
  if (dateAheadMs === null) response.sendDate = false;
  else if (dateAheadMs !== undefined)
    headers['date'] = new Date(Date.now() + dateAheadMs).toUTCString();
  response.writeHead(answer.status, headers);
  response.flushHeaders();

  const limit = fault.cut ?? Number.POSITIVE_INFINITY;
  let sent = 0;
  for await (const chunk of pieces(answer.body ?? Buffer.alloc(0), fault, gone)) {
    const piece = chunk.subarray(0, limit - sent);
    sent += piece.length;
    gone.throwIfAborted();
    if (piece.length > 0 && !response.write(piece)) await once(response, 'drain', { signal: gone });
    if (sent >= limit) break;
  }
  if (fault.ending === 'reset') return reset(exchange);
  const { socket } = response;
  if (fault.cut === undefined) {
    response.end();
    await once(response, 'close');
  } else {
    exchange.settle('broken');
  }
  if (fault.cut !== undefined || fault.ending === 'end') socket?.end();
}

async function* pieces(body: Buffer, { drip }: Fault, gone: AbortSignal): AsyncGenerator<Buffer> {
  const { bytes, everyMs } = drip ?? { bytes: body.length, everyMs: 0 };
  for (let at = 0; at < body.length; at += bytes) {
    yield body.subarray(at, at + bytes);
    if (drip) await sleep(everyMs, undefined, { signal: gone });
  }
}

function echo(request: IncomingMessage, kind: 'json' | 'html' | 'text', status: number): Answer {
  const { method, url, headers } = request;
  if (kind === 'json') {
    return jsonAnswer(status, {
      error: { code: 'debug', message: `cannot ${method} ${url}`, request: headers },
    });
  }
  const authorization = headers.authorization ?? '';
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
  // Debug pages also show values encoded; a client that hides only the plain token is caught here.
  const encoded = [
    encodeURIComponent(authorization),
    Buffer.from(authorization).toString('base64'),
  ];
  const text = [`${method} ${url}`, ...lines, ...encoded].join('\n');
  const body = kind === 'html' ? `<html><body><pre>${text}</pre></body></html>` : text;
  const type = kind === 'html' ? 'text/html' : 'text/plain';
  return { status, headers: { 'content-type': type }, body: Buffer.from(body) };
}

function hasNoBody(status: number): boolean {
  return status === 204 || status === 304;
}
