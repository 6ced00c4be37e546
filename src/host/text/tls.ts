import { l10n } from 'vscode';
import { type ConnectionCause, hostAndPort } from '../../api/failure.js';
import { type TlsProblem, tlsProblemOf } from '../../api/network/tlsErrors.js';
import { absoluteTime } from './format.js';

/**
 * Why a TLS handshake failed, as a part of a sentence: "no TLS on this port
 * (ERR_SSL_WRONG_VERSION_NUMBER)".
 */
export function tlsWord(cause: ConnectionCause): string {
  const { code } = cause;
  switch (tlsProblemOf(cause)) {
    case 'plainPort':
      return l10n.t('no TLS on this port ({code})', { code });
    case 'clientCertificate':
      return l10n.t('a client certificate is required, which is not supported ({code})', { code });
    case 'refused':
      return l10n.t(
        'the TLS handshake was refused, perhaps because a client certificate is required, which is not supported ({code})',
        { code },
      );
    case 'version':
      return l10n.t('no TLS version in common ({code})', { code });
    case 'unknownName':
      return l10n.t('the server does not know this host name ({code})', { code });
    case 'wrongName':
      return l10n.t('certificate issued for another host ({code})', { code });
    case 'expired':
      return expiredWord(cause);
    case 'notYetValid':
      return notYetValidWord(cause);
    case 'issuer':
      return l10n.t('certificate issuer not trusted on this machine ({code})', { code });
    case 'leafAlone':
      return l10n.t(
        'certificate issuer not trusted on this machine, or intermediate certificate not sent ({code})',
        { code },
      );
    case 'selfSigned':
      return l10n.t('self-signed certificate, not trusted on this machine ({code})', { code });
    case 'revoked':
      return l10n.t('certificate revoked ({code})', { code });
    case 'weak':
      return l10n.t('key or signature of the certificate too weak ({code})', { code });
    case 'rejected':
      return l10n.t('certificate rejected ({code})', { code });
    case 'closed':
      return l10n.t('connection closed during the TLS handshake ({code})', { code });
    case 'silent':
      return l10n.t('no response to the TLS handshake ({code})', { code });
    case 'other':
      return l10n.t('TLS failed ({code})', { code });
  }
}

/**
 * "certificate expired on Nov 20, 2026, …, and this machine’s clock says Nov 26, 2026, …
 * (CERT_HAS_EXPIRED)"
 */
function expiredWord({ code, times }: ConnectionCause): string {
  if (!times) return l10n.t('certificate expired ({code})', { code });
  const now = absoluteTime(times.now);
  if (times.validTo === undefined) {
    return l10n.t('certificate expired by this machine’s clock, which says {now} ({code})', {
      code,
      now,
    });
  }
  return l10n.t('certificate expired on {time}, and this machine’s clock says {now} ({code})', {
    code,
    now,
    time: absoluteTime(times.validTo),
  });
}

/**
 * "certificate not valid before Nov 28, 2026, …, and this machine’s clock says Nov 26, 2026, …
 * (CERT_NOT_YET_VALID)". `times`: epoch ms; `now` is when the handshake failed, and `validFrom` is
 * absent unless the certificate that is not valid yet is one that the peer has sent.
 */
function notYetValidWord({ code, times }: ConnectionCause): string {
  if (!times) return l10n.t('certificate not valid yet ({code})', { code });
  const now = absoluteTime(times.now);
  if (times.validFrom === undefined) {
    return l10n.t('certificate not valid yet by this machine’s clock, which says {now} ({code})', {
      code,
      now,
    });
  }
  return l10n.t(
    'certificate not valid before {time}, and this machine’s clock says {now} ({code})',
    {
      code,
      now,
      time: absoluteTime(times.validFrom),
    },
  );
}

/**
 * "Check the clock of this machine. If it is right, ask whoever runs my.host to renew the
 * certificate." `host`: the peer's, perhaps with a port.
 */
function expiredAdvice({ times }: ConnectionCause, host: string): string {
  // Node does not say which certificate has expired. If none that the peer has sent has, `validTo`
  // is absent, and it may be one in the store of this machine.
  const isMachinesCertificatePossible = times?.validTo === undefined;
  return isMachinesCertificatePossible
    ? l10n.t(
        'Check the clock of this machine. If it is right, a certificate that {host} sends or one in the certificate store of this machine has expired.',
        { host },
      )
    : l10n.t(
        'Check the clock of this machine. If it is right, ask whoever runs {host} to renew the certificate.',
        { host },
      );
}

/** Problems whose probable cause is a wrong host or port in the base URL. */
const problemsOfBaseUrl: ReadonlySet<TlsProblem> = new Set<TlsProblem>([
  'plainPort',
  'unknownName',
  'wrongName',
]);

/** Whether a failed TLS handshake shows that the base URL itself is probably wrong. */
export function blamesBaseUrl(cause: ConnectionCause): boolean {
  return cause.step === 'tls' && problemsOfBaseUrl.has(tlsProblemOf(cause));
}

/**
 * What helps against a failed TLS handshake: "Check the clock of this machine. If it is right, …"
 * `undefined` if nothing is known to help.
 */
export function tlsAdvice(cause: ConnectionCause): string | undefined {
  const host = hostAndPort(cause);
  const variable = 'NODE_EXTRA_CA_CERTS';
  switch (tlsProblemOf(cause)) {
    case 'plainPort':
      return l10n.t('Check the port in the base URL.');
    case 'clientCertificate':
      return l10n.t('Ask whoever runs {host} for access without a client certificate.', { host });
    case 'refused':
      return l10n.t('Ask whoever runs {host} what it requires of a TLS connection.', { host });
    case 'version':
      return l10n.t('Ask whoever runs {host} to turn on TLS 1.2 or newer.', { host });
    case 'unknownName':
      return l10n.t('Check the host in the base URL.');
    case 'wrongName':
      return l10n.t(
        'Check the host in the base URL. A gateway or web filter may also have answered in its place.',
      );
    case 'expired':
      return expiredAdvice(cause, host);
    case 'notYetValid':
      return l10n.t(
        'Check the clock of this machine. If it is right, ask whoever runs {host} for a certificate that is valid now.',
        { host },
      );
    case 'issuer':
      return l10n.t(
        'Install the certificate of its authority on this machine, or set {variable} to a file with the root certificate and restart VS Code.',
        { variable },
      );
    case 'leafAlone':
      return l10n.t(
        'Install the certificate of its authority on this machine, or set {variable} to a file with the root certificate and restart VS Code. If others can connect, ask whoever runs {host} to send the intermediate certificate.',
        { variable, host },
      );
    case 'selfSigned':
      return l10n.t(
        'If this is the right server, install its certificate on this machine, or set {variable} to a file with it and restart VS Code.',
        { variable },
      );
    case 'revoked':
    case 'weak':
    case 'rejected':
      return l10n.t('Ask whoever runs {host} for a new certificate.', { host });
    case 'closed':
    case 'silent':
      return l10n.t(
        'A firewall or web filter may block the connection. Ask your network administrator.',
      );
    case 'other':
      return undefined;
  }
}
