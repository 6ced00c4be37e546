import type { ConnectionCause } from '../failure.js';

/**
 * Why a TLS handshake failed, or a connection right after it.
 * - `plainPort`: the peer speaks no TLS.
 * - `clientCertificate`: the peer wants one.
 * - `refused`: the peer ended the handshake with an alert that gives no clear reason.
 * - `version`: peer and client have no version of TLS, or no cipher, in common.
 * - `unknownName`: the peer does not know the host name. `wrongName`: its certificate is for
 *   another.
 * - `issuer`: the issuing authority is not trusted. `leafAlone`: it is not trusted, or the peer
 *   does not send its intermediate certificate. `selfSigned`: the certificate itself would have to
 *   be trusted.
 * - `weak`: the certificate has a weak key or signature.
 * - `rejected`: the certificate is invalid for a reason that a user cannot change.
 * - `closed`: the connection was closed without an alert. `silent`: the peer did not answer in
 *   time.
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

/** Codes of OpenSSL's verification, as Node writes them. */
const verificationCodes = [
  'CERT_.*',
  'CRL_.*',
  'UNABLE_TO_.*',
  'ERROR_IN_(?:CERT|CRL)_.*',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'INVALID_(?:CA|PURPOSE)',
  'PATH_LENGTH_EXCEEDED',
  'HOSTNAME_MISMATCH',
  '(?:EE|CA)_KEY_TOO_SMALL',
  'CA_MD_TOO_WEAK',
  // An error that Node has no name for, such as a weak signature.
  'UNSPECIFIED',
];
const verificationCode = new RegExp(`^(?:${verificationCodes.join('|')})$`);

/** Whether the code says that the client rejected the peer's certificate. Then nothing was sent. */
export function isVerificationError(code: string): boolean {
  return verificationCode.test(code) || /^ERR_(?:TLS_CERT_ALTNAME_INVALID|CERT_\w+)$/.test(code);
}

/**
 * Whether only TLS fails with this code. Chromium has codes such as `ERR_CERT_DATE_INVALID`, if the
 * editor's `fetch` is Chromium's. undici has `UND_ERR_PRX_TLS` for a proxy's certificate with
 * another host name.
 */
export function isTlsError(code: string): boolean {
  return (
    isVerificationError(code) ||
    /^(?:ERR_(?:TLS|SSL|OSSL|BAD_SSL)_.*|EPROTO|UND_ERR_PRX_TLS)$/.test(code)
  );
}

/**
 * The problem of each code; the first pattern that matches counts. OpenSSL and BoringSSL write the
 * same alert in different ways.
 */
const problems: readonly (readonly [RegExp, TlsProblem])[] = [
  [/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTPS?_(?:PROXY_)?REQUEST/, 'plainPort'],
  // This client has no certificate, so these alerts are not about a bad one.
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
  [/^(?:ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH|UND_ERR_PRX_TLS)$/, 'wrongName'],
  [/^ERR_CERT_COMMON_NAME_INVALID$/, 'wrongName'],
  [/^(?:CERT_HAS_EXPIRED|ERR_CERT_DATE_INVALID)$/, 'expired'],
  [/^CERT_NOT_YET_VALID$/, 'notYetValid'],
  [/^UNABLE_TO_VERIFY_LEAF_SIGNATURE$/, 'leafAlone'],
  [/^DEPTH_ZERO_SELF_SIGNED_CERT$/, 'selfSigned'],
  [/^(?:UNABLE_TO_GET_ISSUER_CERT.*|SELF_SIGNED_CERT_IN_CHAIN|CERT_UNTRUSTED)$/, 'issuer'],
  [/^ERR_CERT_AUTHORITY_INVALID$/, 'issuer'],
  [/^(?:CERT_REVOKED|ERR_CERT_REVOKED)$/, 'revoked'],
  [/KEY_TOO_SMALL|MD_TOO_WEAK|WEAK_(?:SIGNATURE_ALGORITHM|KEY)/, 'weak'],
  [/^(?:ECONNRESET|ECONNABORTED|EPIPE)$/, 'closed'],
  [/^ETIMEDOUT$/, 'silent'],
];

/** Returns what is wrong if TLS failed with this cause. The code alone depends on the library. */
export function tlsProblemOf(
  cause: Pick<ConnectionCause, 'code' | 'issuer' | 'isAfterHandshake'>,
): TlsProblem {
  const { code, issuer, isAfterHandshake } = cause;
  // For these the code also depends on whether an issuing authority is trusted without its root.
  if (issuer === 'missing') return 'leafAlone';
  if (issuer === 'itself') return 'selfSigned';
  const problem = problems.find(([pattern]) => pattern.test(code))?.[1];
  // A proxy may send plain HTTP into a tunnel, for example that the time is up.
  if (problem === 'plainPort' && isAfterHandshake) return 'other';
  if (problem !== undefined) return problem;
  return isVerificationError(code) ? 'rejected' : 'other';
}
