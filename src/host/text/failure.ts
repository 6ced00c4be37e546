import { l10n } from 'vscode';
import { type Answerer, whoAnswered } from '../../api/answerer/whoAnswered.js';
import { isRecord } from '../../api/decode.js';
import { parseBaseUrl } from '../../api/entered/baseUrl.js';
import type { Failure, ForeignTexts } from '../../api/failure.js';
import { shorten } from '../../model/inertText.js';
import type { FailedRead } from '../../model/toolResult.js';
import type { Remedy } from '../actions.js';
import type { Organization } from '../organizations/organization.js';
import { connectionAdvice, connectionWord, unreachableAdvice } from './connection.js';
import { environmentVariables } from './environment.js';
import { capitalized, clockTime, durationText, joinSentences } from './format.js';
import { hostOf } from './organization.js';
import { blamesBaseUrl } from './tls.js';

type Operation = 'authorization' | 'install' | 'revocation';

interface Words {
  readonly word: string;
  /** In place of the word, where header and status bar have no room for it. */
  readonly short?: string;
  readonly means?: string | undefined;
  readonly next?: string | undefined;
  readonly remedy?: Remedy | undefined;
}

/**
 * `word`, for a row: "Unreachable (DNS)". `name`, as a sentence: "Not found (404).". `sentence`: the name, what it probably `means`,
 * `next`, the next step, and `doubt`, what speaks against the platform having sent it. `remedy`: the button or row command that goes
 * with it.
 */
export function failureWords(
  failure: Failure,
  organization?: Organization,
  operation: Operation = 'authorization',
) {
  const { word, means, next, remedy } = wordsOf(failure, organization, operation);
  const name = failureName(failure, word);
  const doubt = doubtText(failure);
  return {
    word,
    name,
    means,
    next,
    doubt,
    remedy,
    sentence: joinSentences(name, means, next, doubt),
  };
}

/** "Server error (503)": its word with the status, and no host or text of the platform. */
export function wordWithStatus(failure: Failure): string {
  const { word } = failureWords(failure);
  return 'status' in failure ? `${word} (${failure.status})` : word;
}

/**
 * What first row, header and status bar call it, the longest first: "Server error (503)", "Server
 * error".
 */
export function shortFailureNames(failure: Failure): readonly string[] {
  const { word, short = word } = wordsOf(failure, undefined, 'authorization');
  if (failure.kind === 'unreachable') return [short, l10n.t('Unreachable')];
  return 'status' in failure ? [`${short} (${failure.status})`, short] : [short];
}

/** Without the codes of libraries, for a screen reader: "127.0.0.1 closed the connection." */
export function withoutCodes(text: string, failure: Failure): string {
  return codesOf(failure).reduce(
    (rest, code) => rest.replaceAll(` (${code})`, '').replaceAll(`(${code})`, ''),
    text,
  );
}

function codesOf(failure: Failure): readonly string[] {
  if (failure.kind === 'unreachable') {
    return [failure.cause, failure.viaEditor].flatMap((cause) => (cause?.code ? [cause.code] : []));
  }
  return 'code' in failure ? [failure.code] : [];
}

/** For a row of one deployment: its word, with the status only where that says who may have answered. */
export function failureWordInRow(failure: Failure): string {
  return failure.kind === 'notFromPlatform' ? wordWithStatus(failure) : failureWords(failure).word;
}

/** The next step for the label of a row of one deployment, which VS Code cuts: "Check the ID". */
export function nextStepLabel(failure: Failure, organization?: Organization): string {
  switch (failure.kind) {
    case 'notFound':
      return l10n.t('Check the ID');
    case 'notPermitted':
      return l10n.t('Ask for the permission');
    case 'timedOut':
      return l10n.t('Try again, or allow more time');
    case 'cancelled':
    case 'rateLimited':
    case 'serverError':
      return l10n.t('Try again later');
    default: {
      const { remedy } = failureWords(failure, organization);
      if (remedy === 'signIn') return l10n.t('Sign in with a new token');
      if (typeof remedy === 'object') return l10n.t('Sign in with the right base URL');
      return remedy === 'showLog' ? l10n.t('See the log') : l10n.t('Check the connection');
    }
  }
}

/** "Redirected (302) to login.example/start." */
function failureName(failure: Failure, name: string): string {
  if (!('status' in failure)) return l10n.t('{name}.', { name });
  const { status } = failure;
  const address = failure.kind === 'redirected' ? failure.foreign?.address : undefined;
  return address
    ? l10n.t('{name} ({status}) to {address}.', { name, status, address })
    : l10n.t('{name} ({status}).', { name, status });
}

/** Whether it is no evidence that the base URL is wrong, where a deployment was asked for that does not exist. */
export function isPageForUnknownId(
  failure: Failure,
): failure is Extract<Failure, { kind: 'notFromPlatform' }> {
  return failure.kind === 'notFromPlatform' && failure.status === 404;
}

/** "Is the base URL right?" "For a made-up ID, a web page (“Error”) was the answer (404)." */
export function pageForUnknownIdWords({ foreign }: Extract<Failure, { kind: 'notFromPlatform' }>) {
  const title = foreign?.title;
  return {
    question: l10n.t('Is the base URL right?'),
    reason: title
      ? l10n.t('For a made-up ID, a web page (“{title}”) was the answer (404).', { title })
      : l10n.t('For a made-up ID, a web page was the answer (404).'),
  };
}

/** At the end of Check Connection: "The platform probably answered." */
export function whoAnsweredText(who: Answerer): string {
  return {
    platform: l10n.t('The platform probably answered.'),
    unclear: l10n.t('The platform or a gateway in front of it answered.'),
    filter: l10n.t('A web filter or gateway probably answered, not the platform.'),
    webServer: l10n.t('Another web server probably answered, not the platform.'),
    signInPage: l10n.t('A sign-in page or another website probably answered, not the platform.'),
    proxy: l10n.t('The proxy answered, not the platform.'),
    nobody: l10n.t('The platform did not answer.'),
  }[who];
}

/** What follows the usual sentence about a status that the platform may not have sent. */
function doubtText(failure: Failure): string | undefined {
  if (!('doubt' in failure) || failure.doubt === undefined) return undefined;
  const { title, realm } = failure.foreign ?? {};
  if (failure.kind !== 'tokenRejected') {
    return title
      ? l10n.t('The answer was a web page (“{title}”); a web filter or gateway may have sent it.', {
          title,
        })
      : l10n.t('The answer was a web page; a web filter or gateway may have sent it.');
  }
  const name = realm ?? title;
  return name
    ? l10n.t(
        'If the token is right, a gateway in front of the platform asks for its own sign-in (“{name}”).',
        { name },
      )
    : l10n.t('If the token is right, a gateway in front of the platform asks for its own sign-in.');
}

/** For a tool: our sentence without the texts of whoever answered, which stand in fields of their own. */
export function failureFields(failure: Failure, sentenceOf: (ours: Failure) => string): FailedRead {
  const { foreign = {}, ...ours }: Failure & { readonly foreign?: ForeignTexts } = failure;
  const { title, realm, address, baseUrl = address } = foreign;
  return {
    error: sentenceOf(ours),
    ...(baseUrl && { redirectedTo: baseUrl }),
    ...(title && { webPageTitle: title }),
    ...(realm && { realm }),
  };
}

function wordsOf(
  failure: Failure,
  organization: Organization | undefined,
  operation: Operation,
): Words {
  const host = organization
    ? hostOf(organization.baseUrl)
    : l10n.t({ message: 'the platform', comment: 'Host' });
  const name = organization ? shorten(organization.name) : host;
  const again = (
    { authorization: 'refresh', install: 'lookUpInstall', revocation: undefined } as const
  )[operation];
  const findStep = l10n.t('Check the connection to see which step fails.');
  switch (failure.kind) {
    case 'tokenRejected':
      return tokenRejected(name, organization, operation);
    case 'notPermitted':
      return { word: l10n.t('Access denied'), ...notPermitted(name, organization)[operation] };
    case 'notFound':
      return { word: l10n.t('Not found'), ...notFound()[operation] };
    case 'unreachable': {
      const { cause, viaEditor } = failure;
      const advice = unreachableAdvice(failure);
      return {
        ...(cause.step === 'refused' && { short: capitalized(connectionWord(cause)) }),
        word: {
          dns: l10n.t('Unreachable (DNS)'),
          refused: l10n.t('Unreachable (connection refused)'),
          tls: l10n.t('Unreachable (TLS)'),
          proxy: l10n.t('Unreachable (proxy)'),
          network: l10n.t('Unreachable'),
        }[cause.step],
        means: joinSentences(
          cause.step === 'refused'
            ? l10n.t('The platform at {host} is probably not running.', { host })
            : l10n.t('{host}: {cause}.', { host, cause: connectionWord(cause) }),
          viaEditor && retriedText(connectionWord(cause), connectionWord(viaEditor)),
        ),
        next:
          joinSentences(advice, blamesBaseUrl(cause) ? baseUrlAdvice(organization).next : '') ||
          findStep,
        remedy: 'checkConnection',
      };
    }
    case 'rateLimited':
      return {
        word: l10n.t('Rate limited'),
        next: l10n.t('Try again after {time}.', { time: clockTime(failure.until) }),
        remedy: again,
      };
    case 'notFromPlatform':
      return notFromPlatform(failure, host, organization);
    case 'clientError':
      if (failure.status === 407) {
        const { status, schemes } = failure;
        const next = connectionAdvice({
          step: 'proxy',
          code: '',
          host: '',
          status,
          ...(schemes && { schemes }),
        });
        const short = l10n.t({ message: 'Proxy', comment: 'Proxy (407)' });
        return {
          word: l10n.t('Proxy authentication required'),
          short,
          next,
          remedy: 'checkConnection',
        };
      }
      if (failure.status === 410 && operation === 'install') {
        return { word: l10n.t('Request refused'), ...notFound().install };
      }
      return {
        word: l10n.t('Request refused'),
        means: l10n.t('The reason is unknown.'),
        next: l10n.t('See the log for details.'),
        remedy: 'showLog',
      };
    case 'serverError':
      return {
        word: l10n.t('Server error'),
        means: l10n.t('The problem is probably temporary.'),
        next: operation === 'revocation' ? undefined : l10n.t('Try again later.'),
        remedy: again,
      };
    case 'redirected':
      return redirected(failure, { host, name, organization, operation });
    case 'connectionLost': {
      const { code } = failure;
      return {
        word: l10n.t('Connection lost'),
        means: l10n.t('{host} closed the connection before the response was complete ({code}).', {
          host,
          code,
        }),
        next: findStep,
        remedy: 'checkConnection',
      };
    }
    case 'invalidHttp': {
      const { code } = failure;
      return {
        word: l10n.t('Invalid response'),
        means:
          code === 'UND_ERR_HEADERS_OVERFLOW'
            ? l10n.t('The headers of the response are too large ({code}).', { code })
            : l10n.t('The response breaks the rules of HTTP ({code}).', { code }),
        next: l10n.t('Report this to whoever runs the platform or the gateway.'),
        remedy: 'checkConnection',
      };
    }
    case 'timedOut': {
      const time = durationText([{ unit: 'second', amount: Math.round(failure.after / 1000) }]);
      return {
        word: l10n.t('Timed out'),
        means: l10n.t('{host} sent no complete response within {time}.', { host, time }),
        next: l10n.t('Try again, or allow more time in the settings.'),
        remedy: 'allowMoreTime',
      };
    }
    case 'cancelled':
      return { word: l10n.t('Cancelled'), remedy: again };
    case 'unusable':
      return {
        word: l10n.t('Invalid response'),
        means: {
          empty: l10n.t('The response is empty.'),
          notJson: l10n.t(
            'The response is not JSON. It probably comes from a sign-in page or a proxy, or the base URL is wrong.',
          ),
          notModified: l10n.t(
            'The response refers to an earlier one, probably in a cache on the way.',
          ),
          noTarget: l10n.t('The redirect has no usable target.'),
          wrongShape: l10n.t(
            'The response lacks the expected fields. The base URL is probably wrong, or the platform has changed.',
          ),
          tooLarge: l10n.t('The response is too large.'),
          truncated: l10n.t('The response was cut off.'),
        }[failure.reason],
        next:
          failure.reason === 'truncated' || failure.reason === 'empty'
            ? l10n.t('Try again. If it happens again, check the connection.')
            : l10n.t('Check the base URL and the connection.'),
        remedy: 'checkConnection',
      };
  }
}

/** "A web filter or gateway probably sent this web page (“Access blocked”)." */
function notFromPlatform(
  failure: Extract<Failure, { kind: 'notFromPlatform' }>,
  host: string,
  organization: Organization | undefined,
): Words {
  const names = { word: l10n.t('Not from the platform') };
  const { title } = failure.foreign ?? {};
  switch (whoAnswered(failure)) {
    case 'webServer':
      return {
        ...names,
        means: title
          ? l10n.t(
              'Another web server probably sent this web page (“{title}”), so the base URL is probably wrong.',
              {
                title,
              },
            )
          : l10n.t(
              'Another web server probably sent this web page, so the base URL is probably wrong.',
            ),
        ...baseUrlAdvice(organization),
      };
    case 'signInPage':
      return {
        ...names,
        means: title
          ? l10n.t(
              'A sign-in page, a web filter, or another website probably sent this web page (“{title}”).',
              {
                title,
              },
            )
          : l10n.t('A sign-in page, a web filter, or another website probably sent this web page.'),
        next: l10n.t('Check the base URL and the connection.'),
        remedy: 'checkConnection',
      };
    default:
      if (title !== undefined && requiresClientCertificate(failure)) {
        return {
          ...names,
          means: l10n.t(
            'The server requires a client certificate, which is not supported (“{title}”).',
            { title },
          ),
          next: l10n.t('Ask whoever runs {host} for access without a client certificate.', {
            host,
          }),
          remedy: 'checkConnection',
        };
      }
      return {
        ...names,
        means: title
          ? l10n.t('A web filter or gateway probably sent this web page (“{title}”).', { title })
          : l10n.t('A web filter or gateway probably sent this web page.'),
        next: askForAccess(host),
        remedy: 'checkConnection',
      };
  }
}

/** "Retrying through VS Code also failed: name not found (ENOTFOUND)." `first`: why our own connection failed. */
function retriedText(first: string, cause: string): string {
  return first === cause
    ? l10n.t('Retrying through VS Code failed in the same way.')
    : l10n.t('Retrying through VS Code also failed: {cause}.', { cause });
}

/** nginx lets a client without a certificate end the handshake, and answers it with such a page and 400. */
export function requiresClientCertificate({
  foreign,
}: Extract<Failure, { kind: 'notFromPlatform' }>): boolean {
  return /\bNo required SSL certificate was sent\b/.test(foreign?.title ?? '');
}

function askForAccess(host: string): string {
  return l10n.t('Ask your network administrator to let requests with a token through to {host}.', {
    host,
  });
}

/**
 * What to do where the base URL is probably wrong. Where it cannot be changed, another sign-in has
 * another one.
 */
export function baseUrlAdvice(
  organization: Organization | undefined,
): Pick<Words, 'next' | 'remedy'> {
  const variable = environmentVariables.baseUrl;
  return {
    next:
      organization?.source === 'environment'
        ? l10n.t('Correct {variable} and restart VS Code, or sign in with the right base URL.', {
            variable,
          })
        : l10n.t('Sign in with the right base URL.'),
    remedy: organization ? { baseUrl: organization.baseUrl } : 'signIn',
  };
}

interface Asked {
  readonly host: string;
  /** Of the organization. */
  readonly name: string;
  readonly organization: Organization | undefined;
  readonly operation: Operation;
}

/** "The platform has probably moved to https://new.example/api/v1." */
function redirected(
  { target, foreign = {} }: Extract<Failure, { kind: 'redirected' }>,
  { host, name, organization, operation }: Asked,
): Words {
  const word = l10n.t('Redirected');
  switch (target) {
    case 'moved': {
      const { baseUrl } = foreign;
      const isUsable = baseUrl === undefined || parseBaseUrl(baseUrl).ok;
      const remedy = baseUrl && isUsable ? { baseUrl } : baseUrlAdvice(organization).remedy;
      return {
        word,
        means: baseUrl
          ? l10n.t('The platform has probably moved to {url}.', { url: baseUrl })
          : l10n.t('The platform has probably moved.'),
        next: isUsable
          ? l10n.t('Sign in with its new base URL.')
          : l10n.t('That is no usable base URL. Ask an administrator for the right one.'),
        remedy,
      };
    }
    case 'sameAddress':
      return {
        word,
        means: l10n.t(
          'The redirect leads back to the same address, probably from a gateway in front of the platform.',
        ),
        next: l10n.t('Report this to whoever runs the platform or the gateway.'),
        remedy: 'checkConnection',
      };
    case 'sameHost': {
      // The same helps as against an expired token.
      const { next, remedy } = tokenRejected(name, organization, operation);
      return {
        word,
        means: l10n.t('The token has probably expired, or a gateway wants a sign-in.'),
        next,
        remedy,
      };
    }
    case 'otherHost':
      return {
        word,
        means: foreign.host
          ? l10n.t('This is probably a sign-in page at {host} in front of the platform.', {
              host: foreign.host,
            })
          : l10n.t('This is probably a sign-in page on another host in front of the platform.'),
        next: askForAccess(host),
        remedy: 'checkConnection',
      };
  }
}

type WordsByOperation = Readonly<Record<Operation, Omit<Words, 'word'>>>;

function notPermitted(name: string, organization: Organization | undefined): WordsByOperation {
  const values = { name, permission: 'apiKey:delete' };
  return {
    authorization: {
      means: l10n.t(
        'The token for “{name}” probably lacks the permission to read this deployment.',
        values,
      ),
      next: l10n.t(
        'Ask an administrator for the permission, or switch to an organization that has it.',
      ),
      remedy: 'switchOrganization',
    },
    install: {
      means: l10n.t(
        'Looking up an install requires a user session token. This token is probably not one, or its user cannot see the install.',
      ),
      ...sessionTokenAdvice(organization),
    },
    revocation: {
      means: l10n.t('The token for “{name}” probably lacks the permission {permission}.', values),
      next: l10n.t('Sign in with a token that has this permission, or switch organizations.'),
      remedy: 'switchOrganization',
    },
  };
}

function notFound(): WordsByOperation {
  return {
    authorization: {
      means: l10n.t(
        'The deployment was probably deleted, or its ID belongs to another organization.',
      ),
      next: l10n.t('Check the ID, or switch to the organization it belongs to.'),
      remedy: 'switchOrganization',
    },
    install: {
      means: l10n.t(
        'The install has probably expired or been completed, or it belongs to another organization.',
      ),
      next: l10n.t('Ask for a new link.'),
      remedy: 'lookUpInstall',
    },
    revocation: {
      means: l10n.t('The key ID is probably unknown, or the key is already revoked.'),
      next: l10n.t('Check the key ID in the dashboard.'),
    },
  };
}

function tokenRejected(
  name: string,
  organization: Organization | undefined,
  operation: Operation,
): Words {
  const word = l10n.t('Token rejected');
  if (operation === 'install') {
    const isMissing = organization && !organization.hasSessionToken;
    const means = isMissing
      ? l10n.t('Looking up an install requires a user session token, and “{name}” has none.', {
          name,
        })
      : l10n.t(
          'Looking up an install requires a user session token. The token for “{name}” has probably expired.',
          {
            name,
          },
        );
    return { word, means, ...sessionTokenAdvice(organization) };
  }
  const variable = environmentVariables.token;
  return {
    word,
    means: l10n.t('The access token for “{name}” has probably expired or been revoked.', { name }),
    next:
      organization?.source === 'environment'
        ? l10n.t('Set a valid token in {variable} and restart VS Code, or sign in.', { variable })
        : l10n.t('Sign in with a new token.'),
    remedy: 'signIn',
  };
}

/** The environment's organization is read-only, so its user has to sign in beside it. */
function sessionTokenAdvice(
  organization: Organization | undefined,
): Pick<Words, 'next' | 'remedy'> {
  return organization?.source === 'environment'
    ? {
        next: l10n.t(
          'Sign in to the same base URL under another name, and set a user session token there.',
        ),
        remedy: 'signIn',
      }
    : {
        next: l10n.t('Set the user session token of someone who can see the install.'),
        remedy: 'setSessionToken',
      };
}

export function responseSentence(failure: Failure): string | undefined {
  const said = answerText(failure);
  return said && l10n.t('Response: “{excerpt}”', { excerpt: shorten(said, 300) });
}

/** Text of whoever answered. Of a web page its title has been said, and the rest is for a browser. */
export function answerText(failure: Failure): string | undefined {
  if (!('excerpt' in failure) || !failure.excerpt) return undefined;
  if (failure.kind === 'notFromPlatform' || ('doubt' in failure && failure.doubt !== undefined))
    return undefined;
  return messageInExcerpt(failure.excerpt);
}

/** Of a JSON object with nothing but a `message` that message, else the text as it came. */
export function messageInExcerpt(excerpt: string): string {
  try {
    const value: unknown = JSON.parse(excerpt);
    const [[key, message] = []] =
      isRecord(value) && Object.keys(value).length === 1 ? Object.entries(value) : [];
    return key === 'message' && typeof message === 'string' && message.trim() !== ''
      ? message
      : excerpt;
  } catch {
    return excerpt;
  }
}
