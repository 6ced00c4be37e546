import { type ConnectionCause, type Failure, hostAndPort, type RedirectTarget } from '../api/failure.js';
import { whoAnswered } from '../api/network/whoAnswered.js';
import type { EnvironmentProxy } from './proxy.js';

const steps: Partial<Record<Failure['kind'], string>> = {
  tokenRejected: 'Check the token in AUTOMATION_PLATFORM_TOKEN.',
  notPermitted: 'Check the token in AUTOMATION_PLATFORM_TOKEN.',
  notFound: 'Check the ID, AUTOMATION_PLATFORM_BASE_URL, and AUTOMATION_PLATFORM_TOKEN.',
  rateLimited: 'Allow more time with --timeout.',
  unusable: 'Check AUTOMATION_PLATFORM_BASE_URL.',
  invalidHttp: 'Report this to whoever runs the platform or the gateway.',
};

const letThrough = 'Ask your network administrator to let requests with a token through to the platform.';

const stepsAfterRedirects: Readonly<Record<RedirectTarget, string>> = {
  moved: 'Set AUTOMATION_PLATFORM_BASE_URL to its new base URL.',
  sameAddress: 'Report this to whoever runs the platform or the gateway.',
  sameHost: 'Check the token in AUTOMATION_PLATFORM_TOKEN.',
  otherHost: letThrough,
};

/** A private authority issued the certificate, or itself is the certificate. */
const untrustedIssuer = /^(?:UNABLE_TO_|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|CERT_UNTRUSTED)/;

/** What to do in a terminal or CI: "Check HTTPS_PROXY." `proxy`: that Node goes through. */
export function nextStep(failure: Failure, proxy: EnvironmentProxy | undefined): string {
  const network = proxy ? `the network, and the proxy ${hostAndPort(proxy)} (${proxy.source})` : 'the network';
  switch (failure.kind) {
    case 'unreachable':
      return stepToReach(failure.cause, proxy, network);
    case 'timedOut':
      return `Check ${network}, or allow more time with --timeout.`;
    case 'notFromPlatform':
      if (whoAnswered(failure) === 'filter') return letThrough;
      return 'Check AUTOMATION_PLATFORM_BASE_URL.';
    case 'clientError':
      return failure.status === 407 ? credentialsStep(proxy) : 'Try again later.';
    case 'redirected':
      return stepsAfterRedirects[failure.target];
    case 'connectionLost':
      return proxy ? `Check ${network}.` : 'Try again later.';
    default:
      return steps[failure.kind] ?? 'Try again later.';
  }
}

function credentialsStep(proxy: EnvironmentProxy | undefined): string {
  return `Put the credentials into the address in ${proxy?.source ?? 'HTTPS_PROXY'}.`;
}

function stepToReach({ code, status, step }: ConnectionCause, proxy: EnvironmentProxy | undefined, network: string) {
  if (step === 'proxy' && status === 407) return credentialsStep(proxy);
  if (step === 'proxy') return `Check ${proxy?.source ?? 'HTTPS_PROXY'}.`;
  if (step === 'tls' && untrustedIssuer.test(code)) {
    return 'If a private CA issued it, set NODE_EXTRA_CA_CERTS to a file with the root certificate of that CA.';
  }
  const forProxy = proxy ? '' : ', and (for a proxy) HTTPS_PROXY and NODE_USE_ENV_PROXY';
  return `Check AUTOMATION_PLATFORM_BASE_URL, ${network}${forProxy}.`;
}
