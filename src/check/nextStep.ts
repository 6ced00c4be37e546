import { whoAnswered } from '../api/answerer/whoAnswered.js';
import {
  type ConnectionCause,
  type Failure,
  hostAndPort,
  type RedirectTarget,
} from '../api/failure.js';
import { isTlsError, tlsProblemOf } from '../api/network/tlsErrors.js';
import { connectionAdvice } from '../host/text/connection.js';
import { requiresClientCertificate } from '../host/text/failure.js';
import { clockTime } from '../host/text/format.js';
import { tlsAdvice } from '../host/text/tls.js';
import type { EnvironmentProxy } from './proxy.js';

const steps: Partial<Record<Failure['kind'], string>> = {
  tokenRejected: 'Check the token in AUTOMATION_PLATFORM_TOKEN.',
  notPermitted: 'Check the token in AUTOMATION_PLATFORM_TOKEN.',
  notFound: 'Check the ID, AUTOMATION_PLATFORM_BASE_URL, and AUTOMATION_PLATFORM_TOKEN.',
  invalidHttp: 'Report this to whoever runs the platform or the gateway.',
};

const letThrough =
  'Ask your network administrator to let requests with a token through to the platform.';

const stepsAfterRedirects: Readonly<Record<RedirectTarget, string>> = {
  moved: 'Set AUTOMATION_PLATFORM_BASE_URL to its new base URL.',
  sameAddress: 'Report this to whoever runs the platform or the gateway.',
  sameHost: 'Check the token in AUTOMATION_PLATFORM_TOKEN.',
  otherHost: letThrough,
};

/** What to do in a terminal or CI: "Check HTTPS_PROXY." `proxy`: that Node goes through. */
export function nextStep(failure: Failure, proxy: EnvironmentProxy | undefined): string {
  const network = proxy
    ? `the network, and the proxy ${hostAndPort(proxy)} (${proxy.source})`
    : 'the network';
  switch (failure.kind) {
    case 'unreachable':
      return stepToReach(failure.cause, proxy, network);
    case 'rateLimited':
      return `Requests resume at ${clockTime(failure.until)}. Allow more time with --timeout.`;
    case 'timedOut':
      return `Check ${network}, or allow more time with --timeout.`;
    case 'notFromPlatform':
      if (requiresClientCertificate(failure))
        return 'Ask whoever runs the platform for access without a client certificate.';
      if (whoAnswered(failure) === 'filter') return letThrough;
      return 'Check AUTOMATION_PLATFORM_BASE_URL.';
    case 'clientError':
      return failure.status === 407 ? credentialsStep(proxy) : 'Try again later.';
    case 'redirected':
      return stepsAfterRedirects[failure.target];
    case 'unusable':
      return failure.reason === 'truncated'
        ? 'Try again later.'
        : 'Check AUTOMATION_PLATFORM_BASE_URL.';
    case 'connectionLost':
      return proxy ? `Check ${network}.` : 'Try again later.';
    default:
      return steps[failure.kind] ?? 'Try again later.';
  }
}

function credentialsStep(proxy: EnvironmentProxy | undefined): string {
  return `Put the credentials into the address in ${proxy?.source ?? 'HTTPS_PROXY'}.`;
}

function stepToReach(
  cause: ConnectionCause,
  proxy: EnvironmentProxy | undefined,
  network: string,
): string {
  const { code, status, step } = cause;
  if (step === 'proxy' && status === 407) return credentialsStep(proxy);
  const checkProxy = `Check ${proxy?.source ?? 'HTTPS_PROXY'}.`;
  if (step === 'proxy')
    return (isTlsError(code) ? stepForTlsOfProxy(cause) : undefined) ?? checkProxy;
  const forTls = step === 'tls' ? stepForTls(cause) : undefined;
  if (forTls !== undefined) return forTls;
  const forProxy = proxy ? '' : ', and (for a proxy) HTTPS_PROXY and NODE_USE_ENV_PROXY';
  return `Check AUTOMATION_PLATFORM_BASE_URL, ${network}${forProxy}.`;
}

const forPrivateAuthority =
  'If a private CA issued it, set NODE_EXTRA_CA_CERTS to a file with the root certificate of that CA.';

function stepForTlsOfProxy(cause: ConnectionCause): string | undefined {
  switch (tlsProblemOf(cause)) {
    case 'plainPort':
      return connectionAdvice(cause);
    case 'unknownName':
    case 'wrongName':
      return undefined;
    default:
      return stepForTls(cause);
  }
}

/** Only the steps that differ from those in VS Code stand here. */
function stepForTls(cause: ConnectionCause): string | undefined {
  switch (tlsProblemOf(cause)) {
    case 'plainPort':
      return 'Check the port in AUTOMATION_PLATFORM_BASE_URL.';
    case 'unknownName':
    case 'wrongName':
      return 'Check the host in AUTOMATION_PLATFORM_BASE_URL.';
    case 'issuer':
    case 'selfSigned':
      return forPrivateAuthority;
    case 'leafAlone':
      return `${forPrivateAuthority} If others can connect, the intermediate certificate may not be sent.`;
    default:
      return tlsAdvice(cause);
  }
}
