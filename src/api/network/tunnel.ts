import type { Socket } from 'node:net';
import { untilEvent } from '../abort.js';
import { hostAndPort, type Peer } from '../failure.js';
import { ConnectError, connectError } from './errorCodes.js';
import type { Proxy } from './route.js';

const maxHeadChars = 16 * 1024;
const informational = /^(?:HTTP\/1\.[01] 1\d\d\b[^]*?\r\n\r\n)+/;

/**
 * Asks a proxy for a connection to a peer (`CONNECT`) over an open connection to that proxy. Returns the proxy's status.
 * @throws ConnectError `proxy`: with a status if the proxy answered and refused, else with the code of what broke.
 */
export async function openTunnel(socket: Socket, proxy: Proxy, peer: Peer, signal: AbortSignal): Promise<number> {
  const authority = hostAndPort(peer);
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
async function readHead(socket: Socket, signal: AbortSignal): Promise<string> {
  let text = '';
  for (;;) {
    const chunk: Buffer | null = socket.read();
    text = (text + (chunk ?? Buffer.alloc(0)).toString('latin1')).replace(informational, '');
    const [head = '', ...rest] = text.split(/(?<=\r\n\r\n)/);
    if (head.endsWith('\r\n\r\n')) {
      if (rest.length > 0) socket.unshift(Buffer.from(rest.join(''), 'latin1'));
      return head;
    }
    if (!'HTTP/1.'.startsWith(text.slice(0, 7))) return text;
    if (text.length > maxHeadChars) throw Object.assign(new Error('too long'), { code: 'UND_ERR_HEADERS_OVERFLOW' });
    await untilEvent(socket, 'readable', signal);
  }
}
