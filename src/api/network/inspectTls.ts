import { isIP, type Socket } from 'node:net';
import { type DetailedPeerCertificate, type SecureContext, type TLSSocket, connect as tlsConnect } from 'node:tls';
import type { CertificateFacts } from '../connectionStep.js';
import { codeOf } from './code.js';
import type { Peer } from './connectError.js';
import type { Store, Trust } from './trust.js';
import { untilEvent } from './untilEvent.js';

const longestName = 200;

export interface TlsFacts {
  readonly protocol?: string;
  readonly certificate?: CertificateFacts;
  readonly trustedBy?: Store;
  /** Why the certificate is not trusted; nothing may be sent then. */
  readonly rejected?: string;
}

/**
 * TLS for looking at the certificate: the handshake is completed even if it is not trusted, so that its issuer and validity can be
 * told. Only a socket whose facts say nothing of `rejected` may be used for more. Rejects with the socket's own error.
 */
export async function inspectTls(
  socket: Socket,
  peer: Peer,
  signal: AbortSignal,
  secureContext: SecureContext | undefined,
  trust: Pick<Trust, 'storeOf'>,
): Promise<{ secured: TLSSocket; facts: TlsFacts }> {
  const secured = tlsConnect({
    socket,
    host: peer.host,
    servername: isIP(peer.host) === 0 ? peer.host : '',
    rejectUnauthorized: false,
    ALPNProtocols: ['http/1.1'],
    ...(secureContext && { secureContext }),
  });
  await untilEvent(secured, 'secureConnect', signal);
  const chain = secured.getPeerCertificate(true);
  const protocol = secured.getProtocol();
  const shown = certificateFacts(chain);
  const trustedBy = secured.authorized ? trust.storeOf(lastOf(chain).raw) : undefined;
  const facts: TlsFacts = {
    ...(protocol !== null && { protocol }),
    ...(shown && { certificate: shown }),
    ...(trustedBy && { trustedBy }),
    ...(!secured.authorized && { rejected: codeOf({ code: secured.authorizationError }) }),
  };
  return { secured, facts };
}

function certificateFacts(certificate: DetailedPeerCertificate): CertificateFacts | undefined {
  // Without a certificate Node yields an empty object.
  if (!('raw' in certificate)) {
    return undefined;
  }
  const { subject, issuer, valid_from: from, valid_to: to } = certificate;
  return { subject: nameOf(subject), issuer: nameOf(issuer), validFrom: Date.parse(from), validTo: Date.parse(to) };
}

function nameOf(name: object): string {
  return Object.entries(name)
    .map(([key, value]) => `${key}=${String(value)}`)
    .toReversed()
    .join(', ')
    .slice(0, longestName);
}

/** The authority at the end of the chain. */
function lastOf(chain: DetailedPeerCertificate): DetailedPeerCertificate {
  let last = chain;
  for (let depth = 0; depth < 20 && last.issuerCertificate && last.issuerCertificate !== last; depth++) {
    last = last.issuerCertificate;
  }
  return last;
}
