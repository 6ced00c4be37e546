import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction, connect as netConnect, type Socket } from 'node:net';
import { type DetailedPeerCertificate, type SecureContext, type TLSSocket, connect as tlsConnect } from 'node:tls';
import { orStopped, untilEvent } from '../deadline.js';
import type { ConnectionCause } from '../failure.js';
import { ConnectError, connectError, type Peer, peerOf } from './errorCodes.js';
import type { Proxy } from './route.js';
import type { CertificateStore } from './trust.js';
import { openTunnel } from './tunnel.js';

/** All addresses of a name, in the order in which they are tried. Rejects with the resolver's error. */
export type Resolve = (host: string) => Promise<LookupAddress[]>;

interface Way {
  readonly proxy?: Proxy;
  /** Whose certificates are trusted; absent: Node's default. */
  readonly context?: SecureContext;
  readonly resolve?: Resolve;
  /** The store that holds the certificate of an authority. Only to tell it. */
  readonly storeOf?: (certificate: Buffer) => CertificateStore | undefined;
}

/** Whose name, connection or certificate a step is about. */
export type Whose = 'service' | 'proxy';

interface Handshake {
  readonly protocol?: string;
  /** As its owner presents it. Names: for example `CN=host.example, O=Example`, text of theirs, bounded. Times: epoch ms. */
  readonly certificate?: Readonly<Record<'subject' | 'issuer', string> & Record<'validFrom' | 'validTo', number>>;
  /** The store that holds the authority at the end of the chain, as far as this Node can tell. */
  readonly trustedBy?: CertificateStore;
}

type StepFacts =
  | { readonly kind: 'dns'; readonly whose: Whose; readonly host: string; readonly addresses: readonly string[] }
  /** `address`: the one that answered. */
  | (Peer & { readonly kind: 'tcp'; readonly whose: Whose; readonly address?: string })
  | (Handshake & { readonly kind: 'tls'; readonly whose: Whose; readonly host: string })
  /** `status`: that of the proxy's answer to `CONNECT`, if it let us through. */
  | (Peer & { readonly kind: 'proxy'; readonly status?: number });

/** One step of opening a connection, after its end. No credential is in it. `duration`: ms; `cause`: why it failed, if it did. */
export type OpeningStep = StepFacts & { readonly duration: number; readonly cause?: ConnectionCause };

/** Ms for one of several addresses before the next is tried. Node's own 250 give up on working, distant servers. */
const attemptTimeout = 1000;

/** Opens connections. The signal ends that at any moment; then, and after a failure, no socket is left. */
export class Opening {
  /** `observe` is told of each step when it has ended. */
  constructor(
    private readonly way: Way,
    private readonly signal: AbortSignal,
    private readonly observe?: (step: OpeningStep) => void,
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
        () => orStopped(resolve(host), this.signal),
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
        // Told before Node judges the certificate: nothing can be read from a connection that it has rejected.
        secured.prependListener('secure', () => (handshake = describe(secured)));
        await untilEvent(secured, 'secureConnect', this.signal);
        return secured;
      },
      (secured) => {
        const trustedBy = secured && this.way.storeOf?.(authorityOf(secured.getPeerCertificate(true)));
        return { kind: 'tls', whose, host, ...handshake, ...(trustedBy && { trustedBy }) };
      },
    );
  }

  /** Runs a step and tells of it. */
  private async step<T>(peer: Peer, run: () => Promise<T>, facts: (result?: T) => StepFacts): Promise<T> {
    const start = performance.now();
    try {
      const result = await run();
      this.observe?.({ ...facts(result), duration: performance.now() - start });
      return result;
    } catch (error) {
      const step = facts();
      // Why a TCP connection failed is told from the code of its error.
      const failsAs = step.kind === 'tcp' ? undefined : step.kind;
      const failed = error instanceof ConnectError ? error : connectError(error, peer, failsAs);
      this.observe?.({ ...step, duration: performance.now() - start, cause: failed.facts });
      throw failed;
    }
  }
}

async function openTcp(peer: Peer, lookup: LookupFunction | undefined, signal: AbortSignal): Promise<Socket> {
  const several = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: attemptTimeout };
  const socket = netConnect({ ...peer, ...several, lookup });
  socket.setNoDelay(true).setKeepAlive(true, 60_000);
  ignoreErrors(socket);
  await untilEvent(socket, 'connect', signal);
  return socket;
}

/** An error of a socket that nobody listens to any more would end the process. */
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
  return { protocol, certificate: { subject: nameOf(subject), issuer: nameOf(issuer), ...times } };
}

/** The certificate of the authority at the end of the chain, which names itself or nobody. */
function authorityOf({ raw, issuerCertificate: next }: DetailedPeerCertificate): Buffer {
  return next && !next.raw.equals(raw) ? authorityOf(next) : raw;
}

function nameOf(name: object): string {
  return Object.entries(name)
    .map(([key, value]) => `${key}=${String(value)}`)
    .toReversed()
    .join(', ')
    .slice(0, 200);
}
