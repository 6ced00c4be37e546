import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import { once } from 'node:events';
import { isIP, type LookupFunction, connect as netConnect, type Socket } from 'node:net';
import {
  type DetailedPeerCertificate,
  type PeerCertificate,
  type SecureContext,
  type TLSSocket,
  connect as tlsConnect,
} from 'node:tls';
import { orAborted } from '../abort.js';
import { challengesIn, knownSchemes } from '../answerer/challenges.js';
import type { Call, Handshake, OpeningFacts, PeerRole } from '../call.js';
import { type ConnectionCause, hostAndPort, type Peer, peerOf } from '../failure.js';
import {
  type CertificateChain,
  ConnectError,
  toConnectError,
  type Validity,
} from './errorCodes.js';
import type { Pool } from './pool.js';
import type { Proxy } from './route.js';
import { headersOf } from './wire.js';

/** Resolves a host name to its addresses. */
export type Resolve = (host: string) => Promise<LookupAddress[]>;

interface OpeningOptions extends Pick<Call, 'signal' | 'onStep'> {
  readonly proxy?: Proxy;
  /** The certificates to trust. Not needed without TLS. */
  readonly context?: SecureContext;
  /** Default: the system's resolver. */
  readonly resolve?: Resolve;
  readonly pool: Pick<Pool, 'client'>;
}

/** A step of opening a connection. */
interface OpeningStep<T> {
  /** The peer that the step concerns. */
  readonly peer: Peer;
  readonly run: () => Promise<T>;
  /** What the listener gets to know. `result` is absent if the step has failed. */
  readonly facts: (result?: T) => OpeningFacts;
  /** The certificates that the peer has sent so far. Asked if the step has failed. */
  readonly chain?: () => CertificateChain | undefined;
}

/**
 * For one of several addresses. Node's default of 250 ms gives up on distant servers:
 * https://github.com/nodejs/node/issues/54359.
 */
const maxAttemptMs = 1000;

/**
 * Opens one connection to the platform, directly or through a proxy, and reports each step. The
 * signal ends that at any moment. After a failure no socket stays open. The router asks it.
 */
export class Opening {
  constructor(private readonly options: OpeningOptions) {}

  /** Rejects with `ConnectError`. */
  async connectTo(origin: URL): Promise<Socket> {
    const platform = peerOf(origin);
    const { proxy } = this.options;
    const socket = proxy
      ? await this.throughProxy(proxy, platform)
      : await this.tcp(platform, 'platform');
    return origin.protocol === 'https:' ? this.tls(socket, platform, 'platform') : socket;
  }

  private async throughProxy(proxy: Proxy, platform: Peer): Promise<Socket> {
    const peer = { host: proxy.host, port: proxy.port };
    let socket: Socket;
    try {
      socket = await this.tcp(peer, 'proxy');
      if (proxy.usesTls) socket = await this.tls(socket, peer, 'proxy');
    } catch (error) {
      throw toConnectError(error, { ...peer, source: proxy.source }, { step: 'proxy' });
    }
    await this.runStep({
      peer,
      run: () => this.openTunnel(socket, proxy, platform),
      facts: (status) => (status ? { kind: 'proxy', ...peer, status } : { kind: 'proxy', ...peer }),
    });
    return socket;
  }

  /**
   * Sends CONNECT. Resolves with the status of 2xx; destroys the socket and rejects for any other.
   */
  private async openTunnel(socket: Socket, proxy: Proxy, platform: Peer): Promise<number> {
    const { host, port, source, authorization } = proxy;
    // undici does not report that TLS to the proxy failed after its handshake.
    const broken = new Promise<never>((_, reject) => socket.once('error', reject));
    const answering = this.askForTunnel(socket, proxy, platform);
    try {
      const answer = await orAborted(Promise.race([broken, answering]), this.options.signal);
      const { status, challenges } = answer;
      if (status >= 200 && status < 300) return status;
      const refusal: ConnectionCause = {
        step: 'proxy',
        code: 'ERR_PROXY_TUNNEL',
        host,
        port,
        status,
        source,
      };
      if (status !== 407) throw new ConnectError(refusal);
      const schemes = knownSchemes(challengesIn(challenges));
      throw new ConnectError({
        ...refusal,
        schemes,
        sentCredentials: authorization !== undefined,
      });
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  /** Resolves with any answer to CONNECT. `challenges`: its `Proxy-Authenticate`. */
  private askForTunnel(socket: Socket, proxy: Proxy, platform: Peer): Promise<TunnelAnswer> {
    const path = hostAndPort(platform);
    const headers: Record<string, string> = { host: path };
    if (proxy.authorization !== undefined) headers['proxy-authorization'] = proxy.authorization;
    const client = this.options.pool.client(`http://${hostAndPort(proxy)}`, socket);
    return new Promise((resolve, reject) => {
      client.dispatch(
        { method: 'CONNECT', path, headers },
        {
          onRequestStart: () => undefined,
          onRequestUpgrade: (_controller, status, received) => {
            resolve({ status, challenges: headersOf(received)['proxy-authenticate'] });
          },
          onResponseError: (_controller, error) => reject(error),
        },
      );
    });
  }

  private async tcp(peer: Peer, role: PeerRole): Promise<Socket> {
    const { host } = peer;
    const isName = isIP(host) === 0;
    let lookup: LookupFunction | undefined;
    if (isName) {
      const addresses = await this.dns(peer, role);
      lookup = (_host, _options, callback) => callback(null, addresses);
    }
    return this.runStep({
      peer,
      run: () => openTcp(peer, lookup, this.options.signal),
      facts: (socket) => {
        const address = socket?.remoteAddress;
        const facts = { kind: 'tcp', role, ...peer } as const;
        return address ? { ...facts, address } : facts;
      },
    });
  }

  private dns(peer: Peer, role: PeerRole): Promise<LookupAddress[]> {
    const { host } = peer;
    const { resolve = resolveBySystem, signal } = this.options;
    return this.runStep({
      peer,
      run: () => orAborted(resolve(host), signal),
      facts: (found = []) => ({
        kind: 'dns',
        role,
        host,
        addresses: found.map(({ address }) => address),
      }),
    });
  }

  private tls(socket: Socket, peer: Peer, role: PeerRole): Promise<TLSSocket> {
    const { host } = peer;
    let handshake: Handshake = {};
    let chain: CertificateChain | undefined;
    return this.runStep({
      peer,
      run: async () => {
        const secured = tlsConnect({
          socket,
          host,
          // TLS allows no address as a server name. Node then compares the certificate with `host`.
          servername: isIP(host) === 0 ? host : '',
          // `NODE_TLS_REJECT_UNAUTHORIZED` would be the default.
          rejectUnauthorized: true,
          ALPNProtocols: ['http/1.1'],
          secureContext: this.options.context,
        });
        ignoreErrors(secured);
        // Node drops the certificate when it rejects the connection, so it is read just before.
        secured.prependListener('secure', () => {
          handshake = handshakeOf(secured);
          chain = chainOf(secured);
        });
        await untilEvent(secured, 'secureConnect', this.options.signal);
        return secured;
      },
      facts: () => ({ kind: 'tls', role, host, ...handshake }),
      chain: () => chain,
    });
  }

  /** Reports the step when it ends. Rejects with `ConnectError`. */
  private async runStep<T>({ peer, run, facts, chain }: OpeningStep<T>): Promise<T> {
    const { onStep, proxy, signal } = this.options;
    const start = performance.now();
    try {
      // The listener of the step before may have aborted the request.
      signal.throwIfAborted();
      const result = await run();
      onStep?.({ ...facts(result), duration: performance.now() - start });
      return result;
    } catch (error) {
      const failedFacts = facts();
      // Why a TCP connection failed (`refused`, `network`) is in the code of its error.
      const step = failedFacts.kind === 'tcp' ? undefined : failedFacts.kind;
      const reason = signal.aborted ? errorWithCode('ETIMEDOUT') : error;
      const isOfProxy = failedFacts.kind === 'proxy' || failedFacts.role === 'proxy';
      const source = isOfProxy ? proxy?.source : undefined;
      const blamed = source ? { ...peer, source } : peer;
      const failed = toConnectError(reason, blamed, { step, chain: chain?.() });
      const duration = performance.now() - start;
      onStep?.({ ...failedFacts, duration, cause: failed.facts });
      throw failed;
    }
  }
}

interface TunnelAnswer {
  readonly status: number;
  readonly challenges: string | undefined;
}

function resolveBySystem(host: string): Promise<LookupAddress[]> {
  return systemLookup(host, { all: true });
}

/** Rejects with the socket's error or the signal's reason; then the socket is destroyed. */
async function openTcp(
  peer: Peer,
  lookup: LookupFunction | undefined,
  signal: AbortSignal,
): Promise<Socket> {
  const socket = netConnect({
    ...peer,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: maxAttemptMs,
    lookup,
  });
  socket.setNoDelay(true).setKeepAlive(true, 60_000);
  ignoreErrors(socket);
  await untilEvent(socket, 'connect', signal);
  return socket;
}

/**
 * Resolves when the socket has emitted the event. Destroys the socket, and rejects with its error,
 * with `ECONNRESET` if it closes, or with the signal's reason.
 */
export async function untilEvent(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<void> {
  const closed = new AbortController();
  const onClose = (): void => closed.abort(errorWithCode('ECONNRESET'));
  const closedOrAborted = AbortSignal.any([signal, closed.signal]);
  socket.once('close', onClose);
  if (socket.destroyed) onClose();
  try {
    await once(socket, event, { signal: closedOrAborted });
  } catch (error) {
    socket.destroy();
    // In place of the reason, `once` throws an `AbortError`.
    throw closedOrAborted.aborted ? closedOrAborted.reason : error;
  } finally {
    socket.off('close', onClose);
  }
}

function errorWithCode(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** An `error` event of a socket without a listener would end the process. */
function ignoreErrors(socket: Socket): void {
  socket.on('error', () => undefined);
}

function handshakeOf(secured: TLSSocket): Handshake {
  const protocol = secured.getProtocol() ?? undefined;
  const certificate = secured.getPeerCertificate();
  const hasCertificate = 'raw' in certificate;
  if (!hasCertificate) return { protocol };
  const issuer = distinguishedName(certificate.issuer);
  return { protocol, certificate: { issuer, ...validityOf(certificate) } };
}

/** Returns `undefined` if the peer has sent no certificate. */
function chainOf(secured: TLSSocket): CertificateChain | undefined {
  const certificates = certificatesOf(secured);
  const [leaf] = certificates;
  if (!leaf) return undefined;
  const now = Date.now();
  const isOutdated = ({ validFrom, validTo }: Validity) => now < validFrom || now > validTo;
  // Not only the leaf may have expired. A root comes from this machine's store.
  const sent = certificates.filter(
    (certificate) => certificate === leaf || !isSelfIssued(certificate),
  );
  const validity = sent.map(validityOf).find(isOutdated);
  return { validity, issuer: issuerOf(leaf, certificates.length) };
}

/** `count`: of the certificates that the peer or the machine has, from the leaf on. */
function issuerOf(leaf: PeerCertificate, count: number): CertificateChain['issuer'] {
  if (count > 1) return 'known';
  return isSelfIssued(leaf) ? 'itself' : 'missing';
}

function isSelfIssued({ issuer, subject }: PeerCertificate): boolean {
  return distinguishedName(issuer) === distinguishedName(subject);
}

/**
 * Returns the peer's own certificate, its issuer's, and so on, as far as the peer has sent them or
 * they are in this machine's store.
 */
function certificatesOf(secured: TLSSocket): readonly PeerCertificate[] {
  const certificates = new Set<DetailedPeerCertificate>();
  let current: DetailedPeerCertificate | undefined = secured.getPeerCertificate(true);
  // Node gives an empty object if there is no certificate, and a root is its own issuer.
  while (current !== undefined && 'raw' in current && !certificates.has(current)) {
    certificates.add(current);
    current = current.issuerCertificate;
  }
  return [...certificates];
}

/** In epoch ms. */
function validityOf({ valid_from: from, valid_to: to }: PeerCertificate): Validity {
  return { validFrom: Date.parse(from), validTo: Date.parse(to) };
}

/** `CN=ca.example, O=Example`, at most 200 characters. */
function distinguishedName(name: object): string {
  const parts = Object.entries(name).map(([key, value]) => `${key}=${String(value)}`);
  return parts.toReversed().join(', ').slice(0, 200);
}
