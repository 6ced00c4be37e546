import type { Socket } from 'node:net';
import { ConnectError, connectError, type Peer } from './errorCodes.js';
import type { Proxy } from './route.js';

const longestHead = 16 * 1024;

/**
 * Asks a proxy for a connection to a peer (`CONNECT`) over an open connection to that proxy. Returns the proxy's status.
 * @throws ConnectError `proxy`: with a status if the proxy answered and refused, else with the code of what broke.
 */
export async function openTunnel(socket: Socket, proxy: Proxy, peer: Peer, signal: AbortSignal): Promise<number> {
  const host = peer.host.includes(':') ? `[${peer.host}]` : peer.host;
  const authority = `${host}:${peer.port}`;
  const authorization = proxy.authorization === undefined ? '' : `Proxy-Authorization: ${proxy.authorization}\r\n`;
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${authorization}\r\n`);
  let head: string;
  try {
    head = await readHead(socket, signal);
  } catch (error) {
    socket.destroy();
    throw connectError(error, proxy, 'proxy');
  }
  const status = Number(/^HTTP\/1\.[01] (\d{3})\b/.exec(head)?.[1]);
  if (status >= 200 && status < 300) return status;
  socket.destroy();
  const refused = Number.isNaN(status) ? { code: 'HPE_INVALID' } : { code: 'ERR_PROXY_TUNNEL', status };
  throw new ConnectError({ step: 'proxy', host: proxy.host, port: proxy.port, ...refused });
}

/** The head of the next answer that is not informational. What follows it stays in the socket. */
function readHead(socket: Socket, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0);
    const done = (): void => {
      socket.off('readable', onReadable).off('end', onEnd).off('close', onEnd).off('error', reject);
      signal.removeEventListener('abort', onAbort);
    };
    const onEnd = (): void => {
      done();
      reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
    };
    const onAbort = (): void => {
      done();
      reject(signal.reason instanceof Error ? signal.reason : new Error('stopped'));
    };
    const onReadable = (): void => {
      for (let chunk: Buffer | null = socket.read(); chunk !== null; chunk = socket.read()) {
        bytes = Buffer.concat([bytes, chunk]);
      }
      for (let end = bytes.indexOf('\r\n\r\n'); end >= 0; end = bytes.indexOf('\r\n\r\n')) {
        const head = bytes.toString('latin1', 0, end);
        bytes = bytes.subarray(end + 4);
        if (!/^HTTP\/1\.[01] 1\d\d\b/.test(head)) {
          done();
          if (bytes.length > 0) socket.unshift(bytes);
          resolve(head);
          return;
        }
      }
      if (bytes.length > longestHead) {
        done();
        reject(Object.assign(new Error('too long'), { code: 'UND_ERR_HEADERS_OVERFLOW' }));
      } else if (!'HTTP/1.'.startsWith(bytes.toString('latin1', 0, 7))) {
        done();
        resolve(bytes.toString('latin1'));
      }
    };
    socket.on('readable', onReadable).on('end', onEnd).on('close', onEnd).on('error', reject);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) {
      onAbort();
    } else {
      onReadable();
    }
  });
}
