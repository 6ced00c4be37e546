import type { Failure, RefusalKind } from '../failure.js';
import type { WireAnswer } from '../network/wire.js';
import type { KnownSecrets } from '../secrets.js';
import { askForNoToken, challengesIn, knownSchemes } from './challenges.js';
import { foreignText, webPageIn } from './webPage.js';

/**
 * Who probably answered. Between a person and the platform stand web filters, sign-in gateways,
 * proxies, and other web servers, which answer in its place. `unclear`: the answer does not say.
 */
export type Answerer =
  | 'platform'
  | 'unclear'
  | 'filter'
  | 'webServer'
  | 'signInPage'
  | 'proxy'
  | 'nobody';

const refusals: Readonly<Record<number, RefusalKind>> = {
  401: 'tokenRejected',
  403: 'notPermitted',
  404: 'notFound',
};

export function refusalKindOf(status: number): RefusalKind {
  return refusals[status] ?? (status < 500 ? 'clientError' : 'serverError');
}

type Doubt = Pick<Extract<Failure, { kind: RefusalKind }>, 'doubt' | 'schemes' | 'foreign'>;

/** Returns what speaks against the platform having sent this answer, whose status is 400 or more. */
export function doubtsAbout(answer: WireAnswer, secrets: KnownSecrets): Doubt {
  const { status, headers } = answer;
  // Gateways of healthy platforms send pages with these.
  if (status >= 500) return {};
  if (status === 407) return { schemes: knownSchemes(challengesIn(headers['proxy-authenticate'])) };
  const page = webPageIn(answer, secrets);
  const title = page?.title ? { title: page.title } : undefined;
  if (status !== 401) return page ? { doubt: 'webPage', foreign: { ...title } } : {};
  const challenges = challengesIn(headers['www-authenticate']);
  const realm = foreignText(challenges.find((one) => one.realm)?.realm ?? '', secrets);
  if (askForNoToken(challenges))
    return { doubt: 'challenges', foreign: { ...title, ...(realm && { realm }) } };
  return page ? { doubt: 'webPage', foreign: { ...title } } : {};
}

/**
 * Returns the failure as that of something on the way, if it came with a web page. It counts as the
 * platform's until it is known that nothing else has answered, or that all deployments got a page.
 */
export function asSentOnTheWay(failure: Failure): Failure {
  if (!('doubt' in failure) || failure.doubt !== 'webPage' || failure.kind === 'tokenRejected')
    return failure;
  const { status, excerpt, foreign } = failure;
  return {
    kind: 'notFromPlatform',
    status,
    ...(excerpt && { excerpt }),
    ...(foreign && { foreign }),
  };
}

/** The other way round, for when the platform has answered others meanwhile. */
export function asSentByPlatform(failure: Failure): Failure {
  if (failure.kind !== 'notFromPlatform' || failure.status < 400) return failure;
  return { ...failure, kind: refusalKindOf(failure.status), doubt: 'webPage' };
}

/** `failure`: what came of the request; `undefined`: usable JSON. */
export function whoAnswered(failure: Failure | undefined): Answerer {
  if (failure === undefined) return 'platform';
  switch (failure.kind) {
    case 'notFromPlatform':
      return whoSentPage(failure.status);
    case 'redirected':
      return whoRedirected[failure.target];
    case 'tokenRejected':
    case 'notPermitted':
    case 'notFound':
    case 'clientError':
      if (failure.status === 407) return 'proxy';
      return failure.doubt === undefined ? 'platform' : 'unclear';
    case 'serverError':
    case 'rateLimited':
    case 'unusable':
    case 'invalidHttp':
      return 'unclear';
    case 'unreachable':
      return failure.cause.status === undefined && failure.viaEditor?.status === undefined
        ? 'nobody'
        : 'proxy';
    case 'connectionLost':
    case 'timedOut':
    case 'cancelled':
      return 'nobody';
  }
}

const whoRedirected = {
  moved: 'platform',
  sameAddress: 'unclear',
  sameHost: 'unclear',
  otherHost: 'signInPage',
} as const;

/** A web server that knows no such path, or allows no such method there, is another one than the platform. */
const statusesOfWebServers = new Set([404, 405, 410, 421]);

/** Who sent a web page: with 2xx it may be anybody's. */
function whoSentPage(status: number): 'filter' | 'webServer' | 'signInPage' {
  if (status < 300) return 'signInPage';
  return statusesOfWebServers.has(status) ? 'webServer' : 'filter';
}
