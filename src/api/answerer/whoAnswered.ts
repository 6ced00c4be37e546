import type { Failure, RedirectTarget, RefusalKind } from '../failure.js';
import type { WireAnswer } from '../network/wire.js';
import type { KnownSecrets } from '../secrets.js';
import { askForNoToken, type Challenge, challengesIn, knownSchemes } from './challenges.js';
import { foreignText, webPageIn } from './webPage.js';

/**
 * Who probably answered. Web filters, sign-in gateways, proxies, and other web servers on the way
 * may answer in place of the platform. `unclear`: the answer does not show it. `signInPage`: of a
 * gateway or a network.
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

/** `status`: 400 or more, except 429. */
export function refusalKindOf(status: number): RefusalKind {
  return refusals[status] ?? (status < 500 ? 'clientError' : 'serverError');
}

type Doubt = Pick<Extract<Failure, { kind: RefusalKind }>, 'doubt' | 'schemes' | 'foreign'>;

/**
 * Returns why the platform may not have sent this answer, whose status is 400 or more; an empty
 * object without a doubt. For a 407, returns the schemes that the proxy accepts.
 */
export function doubtsAbout(answer: WireAnswer, secrets: KnownSecrets): Doubt {
  const { status, headers } = answer;
  // Gateways of healthy platforms send web pages with such a status.
  if (status >= 500) return {};
  if (status === 407) return { schemes: knownSchemes(challengesIn(headers['proxy-authenticate'])) };

  const page = webPageIn(answer, secrets);
  const foreign: { title?: string; realm?: string } = {};
  if (page !== undefined && page.title !== '') foreign.title = page.title;
  if (status === 401) {
    const challenges = challengesIn(headers['www-authenticate']);
    if (askForNoToken(challenges)) {
      const realm = realmOf(challenges, secrets);
      if (realm !== '') foreign.realm = realm;
      return { doubt: 'challenges', foreign };
    }
  }
  return page === undefined ? {} : { doubt: 'webPage', foreign };
}

/** The first realm, as it may be shown; empty if there is none. */
function realmOf(challenges: readonly Challenge[], secrets: KnownSecrets): string {
  const challenge = challenges.find(({ realm }) => realm !== undefined && realm !== '');
  return foreignText(challenge?.realm ?? '', secrets);
}

/**
 * Returns a failure with a web page as one that something on the way has sent; any other failure
 * unchanged, and a rejected token even with a web page. For when it is not known that the platform
 * has answered any request.
 */
export function asSentOnTheWay(failure: Failure): Failure {
  const hasWebPage = 'doubt' in failure && failure.doubt === 'webPage';
  if (!hasWebPage || failure.kind === 'tokenRejected') return failure;
  const { status, excerpt, foreign } = failure;
  return {
    kind: 'notFromPlatform',
    status,
    ...(excerpt && { excerpt }),
    ...(foreign && { foreign }),
  };
}

/** The reverse of `asSentOnTheWay`, for when the platform has answered other requests meanwhile. */
export function asSentByPlatform(failure: Failure): Failure {
  if (failure.kind !== 'notFromPlatform' || failure.status < 400) return failure;
  return { ...failure, kind: refusalKindOf(failure.status), doubt: 'webPage' };
}

/** `failure`: of the request; `undefined` if it was answered with usable JSON. */
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
    case 'unreachable': {
      const status = failure.cause.status ?? failure.viaEditor?.status;
      return status === undefined ? 'nobody' : 'proxy';
    }
    case 'connectionLost':
    case 'timedOut':
    case 'cancelled':
      return 'nobody';
  }
}

const whoRedirected: Readonly<Record<RedirectTarget, Answerer>> = {
  moved: 'platform',
  sameAddress: 'unclear',
  sameHost: 'unclear',
  otherHost: 'signInPage',
};

/**
 * A server that does not know the path, or does not allow the method there, is not the platform.
 */
const statusesOfWebServers = new Set([404, 405, 410, 421]);

/** Who sent a web page with this status. */
function whoSentPage(status: number): 'filter' | 'webServer' | 'signInPage' {
  if (status < 300) return 'signInPage';
  return statusesOfWebServers.has(status) ? 'webServer' : 'filter';
}
