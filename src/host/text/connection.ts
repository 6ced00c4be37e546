import { l10n } from 'vscode';
import { type ConnectionCause, hostAndPort } from '../../api/failure.js';

export function connectionWord(cause: ConnectionCause): string {
  const { code } = cause;
  switch (cause.step) {
    case 'dns':
      // A resolver that keeps silent, or none at all: the name may well be right.
      return /^(?:ETIMEDOUT|ETIMEOUT|EAI_AGAIN)$/.test(code)
        ? l10n.t('DNS did not respond ({code})', { code })
        : l10n.t('name not found ({code})', { code });
    case 'refused':
      return l10n.t('connection refused');
    case 'tls':
      return certificateWord(code);
    case 'proxy':
      return proxyWord(cause);
    case 'network':
      return l10n.t('no connection ({code})', { code });
  }
}

function proxyWord({ code, host, port, status, source: setting }: ConnectionCause): string {
  if (setting !== undefined) {
    return code === 'ERR_SOCKS_UNSUPPORTED'
      ? l10n.t('the SOCKS proxy in {setting} cannot be used without certificate verification', { setting })
      : l10n.t('no valid proxy address in {setting}', { setting });
  }
  const proxy = hostAndPort({ host, port });
  if (status === undefined) return l10n.t('proxy {host} failed ({code})', { host: proxy, code });
  return host === ''
    ? l10n.t('the proxy that VS Code uses responded with {status}', { status })
    : l10n.t('proxy {host} responded with {status}', { host: proxy, status });
}

export function proxyAdvice({ step, code, host, status, source }: ConnectionCause): string | undefined {
  if (step !== 'proxy') return undefined;
  if (source !== undefined) {
    return code === 'ERR_SOCKS_UNSUPPORTED'
      ? l10n.t('Turn certificate verification on ({setting}, {variable}), or set an HTTP proxy in {source}.', {
          setting: 'http.proxyStrictSSL',
          variable: 'NODE_TLS_REJECT_UNAUTHORIZED',
          source,
        })
      : l10n.t('Correct {setting}, for example {example}.', { setting: source, example: 'http://proxy.example:3128' });
  }
  return host === '' && status !== undefined
    ? l10n.t('Set the proxy in {setting} and its credentials in {authorization}.', {
        setting: 'http.proxy',
        authorization: 'http.proxyAuthorization',
      })
    : undefined;
}

function certificateWord(code: string): string {
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return l10n.t('certificate expired');
    case 'CERT_NOT_YET_VALID':
      return l10n.t('certificate not valid yet');
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
    case 'HOSTNAME_MISMATCH':
      return l10n.t('certificate issued for another host');
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
      return l10n.t('self-signed certificate, not trusted on this machine');
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'CERT_UNTRUSTED':
      return l10n.t('certificate issuer not trusted on this machine');
    case 'CERT_REVOKED':
      return l10n.t('certificate revoked');
    default:
      return l10n.t('TLS handshake failed ({code})', { code });
  }
}
