import type { Socket } from 'node:net';

/** No interim answer needs more; what goes on longer without an end is left to the HTTP parser to refuse. */
const longestHead = 16 * 1024;
/** Where the status begins in `HTTP/1.1 200 OK`. */
const statusAt = 'HTTP/1.1 '.length;
const digitOne = 0x31;

/**
 * Hides `100 Continue` from the reader of this socket. RFC 9110, 15.2.1: a client that has not asked for it can simply
 * discard it; undici takes the connection down instead. It writes each request in one piece and never two at a time, so
 * an answer starts with the first byte after a write.
 */
export function toleratesContinue<T extends Socket>(socket: T): T {
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket);
  /** The start of an answer, while it may still be an interim one. */
  let head: Buffer | undefined;

  socket.write = (...parameters: unknown[]): boolean => {
    head = Buffer.alloc(0);
    return Reflect.apply(write, socket, parameters) === true;
  };
  socket.read = (size?: number): Buffer | null => {
    for (;;) {
      const chunk: Buffer | null = read(size);
      if (head === undefined || chunk === null) {
        return chunk;
      }
      if (head.length === 0 && chunk.length > statusAt && chunk[statusAt] !== digitOne) {
        // Almost every answer: its status can be seen, and is no 1xx.
        head = undefined;
        return chunk;
      }
      head = withoutContinue(Buffer.concat([head, chunk]));
      if (!maybeContinue(head)) {
        const rest = head;
        head = undefined;
        return rest;
      }
    }
  };
  return socket;
}

function withoutContinue(bytes: Buffer): Buffer {
  let rest = bytes;
  while (/^HTTP\/1\.[01] 100[ \r\n]/.test(rest.toString('latin1', 0, 13))) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) {
      break;
    }
    rest = rest.subarray(end + 4);
  }
  return rest;
}

function maybeContinue(bytes: Buffer): boolean {
  const start = 'HTTP/1.1 100'.slice(0, bytes.length);
  const found = bytes.toString('latin1', 0, start.length).replace('HTTP/1.0', 'HTTP/1.1');
  return bytes.length < longestHead && found === start;
}
