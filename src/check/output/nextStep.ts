import { whoAnswered } from '../../api/answerer/whoAnswered.js';
import { parseBaseUrl } from '../../api/entered/baseUrl.js';
import {
  type ConnectionCause,
  type Failure,
  hostAndPort,
  type RedirectTarget,
} from '../../api/failure.js';
import { blockedPort } from '../../api/network/errorCodes.js';
import { isTlsError, tlsProblemOf } from '../../api/network/tlsErrors.js';
import { utcTime } from '../../host/text/causeTable.js';
import { connectionAdvice } from '../../host/text/connection.js';
import { requiresClientCertificate } from '../../host/text/failure.js';
import { tlsAdvice } from '../../host/text/tls.js';
import type { EnvironmentProxy } from '../proxy.js';

/** What the steps name of the environment. */
export interface Surroundings {
  /** The proxy that Node goes through, if any. */
  readonly proxy: EnvironmentProxy | undefined;
  /** The variable of a proxy for the base URL that Node does not go through: "HTTPS_PROXY". */
  readonly unusedProxy: string | undefined;
  /** Whether NODE_EXTRA_CA_CERTS is set. */
  readonly hasExtraCertificates: boolean;
}

type FailureOf<Kind extends Failure['kind']> = Extract<Failure, { readonly kind: Kind }>;

type UnusableReason = FailureOf<'unusable'>['reason'];

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

const checkBaseUrl = 'Check AUTOMATION_PLATFORM_BASE_URL.';

/** "Check AUTOMATION_PLATFORM_BASE_URL and the network." `network`: the words for what to check. */
function stepAfterUnusable(reason: UnusableReason, network: string): string {
  switch (reason) {
    case 'empty':
    case 'truncated':
      return `Try again. If it happens again, check ${network}.`;
    case 'notModified':
      return `Check ${network}, and ask whoever runs a cache on the way not to change requests.`;
    case 'wrongShape':
    case 'tooLarge':
      return checkBaseUrl;
    default:
      return `Check AUTOMATION_PLATFORM_BASE_URL and ${network}.`;
  }
}

/**
 * Returns what to do against a failure in a terminal or CI: "Check the network, or allow more time
 * with --timeout."
 */
export function nextStepAfter(failure: Failure, surroundings: Surroundings): string {
  const { proxy } = surroundings;
  const network = proxy
    ? `the network, and the proxy ${hostAndPort(proxy)} (${proxy.source})`
    : 'the network';
  switch (failure.kind) {
    case 'unreachable':
      return stepToReach(failure.cause, surroundings, network);
    case 'rateLimited':
      return `Requests resume at ${utcTime(failure.until)}. Allow more time with --timeout.`;
    case 'timedOut':
      return `Check ${network}, or allow more time with --timeout.`;
    case 'notFromPlatform':
      return stepAfterWebPage(failure, network);
    case 'clientError':
      return failure.status === 407 ? credentialsStep(proxy) : 'Ask whoever runs the platform.';
    case 'redirected':
      return stepAfterRedirect(failure);
    case 'unusable':
      return stepAfterUnusable(failure.reason, network);
    case 'connectionLost':
      return proxy ? `Check ${network}.` : 'Try again later.';
    default:
      return stepsByKind[failure.kind] ?? 'Try again later.';
  }
}

/** "Check AUTOMATION_PLATFORM_BASE_URL." */
function stepAfterWebPage(failure: FailureOf<'notFromPlatform'>, network: string): string {
  if (requiresClientCertificate(failure))
    return 'Ask whoever runs the platform for access without a client certificate.';
  switch (whoAnswered(failure)) {
    case 'filter':
      return askToLetThrough;
    case 'signInPage':
      return `Check AUTOMATION_PLATFORM_BASE_URL and ${network}.`;
    default:
      return checkBaseUrl;
  }
}

/** "Set AUTOMATION_PLATFORM_BASE_URL to its new base URL." */
function stepAfterRedirect({ target, foreign }: FailureOf<'redirected'>): string {
  const newBaseUrl = target === 'moved' ? foreign?.baseUrl : undefined;
  if (newBaseUrl !== undefined && !parseBaseUrl(newBaseUrl).ok)
    return 'That is no usable base URL. Ask an administrator for the right one.';
  return stepsAfterRedirects[target];
}

/** "Put the credentials into the address in HTTPS_PROXY." */
function credentialsStep(proxy: EnvironmentProxy | undefined): string {
  return proxy
    ? `Put the credentials into the address in ${proxy.source}.`
    : 'Put the address of the proxy, with the credentials, into HTTPS_PROXY, and set NODE_USE_ENV_PROXY=1.';
}

/**
 * Returns what to do if no connection can be made: "Check AUTOMATION_PLATFORM_BASE_URL, the
 * network, and (for a proxy) HTTPS_PROXY, NO_PROXY, and NODE_USE_ENV_PROXY." `network`: the words
 * for what to check there.
 */
function stepToReach(cause: ConnectionCause, surroundings: Surroundings, network: string): string {
  const { proxy, unusedProxy } = surroundings;
  if (cause.code === blockedPort)
    return 'Node sends nothing to this port. Check the port in AUTOMATION_PLATFORM_BASE_URL.';
  if (cause.step === 'proxy') return stepToReachProxy(cause, surroundings);
  const tlsStep = cause.step === 'tls' ? stepForTls(cause, surroundings) : undefined;
  if (tlsStep !== undefined) return tlsStep;
  if (proxy) return `Check AUTOMATION_PLATFORM_BASE_URL, ${network}.`;
  return unusedProxy === undefined
    ? `Check AUTOMATION_PLATFORM_BASE_URL, ${network}, and (for a proxy) HTTPS_PROXY, NO_PROXY, and NODE_USE_ENV_PROXY.`
    : `Check AUTOMATION_PLATFORM_BASE_URL and ${network}. ${unusedProxy} is set, but Node uses it only with NODE_USE_ENV_PROXY=1.`;
}

/** "Check HTTPS_PROXY." */
function stepToReachProxy(cause: ConnectionCause, surroundings: Surroundings): string {
  const { proxy } = surroundings;
  if (cause.status === 407) return credentialsStep(proxy);
  const tlsStep = isTlsError(cause.code) ? stepForTlsOfProxy(cause, surroundings) : undefined;
  return tlsStep ?? `Check ${proxy?.source ?? 'HTTPS_PROXY'}.`;
}

/** "If a private CA issued it, set NODE_EXTRA_CA_CERTS to a file with the root certificate …" */
function stepForPrivateAuthority({ hasExtraCertificates }: Surroundings): string {
  return hasExtraCertificates
    ? 'The file in NODE_EXTRA_CA_CERTS does not hold the root certificate of the CA that issued it. Add that.'
    : 'If a private CA issued it, set NODE_EXTRA_CA_CERTS to a file with the root certificate of that CA.';
}

/** Returns `undefined` where the proxy's address is to be checked. */
function stepForTlsOfProxy(cause: ConnectionCause, surroundings: Surroundings): string | undefined {
  switch (tlsProblemOf(cause)) {
    case 'plainPort':
      return connectionAdvice(cause);
    case 'unknownName':
    case 'wrongName':
      return undefined;
    default:
      return stepForTls(cause, surroundings);
  }
}

/**
 * Returns the step of VS Code, except where the check needs another: "Check the port in
 * AUTOMATION_PLATFORM_BASE_URL." Returns `undefined` if there is none.
 */
function stepForTls(cause: ConnectionCause, surroundings: Surroundings): string | undefined {
  switch (tlsProblemOf(cause)) {
    case 'plainPort':
      return 'Check the port in AUTOMATION_PLATFORM_BASE_URL.';
    case 'unknownName':
    case 'wrongName':
      return 'Check the host in AUTOMATION_PLATFORM_BASE_URL.';
    case 'issuer':
    case 'selfSigned':
      return stepForPrivateAuthority(surroundings);
    case 'leafAlone':
      return `${stepForPrivateAuthority(surroundings)} If others can connect, the intermediate certificate may not be sent.`;
    default:
      return tlsAdvice(cause);
  }
}
