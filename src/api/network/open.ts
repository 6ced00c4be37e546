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
import type { Call, Handshake, OpeningFacts, Whose } from '../call.js';
import { hostAndPort, type Peer, peerOf } from '../failure.js';
import {
  type CertificateChain,
  ConnectError,
  toConnectError,
  type Validity,
} from './errorCodes.js';
import type { Pool } from './pool.js';
import type { Proxy } from './route.js';
import { headersOf } from './wire.js';

export type Resolve = (host: string) => Promise<LookupAddress[]>;

interface Way extends Pick<Call, 'signal' | 'onStep'> {
  readonly proxy?: Proxy;
  readonly context?: SecureContext;
  readonly resolve?: Resolve;
  readonly pool: Pick<Pool, 'client'>;
}

/** For one of several addresses. Node's own 250 give up on distant servers: https://github.com/nodejs/node/issues/54359. */
const maxAttemptMs = 1000;

/** Opens connections. The signal ends that at any moment; then, and after a failure, no socket is left. */
export class Opening {
  constructor(private readonly way: Way) {}

  async connectTo(origin: URL): Promise<Socket> {
    const platform = peerOf(origin);
    const { proxy } = this.way;
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
      if (proxy.tls) socket = await this.tls(socket, peer, 'proxy');
    } catch (error) {
      throw toConnectError(error, { ...peer, source: proxy.from }, { step: 'proxy' });
    }
    await this.step(
      peer,
      () => this.openTunnel(socket, proxy, platform),
      (status) => ({ kind: 'proxy', ...peer, ...(status && { status }) }),
    );
    return socket;
  }

  private async openTunnel(socket: Socket, proxy: Proxy, platform: Peer): Promise<number> {
    const { host, port, from: source, authorization } = proxy;
    const path = hostAndPort(platform);
    const headers = {
      host: path,
      ...(authorization !== undefined && { 'proxy-authorization': authorization }),
    };
    const client = this.way.pool.client(`http://${hostAndPort({ host, port })}`, socket);
    let challenges: string | undefined;
    // TLS to the proxy may fail after its handshake, of which undici does not tell.
    const broken = new Promise<never>((_, reject) => socket.once('error', reject));
    const answering = new Promise<number>((resolve, reject) => {
      client.dispatch(
        { method: 'CONNECT', path, headers },
        {
          onRequestStart: () => undefined,
          onRequestUpgrade: (_controller, status, answered) => {
            challenges = headersOf(answered)['proxy-authenticate'];
            resolve(status);
          },
          onResponseError: (_controller, error) => reject(error),
        },
      );
    });
    try {
      const status = await orAborted(Promise.race([broken, answering]), this.way.signal);
      if (status >= 200 && status < 300) return status;
      const schemes = knownSchemes(challengesIn(challenges));
      const asked = status === 407 && { schemes, sentCredentials: authorization !== undefined };
      throw new ConnectError({
        step: 'proxy',
        code: 'ERR_PROXY_TUNNEL',
        host,
        port,
        status,
        source,
        ...asked,
      });
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  private async tcp(peer: Peer, whose: Whose): Promise<Socket> {
    const { host } = peer;
    const { resolve = (name) => systemLookup(name, { all: true }) } = this.way;
    let lookup: LookupFunction | undefined;
    if (isIP(host) === 0) {
      const addresses = await this.step(
        peer,
        () => orAborted(resolve(host), this.way.signal),
        (found = []) => ({
          kind: 'dns',
          whose,
          host,
          addresses: found.map(({ address }) => address),
        }),
      );
      lookup = (_host, _options, callback) => callback(null, addresses);
    }
    return this.step(
      peer,
      () => openTcp(peer, lookup, this.way.signal),
      (socket) => ({
        kind: 'tcp',
        whose,
        ...peer,
        ...(socket?.remoteAddress && { address: socket.remoteAddress }),
      }),
    );
  }

  private tls(socket: Socket, peer: Peer, whose: Whose): Promise<TLSSocket> {
    const { host } = peer;
    let handshake: Handshake = {};
    let chain: CertificateChain | undefined;
    return this.step(
      peer,
      async () => {
        const secured = tlsConnect({
          socket,
          host,
          // TLS allows no address as a server name. Node then compares the certificate with `host`.
          servername: isIP(host) === 0 ? host : '',
          // `NODE_TLS_REJECT_UNAUTHORIZED` would be the default.
          rejectUnauthorized: true,
          ALPNProtocols: ['http/1.1'],
          secureContext: this.way.context,
        });
        ignoreErrors(secured);
        // Node drops the certificate when it rejects the connection, so it is read just before.
        secured.prependListener('secure', () => {
          handshake = describe(secured);
          chain = chainIn(secured);
        });
        await untilEvent(secured, 'secureConnect', this.way.signal);
        return secured;
      },
      () => ({ kind: 'tls', whose, host, ...handshake }),
      () => chain,
    );
  }

  private async step<T>(
    peer: Peer,
    run: () => Promise<T>,
    facts: (result?: T) => OpeningFacts,
    chainNow: () => CertificateChain | undefined = () => undefined,
  ): Promise<T> {
    const start = performance.now();
    try {
      // Those who heard of the step before may have aborted it.
      this.way.signal.throwIfAborted();
      const result = await run();
      this.way.onStep?.({ ...facts(result), duration: performance.now() - start });
      return result;
    } catch (error) {
      const step = facts();
      // The code of its error says why a TCP connection failed.
      const failsAs = step.kind === 'tcp' ? undefined : step.kind;
      const reason = this.way.signal.aborted ? withCode('ETIMEDOUT') : error;
      const isOfProxy = step.kind === 'proxy' || step.whose === 'proxy';
      const source = isOfProxy ? this.way.proxy?.from : undefined;
      const blamed = { ...peer, ...(source && { source }) };
      const failed = toConnectError(reason, blamed, { step: failsAs, chain: chainNow() });
      this.way.onStep?.({ ...step, duration: performance.now() - start, cause: failed.facts });
      throw failed;
    }
  }
}

async function openTcp(
  peer: Peer,
  lookup: LookupFunction | undefined,
  signal: AbortSignal,
): Promise<Socket> {
  const several = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: maxAttemptMs };
  const socket = netConnect({ ...peer, ...several, lookup });
  socket.setNoDelay(true).setKeepAlive(true, 60_000);
  ignoreErrors(socket);
  await untilEvent(socket, 'connect', signal);
  return socket;
}

/** Rejects with the socket's error, `ECONNRESET` if it closes, or the signal's reason; then the socket is destroyed. */
export async function untilEvent(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<void> {
  const closed = new AbortController();
  const close = (): void => closed.abort(withCode('ECONNRESET'));
  const either = AbortSignal.any([signal, closed.signal]);
  socket.once('close', close);
  if (socket.destroyed) close();
  try {
    await once(socket, event, { signal: either });
  } catch (error) {
    socket.destroy();
    throw either.aborted ? either.reason : error;
  } finally {
    socket.off('close', close);
  }
}

function withCode(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** An error of a socket without a listener would end the process. */
function ignoreErrors(socket: Socket): void {
  socket.on('error', () => undefined);
}

function describe(secured: TLSSocket): Handshake {
  const protocol = secured.getProtocol() ?? undefined;
  const certificate = secured.getPeerCertificate();
  if (!('raw' in certificate)) return { protocol };
  const issuer = distinguishedName(certificate.issuer);
  return { protocol, certificate: { issuer, ...validityOf(certificate) } };
}

/** What may be wrong with it; `undefined`: the peer has sent none. */
function chainIn(secured: TLSSocket): CertificateChain | undefined {
  const chain = certificatesOf(secured);
  const [own] = chain;
  if (!own) return undefined;
  const now = Date.now();
  const isOutdated = ({ validFrom, validTo }: Validity) => now < validFrom || now > validTo;
  // An intermediate one may have expired. A root comes from this machine's store.
  const sent = chain.filter((certificate) => certificate === own || !isSelfIssued(certificate));
  return { validity: sent.map(validityOf).find(isOutdated), issuer: issuerIn(own, chain.length) };
}

function issuerIn(own: PeerCertificate, count: number): CertificateChain['issuer'] {
  if (count > 1) return 'known';
  return isSelfIssued(own) ? 'itself' : 'missing';
}

function isSelfIssued({ issuer, subject }: PeerCertificate): boolean {
  return distinguishedName(issuer) === distinguishedName(subject);
}

/** From the peer's own one on, as far as the peer or the machine has them. */
function certificatesOf(secured: TLSSocket): readonly PeerCertificate[] {
  const chain = new Set<DetailedPeerCertificate>();
  let at: DetailedPeerCertificate | undefined = secured.getPeerCertificate(true);
  // Node gives an empty object if there is none, and a root is its own issuer.
  while (at !== undefined && 'raw' in at && !chain.has(at)) {
    chain.add(at);
    at = at.issuerCertificate;
  }
  return [...chain];
}

function validityOf({ valid_from: from, valid_to: to }: PeerCertificate): Validity {
  return { validFrom: Date.parse(from), validTo: Date.parse(to) };
}

function distinguishedName(name: object): string {
  return Object.entries(name)
    .map(([key, value]) => `${key}=${String(value)}`)
    .toReversed()
    .join(', ')
    .slice(0, 200);
}
