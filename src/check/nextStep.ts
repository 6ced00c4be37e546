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

/** Steps of failures that need no other facts. */
const stepsByKind: Partial<Record<Failure['kind'], string>> = {
  tokenRejected: 'Check the token in AUTOMATION_PLATFORM_TOKEN.',
  notPermitted: 'Check the token in AUTOMATION_PLATFORM_TOKEN.',
  notFound: 'Check the ID, AUTOMATION_PLATFORM_BASE_URL, and AUTOMATION_PLATFORM_TOKEN.',
  invalidHttp: 'Report this to whoever runs the platform or the gateway.',
};

const askToLetThrough =
  'Ask your network administrator to let requests with a token through to the platform.';

const stepsAfterRedirects: Readonly<Record<RedirectTarget, string>> = {
  moved: 'Set AUTOMATION_PLATFORM_BASE_URL to its new base URL.',
  sameAddress: 'Report this to whoever runs the platform or the gateway.',
  sameHost: 'Check the token in AUTOMATION_PLATFORM_TOKEN.',
  otherHost: askToLetThrough,
};

/**
 * Returns what to do against a failure in a terminal or CI: "Check the network, or allow more time
 * with --timeout." `proxy`: the one that Node goes through, if any.
 */
export function nextStepAfter(failure: Failure, proxy: EnvironmentProxy | undefined): string {
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
      if (whoAnswered(failure) === 'filter') return askToLetThrough;
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
      return stepsByKind[failure.kind] ?? 'Try again later.';
  }
}

/** "Put the credentials into the address in HTTPS_PROXY." */
function credentialsStep(proxy: EnvironmentProxy | undefined): string {
  return `Put the credentials into the address in ${proxy?.source ?? 'HTTPS_PROXY'}.`;
}

/**
 * Returns what to do if no connection can be made: "Check AUTOMATION_PLATFORM_BASE_URL, the
 * network, and (for a proxy) HTTPS_PROXY and NODE_USE_ENV_PROXY." `network`: the words for what to
 * check there.
 */
function stepToReach(
  cause: ConnectionCause,
  proxy: EnvironmentProxy | undefined,
  network: string,
): string {
  if (cause.step === 'proxy') return stepToReachProxy(cause, proxy);
  const tlsStep = cause.step === 'tls' ? stepForTls(cause) : undefined;
  if (tlsStep !== undefined) return tlsStep;
  const maybeProxy = proxy ? '' : ', and (for a proxy) HTTPS_PROXY and NODE_USE_ENV_PROXY';
  return `Check AUTOMATION_PLATFORM_BASE_URL, ${network}${maybeProxy}.`;
}

/** "Check HTTPS_PROXY." */
function stepToReachProxy(cause: ConnectionCause, proxy: EnvironmentProxy | undefined): string {
  if (cause.status === 407) return credentialsStep(proxy);
  const tlsStep = isTlsError(cause.code) ? stepForTlsOfProxy(cause) : undefined;
  return tlsStep ?? `Check ${proxy?.source ?? 'HTTPS_PROXY'}.`;
}

const stepForPrivateAuthority =
  'If a private CA issued it, set NODE_EXTRA_CA_CERTS to a file with the root certificate of that CA.';

/** Returns `undefined` where the proxy's address is to be checked. */
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

/**
 * Returns the step of VS Code, except where the check needs another: "Check the port in
 * AUTOMATION_PLATFORM_BASE_URL." Returns `undefined` if there is none.
 */
function stepForTls(cause: ConnectionCause): string | undefined {
  switch (tlsProblemOf(cause)) {
    case 'plainPort':
      return 'Check the port in AUTOMATION_PLATFORM_BASE_URL.';
    case 'unknownName':
    case 'wrongName':
      return 'Check the host in AUTOMATION_PLATFORM_BASE_URL.';
    case 'issuer':
    case 'selfSigned':
      return stepForPrivateAuthority;
    case 'leafAlone':
      return `${stepForPrivateAuthority} If others can connect, the intermediate certificate may not be sent.`;
    default:
      return tlsAdvice(cause);
  }
}
