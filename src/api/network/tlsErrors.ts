import type { ConnectionCause } from '../failure.js';

/**
 * What is wrong with a TLS handshake, or with what it agreed on. `plainPort`: the peer speaks no TLS.
 * `refused`: the peer ended the handshake with an alert that gives no clear reason. `leafAlone`: the
 * issuer is not trusted, or the peer does not send its intermediate certificate. `selfSigned`: the
 * certificate itself is the one to trust. `rejected`: for a reason that a user cannot mend. `closed`: the
 * connection ended without a word.
 */
export type TlsProblem =
  | 'plainPort'
  | 'clientCertificate'
  | 'refused'
  | 'version'
  | 'unknownName'
  | 'wrongName'
  | 'expired'
  | 'notYetValid'
  | 'issuer'
  | 'leafAlone'
  | 'selfSigned'
  | 'revoked'
  | 'weak'
  | 'rejected'
  | 'closed'
  | 'silent'
  | 'other';

/** Codes of OpenSSL's verification, as Node writes them. `UNSPECIFIED`: one that Node has no name for, such as a weak signature. */
const verification =
  /^(?:CERT_.*|CRL_.*|UNABLE_TO_.*|ERROR_IN_(?:CERT|CRL)_.*|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|INVALID_(?:CA|PURPOSE)|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH|(?:EE|CA)_KEY_TOO_SMALL|CA_MD_TOO_WEAK|UNSPECIFIED)$/;

/** Whether this is the code of a certificate that was refused: then nothing was sent. */
export function isVerificationError(code: string): boolean {
  return verification.test(code) || /^ERR_(?:TLS_CERT_ALTNAME_INVALID|CERT_\w+)$/.test(code);
}

/**
 * Whether only TLS fails with this code. `ERR_CERT_…`: Chromium's, where the editor's `fetch` is its own.
 * `UND_ERR_PRX_TLS`: undici's, for a proxy's certificate with another name.
 */
export function isTlsError(code: string): boolean {
  return (
    isVerificationError(code) ||
    /^(?:ERR_(?:TLS|SSL|OSSL|BAD_SSL)_.*|EPROTO|UND_ERR_PRX_TLS)$/.test(code)
  );
}

/** The first that matches counts. OpenSSL and BoringSSL write the same alert in different ways. */
const problems: readonly (readonly [RegExp, TlsProblem])[] = [
  [/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTPS?_(?:PROXY_)?REQUEST/, 'plainPort'],
  // Sent to a client that has no certificate, it is not about one of the server's.
  [
    /CERTIFICATE_REQUIRED|ALERT_(?:NO|BAD|UNSUPPORTED)_CERTIFICATE|CLIENT_AUTH_CERT/,
    'clientCertificate',
  ],
  [/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|VERSION_TOO_LOW|VERSION_OR_CIPHER_MISMATCH/, 'version'],
  [/UNRECOGNIZED_NAME/, 'unknownName'],
  [
    /ALERT_(?:HANDSHAKE_FAILURE|ACCESS_DENIED|UNKNOWN_CA|CERTIFICATE_\w+|INSUFFICIENT_SECURITY)/,
    'refused',
  ],
  [
    /^(?:ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH|ERR_CERT_COMMON_NAME_INVALID|UND_ERR_PRX_TLS)$/,
    'wrongName',
  ],
  [/^(?:CERT_HAS_EXPIRED|ERR_CERT_DATE_INVALID)$/, 'expired'],
  [/^CERT_NOT_YET_VALID$/, 'notYetValid'],
  [/^UNABLE_TO_VERIFY_LEAF_SIGNATURE$/, 'leafAlone'],
  [/^DEPTH_ZERO_SELF_SIGNED_CERT$/, 'selfSigned'],
  [
    /^(?:UNABLE_TO_GET_ISSUER_CERT.*|SELF_SIGNED_CERT_IN_CHAIN|CERT_UNTRUSTED|ERR_CERT_AUTHORITY_INVALID)$/,
    'issuer',
  ],
  [/^(?:CERT_REVOKED|ERR_CERT_REVOKED)$/, 'revoked'],
  [/KEY_TOO_SMALL|MD_TOO_WEAK|WEAK_(?:SIGNATURE_ALGORITHM|KEY)/, 'weak'],
  [/^(?:ECONNRESET|ECONNABORTED|EPIPE)$/, 'closed'],
  [/^ETIMEDOUT$/, 'silent'],
];

/** What a cause means of which it is known that TLS failed. */
export function tlsProblemOf(
  cause: Pick<ConnectionCause, 'code' | 'issuer' | 'isAfterHandshake'>,
): TlsProblem {
  const { code, issuer, isAfterHandshake } = cause;
  // The code depends on whether an issuing authority without its root is trusted, and on the library.
  if (issuer === 'missing') return 'leafAlone';
  if (issuer === 'itself') return 'selfSigned';
  const [, problem] = problems.find(([pattern]) => pattern.test(code)) ?? [];
  // A proxy may say plain HTTP into a tunnel, for example that the time is up.
  if (problem === 'plainPort' && isAfterHandshake) return 'other';
  return problem ?? (isVerificationError(code) ? 'rejected' : 'other');
}
