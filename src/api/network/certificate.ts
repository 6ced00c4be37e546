import type { DetailedPeerCertificate } from 'node:tls';

/** Facts of a certificate as its owner presents it: text of theirs, bounded. */
export interface CertificateFacts {
  /** For example `CN=host.example, O=Example`. */
  readonly subject: string;
  readonly issuer: string;
  /** Epoch ms. */
  readonly validFrom: number;
  /** Epoch ms. */
  readonly validTo: number;
}

const longestName = 200;

export function certificateFacts(certificate: DetailedPeerCertificate): CertificateFacts | undefined {
  // Without a certificate Node yields an empty object.
  if (!('raw' in certificate)) return undefined;
  const { subject, issuer, valid_from: from, valid_to: to } = certificate;
  return { subject: nameOf(subject), issuer: nameOf(issuer), validFrom: Date.parse(from), validTo: Date.parse(to) };
}

/** The certificate of the authority at the end of the chain. */
export function authorityOf(chain: DetailedPeerCertificate): Buffer {
  let last = chain;
  for (let depth = 0; depth < 20 && last.issuerCertificate && last.issuerCertificate !== last; depth++) {
    last = last.issuerCertificate;
  }
  return last.raw;
}

function nameOf(name: object): string {
  return Object.entries(name)
    .map(([key, value]) => `${key}=${String(value)}`)
    .toReversed()
    .join(', ')
    .slice(0, longestName);
}
