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
  if (isTlsError(code))
    return l10n.t('proxy {host}: {reason}', { host: proxy, reason: tlsWord(cause) });
  if (status === undefined) return l10n.t('proxy {host} failed ({code})', { host: proxy, code });
  return host === ''
    ? l10n.t('the proxy that VS Code uses responded with {status}', { status })
    : l10n.t('proxy {host} responded with {status}', { host: proxy, status });
}

/** "Negotiate and NTLM"; `undefined` of a proxy that Basic credentials may help with. */
function acceptedSchemes({ schemes = [] }: Pick<ConnectionCause, 'schemes'>): string | undefined {
  if (schemes.length === 0 || schemes.includes('Basic')) return undefined;
  return listText(schemes);
}

/** What helps where one or both ways failed; `undefined`: nothing that is known. `counts`: whose advice is wanted. */
export function unreachableAdvice(
  { cause, viaEditor }: Extract<Failure, { kind: 'unreachable' }>,
  counts: (cause: ConnectionCause) => boolean = () => true,
): string | undefined {
  const causes = viaEditor ? [cause, viaEditor] : [cause];
  const all = causes.filter(counts).map(connectionAdvice);
  return joinSentences(...new Set(all)) || undefined;
}

/** What helps against a cause; `undefined`: nothing that is known. */
export function connectionAdvice(cause: ConnectionCause): string | undefined {
  const isOfPlatform = cause.step === 'tls' && cause.source === undefined;
  return isOfPlatform ? tlsAdvice(cause) : proxyAdvice(cause);
}

/**
 * As `stepAdvice`, while the base URL can still be changed, or for a token alone (`isUrlFixed`):
 * "Connect the VPN, or change the base URL."
 */
export function signInAdvice(
  { code, step, source }: ConnectionCause,
  isUrlFixed: boolean,
): string | undefined {
  if (source !== undefined) return undefined;
  if (step === 'refused') return l10n.t('Check the port in the base URL.');
  if (step !== 'dns') return undefined;
  if (isSilentDns(code)) return silentDnsAdvice();
  return isUrlFixed
    ? l10n.t('Connect the VPN.')
    : l10n.t('Connect the VPN, or change the base URL.');
}

/**
 * What to do about a failed step, where `connectionAdvice` knows nothing: "Connect the VPN, or sign
 * in with the correct base URL."
 */
export function generalStepAdvice(
  { code, host, port, source, step }: ConnectionCause,
  organization: Organization,
): string {
  const peer = hostAndPort({ host, port });
  if (step === 'proxy' || source !== undefined) {
    return source === undefined
      ? l10n.t('Check the proxy that VS Code uses, or set one in {setting}.', {
          setting: 'http.proxy',
        })
      : l10n.t('Ask whoever runs the proxy to let connections to {host} through.', {
          host: hostOf(organization.baseUrl),
        });
  }
  switch (step) {
    case 'dns':
      if (isSilentDns(code)) return silentDnsAdvice();
      return organization.source === 'environment'
        ? l10n.t('Connect the VPN, or correct {variable} and restart VS Code.', {
            variable: environmentVariables.baseUrl,
          })
        : l10n.t('Connect the VPN, or sign in with the correct base URL.');
    case 'refused':
      return l10n.t(
        'Check the port in the base URL. If it is right, ask whoever runs {host} to start the platform.',
        {
          host: peer,
        },
      );
    case 'tls':
      return l10n.t('Ask whoever runs {host} what it requires of a TLS connection.', {
        host: peer,
      });
    case 'network':
      return l10n.t(
        'Check the network and the VPN. If others can connect, ask your network administrator.',
      );
  }
}

/** A resolver that keeps silent, or none at all: the name may well be right. */
function isSilentDns(code: string): boolean {
  return /^(?:ETIMEDOUT|ETIMEOUT|EAI_AGAIN)$/.test(code);
}

function silentDnsAdvice(): string {
  return l10n.t('Check the network and the VPN of this machine.');
}

/** "Set the proxy in http.proxy and its credentials in http.proxyAuthorization." */
function proxyAdvice(cause: ConnectionCause): string | undefined {
  const { code, host, source, status, step, problem } = cause;
  if (status !== undefined) {
    const isAsked = status === 407 && (host === '' || source !== undefined);
    return isAsked ? authenticationAdvice(cause, source ?? 'http.proxy') : undefined;
  }
  if (source === undefined) return undefined;
  if (problem) return proxyAddressAdvice(problem, source);
  if (step === 'tls' || isTlsError(code)) return tlsAdviceForProxy(cause, source);
  return code === 'ERR_SOCKS_UNSUPPORTED'
    ? l10n.t(
        'Turn certificate verification on ({setting}, {variable}), or set an HTTP proxy in {source}.',
        {
          setting: 'http.proxyStrictSSL',
          variable: 'NODE_TLS_REJECT_UNAUTHORIZED',
          source,
        },
      )
    : l10n.t('Check the proxy, and its address in {setting}.', { setting: source });
}

/** "Write http:// instead of https:// in HTTPS_PROXY." */
function tlsAdviceForProxy(cause: ConnectionCause, source: string): string | undefined {
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
      return l10n.t('Check the proxy, and its address in {setting}.', { setting: source });
    default:
      return tlsAdvice(cause);
  }
}

/** What helps against a 407, by what its challenges accept and by whether credentials were sent. */
function authenticationAdvice(cause: ConnectionCause, source: string): string {
  const schemes = acceptedSchemes(cause);
  if (schemes === undefined) {
    const rejected = l10n.t('The proxy rejected the credentials.');
    return joinSentences(cause.sentCredentials ? rejected : '', credentialsAdvice(source));
  }
  return joinSentences(
    l10n.t('The proxy accepts only {schemes}, which is not supported.', { schemes }),
    cause.host === ''
      ? l10n.t('Use a local proxy that signs in to it.')
      : l10n.t(
          'Use a local proxy that signs in to it, or remove {source}, so that VS Code’s own connection is used.',
          {
            source,
          },
        ),
  );
}

/** "Write \ as %5C in HTTPS_PROXY." Shows nothing of the address but the character that is to blame. */
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
    default:
      return joinSentences(
        character && l10n.t('A host cannot contain {character}.', values),
        l10n.t('Correct {setting}, for example {example}.', values),
      );
  }
}

/** A proxy of an environment variable gets nothing of `http.proxyAuthorization`. */
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
