// What a person's browser talks to: the VS Code server, and the one answer that it lacks.
import { createServer, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { onEnd } from '../cleanup.js';

/**
 * Passes everything on to the server at `port`, but answers the workbench's request for a key: with one it keeps secrets in the
 * browser's storage, so that a sign-in survives a reload as on the desktop. Resolves with the port to open.
 */
export async function openFrontDoor(port: number): Promise<number> {
  const target = (message: IncomingMessage) => ({
    host: '127.0.0.1',
    port,
    method: message.method,
    path: message.url,
    headers: message.headers,
  });
  const server = createServer((incoming, outgoing) => {
    if (incoming.url?.split('?')[0] === '/mint-key') {
      outgoing.end(Buffer.alloc(32, 7));
      return;
    }
    const passed = request(target(incoming), (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.once('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  server.on('upgrade', (incoming, socket, head) => {
    const passed = connect(port, '127.0.0.1', () => {
      const headers = incoming.rawHeaders.flatMap((name, at, all) =>
        at % 2 === 0 ? `${name}: ${all[at + 1]}\r\n` : [],
      );
      passed.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${headers.join('')}\r\n`);
      passed.write(head);
      passed.pipe(socket).pipe(passed);
    });
    passed.once('error', () => socket.destroy());
    socket.once('error', () => passed.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port.');
  return address.port;
}
