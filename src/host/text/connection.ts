import { l10n } from 'vscode';
import type { ConnectionCause } from '../../api/failure.js';

/** The step of a connection that failed, in a few words: "name not found (api.example)". */
export function connectionWord(cause: ConnectionCause): string {
  switch (cause.step) {
    case 'dns':
      return l10n.t('name {host} not found ({code})', { host: cause.host, code: cause.code });
    case 'refused':
      return l10n.t('connection refused by {host}', { host: peer(cause) });
    case 'tls':
      return certificateWord(cause.code);
    case 'proxy':
      return proxyWord(cause);
    case 'network':
      return isUnsendable(cause)
        ? l10n.t('token cannot be sent')
        : l10n.t('no way to {host} ({code})', { host: peer(cause), code: cause.code });
  }
}

function proxyWord(cause: ConnectionCause): string {
  const { code, host, status, source } = cause;
  if (source !== undefined) {
    return code === 'ERR_SOCKS_UNSUPPORTED'
      ? l10n.t('SOCKS proxy in {setting} needs an editor that verifies certificates', { setting: source })
      : l10n.t('no usable proxy address in {setting}', { setting: source });
  }
  if (status === undefined) return l10n.t('proxy {host} ({code})', { host: peer(cause), code });
  return host === ''
    ? l10n.t('the proxy that the editor uses answered {status}', { status })
    : l10n.t('proxy {host} answered {status}', { host: peer(cause), status });
}

/** What to do about a proxy that no setting of ours could have led to, or that a setting names badly. */
export function proxyAdvice({ step, code, host, status, source }: ConnectionCause): string | undefined {
  if (step !== 'proxy') return undefined;
  if (source !== undefined) {
    return code === 'ERR_SOCKS_UNSUPPORTED'
      ? l10n.t('Have certificates verified again ({setting}, {variable}), or name an HTTP proxy in {source}.', {
          setting: 'http.proxyStrictSSL',
          variable: 'NODE_TLS_REJECT_UNAUTHORIZED',
          source,
        })
      : l10n.t('Correct {setting}: a proxy is named like {example}.', {
          setting: source,
          example: 'http://proxy.example:3128',
        });
  }
  return host === '' && status !== undefined
    ? l10n.t('Name that proxy in {setting}, and what it wants to see in {authorization}.', {
        setting: 'http.proxy',
        authorization: 'http.proxyAuthorization',
      })
    : undefined;
}

/** A token with characters that no header can hold was never sent, so nothing is wrong with the connection. */
export function isUnsendable({ code }: ConnectionCause): boolean {
  return code === 'ERR_INVALID_CHAR';
}

/** OpenSSL's codes in words; one that is not listed is shown as it is. */
function certificateWord(code: string): string {
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return l10n.t('certificate expired');
    case 'CERT_NOT_YET_VALID':
      return l10n.t('certificate not valid yet');
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
    case 'HOSTNAME_MISMATCH':
      return l10n.t('certificate is for another host');
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
      return l10n.t('certificate is self-signed and not trusted on this machine');
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'CERT_UNTRUSTED':
      return l10n.t('issuer of the certificate is not trusted on this machine');
    case 'CERT_REVOKED':
      return l10n.t('certificate was revoked');
    default:
      return l10n.t('no secure connection ({code})', { code });
  }
}

function peer(cause: ConnectionCause): string {
  return cause.port === undefined || cause.host.endsWith(`:${cause.port}`) ? cause.host : `${cause.host}:${cause.port}`;
}
