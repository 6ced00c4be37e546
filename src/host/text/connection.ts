import { l10n } from 'vscode';
import {
  type ConnectionCause,
  type Failure,
  hostAndPort,
  type ProxyAddressProblem,
} from '../../api/failure.js';
import { isTlsError, tlsProblemOf } from '../../api/network/tlsErrors.js';
import type { Organization } from '../organizations/organization.js';
import { characterName } from './characters.js';
import { environmentVariables } from './environment.js';
import { joinSentences, listText } from './format.js';
import { hostOf } from './organization.js';
import { tlsAdvice, tlsWord } from './tls.js';

/**
 * Why a connection failed, as a part of a sentence: "name not found (ENOTFOUND)", "connection
 * refused", "proxy proxy.example:3128 responded with 407".
 */
export function connectionWord(cause: ConnectionCause): string {
  const { code } = cause;
  switch (cause.step) {
    case 'dns':
      return isSilentDns(code)
        ? l10n.t('DNS did not respond ({code})', { code })
        : l10n.t('name not found ({code})', { code });
    case 'refused':
      return l10n.t('connection refused');
    case 'tls':
      return tlsWord(cause);
    case 'proxy':
      return proxyWord(cause);
    case 'network':
      return l10n.t('no connection ({code})', { code });
  }
}

/**
 * "no valid proxy address in HTTPS_PROXY", "proxy proxy.example:3128: no TLS on this port
 * (ERR_SSL_WRONG_VERSION_NUMBER)", "the proxy that VS Code uses responded with 407"
 */
function proxyWord(cause: ConnectionCause): string {
  const { code, host, port, status, source = '', problem } = cause;
  if (problem) {
    return source === 'http.proxyAuthorization'
      ? l10n.t('no valid proxy credentials in {setting}', { setting: source })
      : l10n.t('no valid proxy address in {setting}', { setting: source });
  }
  if (code === 'ERR_SOCKS_UNSUPPORTED') {
    return l10n.t('the SOCKS proxy in {setting} cannot be used without certificate verification', {
      setting: source,
    });
  }

  const proxy = hostAndPort({ host, port });
  if (isTlsError(code)) {
    return l10n.t('proxy {host}: {reason}', { host: proxy, reason: tlsWord(cause) });
  }
  if (status === undefined) return l10n.t('proxy {host} failed ({code})', { host: proxy, code });
  const isProxyKnown = host !== '';
  return isProxyKnown
    ? l10n.t('proxy {host} responded with {status}', { host: proxy, status })
    : l10n.t('the proxy that VS Code uses responded with {status}', { status });
}

/**
 * What helps where our own connection (`cause`) and then perhaps VS Code's (`viaEditor`) failed:
 * "Check the port in the base URL." `undefined` if nothing is known to help. `isAdviceWanted`:
 * asked for each of the two.
 */
export function unreachableAdvice(
  { cause, viaEditor }: Extract<Failure, { kind: 'unreachable' }>,
  isAdviceWanted: (cause: ConnectionCause) => boolean = () => true,
): string | undefined {
  const causes = viaEditor ? [cause, viaEditor] : [cause];
  const differentAdvice = new Set(causes.filter(isAdviceWanted).map(connectionAdvice));
  const text = joinSentences(...differentAdvice);
  return text === '' ? undefined : text;
}

/**
 * What helps against a cause: "Check the clock of this machine. If it is right, …", "Set the proxy
 * in http.proxy and its credentials in http.proxyAuthorization." `undefined` if nothing is known
 * to.
 */
export function connectionAdvice(cause: ConnectionCause): string | undefined {
  const isTlsOfPlatform = cause.step === 'tls' && cause.source === undefined;
  return isTlsOfPlatform ? tlsAdvice(cause) : proxyAdvice(cause);
}

/**
 * What helps during a sign-in: "Check the port in the base URL."; for an unknown name "Connect the
 * VPN, or change the base URL.", or only "Connect the VPN." if the dialog asks for a token alone
 * (`isUrlFixed`). Returns `undefined` for steps of a proxy, and for others than DNS and a refused
 * connection.
 */
export function signInAdvice(
  { code, step, source }: ConnectionCause,
  isUrlFixed: boolean,
): string | undefined {
  const isStepOfProxy = source !== undefined;
  if (isStepOfProxy) return undefined;
  if (step === 'refused') return l10n.t('Check the port in the base URL.');
  if (step !== 'dns') return undefined;
  if (isSilentDns(code)) return silentDnsAdvice();
  return isUrlFixed
    ? l10n.t('Connect the VPN.')
    : l10n.t('Connect the VPN, or change the base URL.');
}

/**
 * What to do about a failed step where `connectionAdvice` knows nothing: "Connect the VPN, or sign
 * in with the correct base URL."
 */
export function generalStepAdvice(cause: ConnectionCause, organization: Organization): string {
  const { code, host, port, source, step } = cause;
  if (step === 'proxy' || source !== undefined) return generalProxyAdvice(source, organization);
  const platform = hostAndPort({ host, port });
  switch (step) {
    case 'dns':
      return isSilentDns(code) ? silentDnsAdvice() : unknownNameAdvice(organization);
    case 'refused':
      return l10n.t(
        'Check the port in the base URL. If it is right, ask whoever runs {host} to start the platform.',
        { host: platform },
      );
    case 'tls':
      return l10n.t('Ask whoever runs {host} what it requires of a TLS connection.', {
        host: platform,
      });
    case 'network':
      return l10n.t(
        'Check the network and the VPN. If others can connect, ask your network administrator.',
      );
  }
}

/**
 * "Ask whoever runs the proxy to let connections to my.host through." `source`: where the address
 * of the proxy stands; `undefined` if VS Code alone knows the proxy.
 */
function generalProxyAdvice(source: string | undefined, { baseUrl }: Organization): string {
  return source === undefined
    ? l10n.t('Check the proxy that VS Code uses, or set one in {setting}.', {
        setting: 'http.proxy',
      })
    : l10n.t('Ask whoever runs the proxy to let connections to {host} through.', {
        host: hostOf(baseUrl),
      });
}

/** "Connect the VPN, or sign in with the correct base URL." */
function unknownNameAdvice({ source }: Organization): string {
  return source === 'environment'
    ? l10n.t('Connect the VPN, or correct {variable} and restart VS Code.', {
        variable: environmentVariables.baseUrl,
      })
    : l10n.t('Connect the VPN, or sign in with the correct base URL.');
}

/** Whether the resolver did not respond, or there is none, so that the name may well be right. */
function isSilentDns(code: string): boolean {
  return /^(?:ETIMEDOUT|ETIMEOUT|EAI_AGAIN)$/.test(code);
}

function silentDnsAdvice(): string {
  return l10n.t('Check the network and the VPN of this machine.');
}

/**
 * What helps against a failure of a proxy: "Set the proxy in http.proxy and its credentials in
 * http.proxyAuthorization." `undefined` if nothing is known to help, or it was no proxy.
 */
function proxyAdvice(cause: ConnectionCause): string | undefined {
  const { code, host, source, status, step, problem } = cause;
  if (status !== undefined) {
    const isKnownToVsCodeAlone = host === '';
    const canBeConfigured = isKnownToVsCodeAlone || source !== undefined;
    if (status !== 407 || !canBeConfigured) return undefined;
    return authenticationAdvice(cause, source ?? 'http.proxy');
  }
  if (source === undefined) return undefined;
  if (problem) return proxyAddressAdvice(problem, source);
  if (step === 'tls' || isTlsError(code)) return proxyTlsAdvice(cause, source);
  return code === 'ERR_SOCKS_UNSUPPORTED' ? socksAdvice(source) : checkProxyAdvice(source);
}

/** "Check the proxy, and its address in HTTPS_PROXY." */
function checkProxyAdvice(source: string): string {
  return l10n.t('Check the proxy, and its address in {setting}.', { setting: source });
}

/**
 * "Turn certificate verification on (http.proxyStrictSSL, …), or set an HTTP proxy in http.proxy."
 */
function socksAdvice(source: string): string {
  return l10n.t(
    'Turn certificate verification on ({setting}, {variable}), or set an HTTP proxy in {source}.',
    {
      setting: 'http.proxyStrictSSL',
      variable: 'NODE_TLS_REJECT_UNAUTHORIZED',
      source,
    },
  );
}

/**
 * What helps against a TLS failure with the proxy itself: "Write http:// instead of https:// in
 * HTTPS_PROXY."
 */
function proxyTlsAdvice(cause: ConnectionCause, source: string): string | undefined {
  switch (tlsProblemOf(cause)) {
    case 'plainPort':
      return l10n.t('Write {http} instead of {https} in {source}.', {
        http: 'http://',
        https: 'https://',
        source,
      });
    case 'unknownName':
    case 'wrongName':
    case 'other':
      return checkProxyAdvice(source);
    default:
      return tlsAdvice(cause);
  }
}

/**
 * What helps against a 407: "The proxy rejected the credentials. Set the proxy in http.proxy and
 * its credentials in http.proxyAuthorization."
 */
function authenticationAdvice(cause: ConnectionCause, source: string): string {
  const { schemes = [], sentCredentials, host } = cause;
  const mayAcceptBasic = schemes.length === 0 || schemes.includes('Basic');
  if (!mayAcceptBasic) return unsupportedSchemesAdvice({ schemes, source, host });
  const rejected = sentCredentials ? l10n.t('The proxy rejected the credentials.') : undefined;
  return joinSentences(rejected, credentialsAdvice(source));
}

/** "The proxy accepts only Negotiate, NTLM, which is not supported. Use a local proxy …" */
function unsupportedSchemesAdvice({
  schemes,
  source,
  host,
}: {
  readonly schemes: readonly string[];
  readonly source: string;
  /** The proxy's; empty if VS Code alone knows it. */
  readonly host: string;
}): string {
  const unsupported = l10n.t('The proxy accepts only {schemes}, which is not supported.', {
    schemes: listText(schemes),
  });
  const step =
    host === ''
      ? l10n.t('Use a local proxy that signs in to it.')
      : l10n.t(
          'Use a local proxy that signs in to it, or remove {source}, so that VS Code’s own connection is used.',
          { source },
        );
  return joinSentences(unsupported, step);
}

/**
 * What to change in a proxy's address: "Write \ as %5C in HTTPS_PROXY." Shows nothing of the
 * address but the character that is to blame, because any part may belong to the password.
 * `source`: where the address stands.
 */
export function proxyAddressAdvice(
  { kind, character = '' }: ProxyAddressProblem,
  source: string,
): string {
  const values = {
    setting: source,
    character: characterName(character),
    example: 'http://proxy.example:3128',
  };
  switch (kind) {
    case 'placeholder':
      return l10n.t(
        '{setting} holds a placeholder that was not filled in. Set it to an address, for example {example}.',
        values,
      );
    case 'control':
      return l10n.t('Remove {character} from {setting}.', values);
    case 'character': {
      const escape = `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
      return l10n.t('Write {character} as {escape} in {setting}.', {
        ...values,
        character,
        escape,
      });
    }
    case 'userColon':
      return l10n.t(
        'A proxy takes no user name with a colon, not even as %3A. Use another one in {setting}.',
        values,
      );
    case 'afterHost':
      return l10n.t('Remove everything after host and port from {setting}.', values);
    case 'scheme':
    case 'host':
      return joinSentences(
        character && l10n.t('A host cannot contain {character}.', values),
        l10n.t('Correct {setting}, for example {example}.', values),
      );
  }
}

/**
 * Where to put credentials: "Put the credentials into the address in HTTPS_PROXY, or set …" A proxy
 * of an environment variable gets nothing of `http.proxyAuthorization`.
 */
function credentialsAdvice(source: string): string {
  const names = { setting: 'http.proxy', authorization: 'http.proxyAuthorization' };
  if (source === names.setting) {
    return l10n.t('Set the proxy in {setting} and its credentials in {authorization}.', names);
  }
  return l10n.t(
    'Put the credentials into the address in {variable}, or set the proxy in {setting} and its credentials in {authorization}.',
    { ...names, variable: source },
  );
}
