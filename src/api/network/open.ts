import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction, connect as netConnect, type Socket } from 'node:net';
import { type SecureContext, type TLSSocket, connect as tlsConnect } from 'node:tls';
import { orAborted, untilEvent } from '../abort.js';
import { type Peer, peerOf } from '../failure.js';
import { ConnectError, connectError } from './errorCodes.js';
import type { Proxy } from './route.js';
import type { ConnectionStep, Handshake, OpeningFacts, Whose } from './steps.js';
import { openTunnel } from './tunnel.js';

/** All addresses of a name, in the order in which they are tried. Rejects with the resolver's error. */
export type Resolve = (host: string) => Promise<LookupAddress[]>;

interface Way {
  readonly proxy?: Proxy;
  /** Whose certificates are trusted; absent: Node's default. */
  readonly context?: SecureContext;
  readonly resolve?: Resolve;
}

/** For one of several addresses before the next is tried. Node's own 250 give up on working, distant servers. */
const maxAttemptMs = 1000;

/** Opens connections. The signal ends that at any moment; then, and after a failure, no socket is left. */
export class Opening {
  constructor(
    private readonly way: Way,
    private readonly signal: AbortSignal,
    private readonly onStep: (step: ConnectionStep) => void,
  ) {}

  /**
   * A connection that is ready for HTTP: name, TCP, a proxy's tunnel if there is one, TLS if the scheme says so.
   * @throws ConnectError
   */
  async connectTo(origin: URL): Promise<Socket> {
    const service = peerOf(origin);
    const { proxy } = this.way;
    const socket = proxy ? await this.throughProxy(proxy, service) : await this.tcp(service, 'service');
    return origin.protocol === 'https:' ? this.tls(socket, service, 'service') : socket;
  }

  private async throughProxy(proxy: Proxy, service: Peer): Promise<Socket> {
    const peer = { host: proxy.host, port: proxy.port };
    let socket: Socket;
    try {
      socket = await this.tcp(peer, 'proxy');
      if (proxy.tls) socket = await this.tls(socket, peer, 'proxy');
    } catch (error) {
      // Whatever failed, it was on the way to the proxy.
      throw connectError(error instanceof ConnectError ? error.facts : error, peer, 'proxy');
    }
    await this.step(
      peer,
      () => openTunnel(socket, proxy, service, this.signal),
      (status) => ({ kind: 'proxy', ...peer, ...(status && { status }) }),
    );
    return socket;
  }

  /** Resolves the name, and connects to the first of its addresses that answers. */
  private async tcp(peer: Peer, whose: Whose): Promise<Socket> {
    const { host } = peer;
    const { resolve = (name) => systemLookup(name, { all: true }) } = this.way;
    let lookup: LookupFunction | undefined;
    if (isIP(host) === 0) {
      const addresses = await this.step(
        peer,
        () => orAborted(resolve(host), this.signal),
        (found = []) => ({ kind: 'dns', whose, host, addresses: found.map(({ address }) => address) }),
      );
      // The answer is known already: all of them, which is what `autoSelectFamily` asks for.
      lookup = (_host, _options, callback) => callback(null, addresses);
    }
    return this.step(
      peer,
      () => openTcp(peer, lookup, this.signal),
      (socket) => ({ kind: 'tcp', whose, ...peer, ...(socket?.remoteAddress && { address: socket.remoteAddress }) }),
    );
  }

  /** The certificate is always verified, whatever `NODE_TLS_REJECT_UNAUTHORIZED` says. */
  private tls(socket: Socket, peer: Peer, whose: Whose): Promise<TLSSocket> {
    const { host } = peer;
    let handshake: Handshake = {};
    return this.step(
      peer,
      async () => {
        const secured = tlsConnect({
          socket,
          host,
          // An address has no place in the server name; the certificate is then compared with `host`.
          servername: isIP(host) === 0 ? host : '',
          rejectUnauthorized: true,
          ALPNProtocols: ['http/1.1'],
          secureContext: this.way.context,
        });
        ignoreErrors(secured);
        // Read before Node judges the certificate: nothing can be read from a connection that it has rejected.
        secured.prependListener('secure', () => (handshake = describe(secured)));
        await untilEvent(secured, 'secureConnect', this.signal);
        return secured;
      },
      () => ({ kind: 'tls', whose, host, ...handshake }),
    );
  }

  private async step<T>(peer: Peer, run: () => Promise<T>, facts: (result?: T) => OpeningFacts): Promise<T> {
    const start = performance.now();
    try {
      const result = await run();
      this.onStep({ ...facts(result), duration: performance.now() - start });
      return result;
    } catch (error) {
      const step = facts();
      // The code of its error says why a TCP connection failed.
      const failsAs = step.kind === 'tcp' ? undefined : step.kind;
      const reason = this.signal.aborted ? Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' }) : error;
      const failed = reason instanceof ConnectError ? reason : connectError(reason, peer, failsAs);
      this.onStep({ ...step, duration: performance.now() - start, cause: failed.facts });
      throw failed;
    }
  }
}

async function openTcp(peer: Peer, lookup: LookupFunction | undefined, signal: AbortSignal): Promise<Socket> {
  const several = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: maxAttemptMs };
  const socket = netConnect({ ...peer, ...several, lookup });
  socket.setNoDelay(true).setKeepAlive(true, 60_000);
  ignoreErrors(socket);
  await untilEvent(socket, 'connect', signal);
  return socket;
}

/** An error of a socket without a listener would end the process. */
function ignoreErrors(socket: Socket): void {
  socket.on('error', () => undefined);
}

function describe(secured: TLSSocket): Handshake {
  const protocol = secured.getProtocol() ?? undefined;
  const certificate = secured.getPeerCertificate();
  // Without a certificate Node yields an empty object.
  if (!('raw' in certificate)) return { protocol };
  const { subject, issuer, valid_from: from, valid_to: to } = certificate;
  const times = { validFrom: Date.parse(from), validTo: Date.parse(to) };
  return {
    protocol,
    certificate: { subject: distinguishedName(subject), issuer: distinguishedName(issuer), ...times },
  };
}

function distinguishedName(name: object): string {
  return Object.entries(name)
    .map(([key, value]) => `${key}=${String(value)}`)
    .toReversed()
    .join(', ')
    .slice(0, 200);
}
