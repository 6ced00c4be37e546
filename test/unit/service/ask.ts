/** Requests for the tests of the service: one over node:http, one with nothing but a socket. */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { DEFAULT_TOKEN } from '../../support/service/data.js';

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface AskOptions {
  method?: string;
  /** null: no authorization header. */
  token?: string | null;
  signal?: AbortSignal;
}

export async function ask({ baseUrl }: { baseUrl: string }, path: string, options: AskOptions = {}): Promise<Reply> {
  const { method = 'GET', token = DEFAULT_TOKEN, signal } = options;
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      baseUrl + path,
      {
        method,
        agent: false,
        headers: token === null ? {} : { authorization: `Bearer ${token}` },
        ...(signal === undefined ? {} : { signal }),
      },
      (response) => {
        buffer(response).then(
          (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: body.toString() }),
          reject,
        );
      },
    );
    request.on('error', reject).end();
  });
}

export interface RawReply {
  bytes: Buffer;
  /** The error code, `ECONNRESET` above all, or `end` for a proper end. */
  end: string;
}

/** What comes over the wire, byte by byte, up to the end of the connection or `enough`. */
export async function askRaw(
  { baseUrl }: { baseUrl: string },
  path: string,
  enough: (bytes: Buffer) => boolean = () => false,
  signal?: AbortSignal,
): Promise<RawReply> {
  const { hostname, port, pathname } = new URL(baseUrl);
  return new Promise((resolve) => {
    let bytes = Buffer.alloc(0);
    let end = 'end';
    const socket = connect(Number(port), hostname);
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      if (enough(bytes)) {
        end = 'enough';
        socket.destroy();
      }
    });
    signal?.addEventListener('abort', () => socket.destroy());
    socket.on('error', (error: NodeJS.ErrnoException) => {
      end = error.code ?? error.message;
    });
    socket.on('close', () => resolve({ bytes, end }));
    const head = [
      `GET ${pathname}${path} HTTP/1.1`,
      'host: test',
      `authorization: Bearer ${DEFAULT_TOKEN}`,
      'connection: close',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
  });
}

/** The body without the head. */
export function bodyOf({ bytes }: RawReply): Buffer {
  return bytes.subarray(bytes.indexOf('\r\n\r\n') + 4);
}
