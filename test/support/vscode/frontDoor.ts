// What a person's browser talks to: the VS Code server, and the one answer that it lacks.
import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { onEnd } from '../cleanup.js';
import { listen } from '../service/listen.js';

/**
 * Passes everything on to the server at `port`, but answers the workbench's request for a key: with one it keeps secrets in the
 * browser's storage, so that a sign-in survives a reload as on the desktop. Resolves with the port to open.
 */
export async function openFrontDoor(port: number): Promise<number> {
  const server = createServer((incoming, outgoing) => {
    if (incoming.url?.split('?')[0] === '/mint-key') return outgoing.end(Buffer.alloc(32, 7));
    const { method, url: path, headers } = incoming;
    const passed = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.once('error', () => outgoing.destroy());
    return incoming.pipe(passed);
  });
  server.on('upgrade', (incoming, socket, head) => {
    const passed = connect(port, '127.0.0.1', () => {
      const headers = Object.entries(incoming.headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
      passed.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${headers.join('')}\r\n`);
      passed.write(head);
      passed.pipe(socket).pipe(passed);
    });
    passed.once('error', () => socket.destroy());
    socket.once('error', () => passed.destroy());
  });
  onEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return listen(server);
}
