import { l10n } from 'vscode';
import { isRecord } from '../../api/decode.js';
import type { Failure } from '../../api/failure.js';
import { shorten } from '../../model/inertText.js';
import type { Remedy } from '../actions.js';
import type { Organization } from '../organizations/organization.js';
import { connectionWord, proxyAdvice } from './connection.js';
import { environmentVariables } from './environment.js';
import { clockTime, durationText, sentences } from './format.js';
import { hostOf } from './organization.js';

type Operation = 'authorization' | 'install' | 'revocation';

interface Words {
  readonly word: string;
  readonly means?: string | undefined;
  readonly next?: string | undefined;
  readonly remedy?: Remedy | undefined;
}

/**
 * `word`, for a row: "Unreachable (DNS)". `name`, as a sentence: "Not found (404).". `sentence`: the name, what it probably `means`, and
 * `next`, the next step. `remedy`: the button or row command that goes with it.
 */
export function failureWords(failure: Failure, organization?: Organization, operation: Operation = 'authorization') {
  const { word, means, next, remedy } = wordsOf(failure, organization, operation);
  const name = failureName(failure, word);
  return { word, name, means, next, remedy, sentence: sentences(name, means, next) };
}

/** "Server error (503)": its word with the status, and no host or text of the platform. */
export function wordWithStatus(failure: Failure): string {
  const { word } = failureWords(failure);
  return 'status' in failure ? `${word} (${failure.status})` : word;
}

function failureName(failure: Failure, name: string): string {
  if (!('status' in failure)) return l10n.t('{name}.', { name });
  const { status } = failure;
  return failure.kind === 'redirected' && failure.host
    ? l10n.t('{name} ({status}) to {host}.', { name, status, host: shorten(failure.host) })
    : l10n.t('{name} ({status}).', { name, status });
}

function wordsOf(failure: Failure, organization: Organization | undefined, operation: Operation): Words {
  const host = organization ? hostOf(organization.baseUrl) : l10n.t({ message: 'the platform', comment: 'Host' });
  const name = organization ? shorten(organization.name) : host;
  const again = ({ authorization: 'refresh', install: 'lookUpInstall', revocation: undefined } as const)[operation];
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
      return {
        word: {
          dns: l10n.t('Unreachable (DNS)'),
          refused: l10n.t('Unreachable (connection refused)'),
          tls: l10n.t('Unreachable (TLS)'),
          proxy: l10n.t('Unreachable (proxy)'),
          network: l10n.t('Unreachable'),
        }[cause.step],
        means: sentences(
          cause.step === 'refused'
            ? l10n.t('The platform at {host} is probably not running.', { host })
            : l10n.t('{host}: {cause}.', { host, cause: connectionWord(cause) }),
          viaEditor && l10n.t('Retrying through VS Code also failed: {cause}.', { cause: connectionWord(viaEditor) }),
        ),
        next: proxyAdvice(cause) ?? (viaEditor && proxyAdvice(viaEditor)) ?? findStep,
        remedy: 'checkConnection',
      };
    }
    case 'rateLimited':
      return {
        word: l10n.t('Rate limited'),
        means: l10n.t('Requests resume at {time}.', { time: clockTime(failure.until) }),
        remedy: 'showLog',
      };
    case 'clientError':
      if (failure.status === 407) {
        const next = proxyAdvice({ step: 'proxy', code: '', host: '', status: failure.status });
        return { word: l10n.t('Proxy authentication required'), next, remedy: 'checkConnection' };
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
      return {
        word: l10n.t('Redirected'),
        means: l10n.t('A token is sent only to its own base URL, so redirects are not followed.'),
        next: l10n.t('If the platform has moved, sign in with its new base URL.'),
        remedy: 'signIn',
      };
    case 'connectionLost': {
      const { code } = failure;
      return {
        word: l10n.t('Connection lost'),
        means: l10n.t('{host} closed the connection before the response was complete ({code}).', { host, code }),
        next: findStep,
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

type WordsByOperation = Readonly<Record<Operation, Omit<Words, 'word'>>>;

function notPermitted(name: string, organization: Organization | undefined): WordsByOperation {
  const values = { name, permission: 'apiKey:delete' };
  return {
    authorization: {
      means: l10n.t('The token for “{name}” probably lacks the permission to read this deployment.', values),
      next: l10n.t('Ask an administrator for the permission, or switch organizations.'),
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
      next: l10n.t('Sign in with a token that has this permission.'),
      remedy: 'switchOrganization',
    },
  };
}

function notFound(): WordsByOperation {
  return {
    authorization: {
      means: l10n.t('The deployment was probably deleted, or its ID belongs to another organization.'),
      next: l10n.t('Check the ID, or switch organizations.'),
      remedy: 'switchOrganization',
    },
    install: {
      means: l10n.t('The install has probably expired or been completed, or it belongs to another organization.'),
      next: l10n.t('Ask for a new link.'),
      remedy: 'lookUpInstall',
    },
    revocation: {
      means: l10n.t('The key ID is probably unknown, or the key is already revoked.'),
      next: l10n.t('Check the key ID in the dashboard.'),
    },
  };
}

function tokenRejected(name: string, organization: Organization | undefined, operation: Operation): Words {
  const word = l10n.t('Token rejected');
  if (operation === 'install') {
    const isMissing = organization && !organization.hasSessionToken;
    const means = isMissing
      ? l10n.t('Looking up an install requires a user session token, and “{name}” has none.', { name })
      : l10n.t('Looking up an install requires a user session token. The token for “{name}” has probably expired.', {
          name,
        });
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
function sessionTokenAdvice(organization: Organization | undefined): Pick<Words, 'next' | 'remedy'> {
  return organization?.source === 'environment'
    ? {
        next: l10n.t('Sign in to the same base URL under another name, and set a user session token there.'),
        remedy: 'signIn',
      }
    : { next: l10n.t('Set the user session token of someone who can see the install.'), remedy: 'setSessionToken' };
}

export function responseText(failure: Failure): string | undefined {
  if (!('excerpt' in failure) || !failure.excerpt) return undefined;
  return l10n.t('Response: “{excerpt}”', { excerpt: shorten(saidText(failure.excerpt), 300) });
}

/** Of a JSON object with nothing but a `message` that message, else the text as it came. */
export function saidText(excerpt: string): string {
  try {
    const value: unknown = JSON.parse(excerpt);
    const [[key, message] = []] = isRecord(value) && Object.keys(value).length === 1 ? Object.entries(value) : [];
    return key === 'message' && typeof message === 'string' && message.trim() !== '' ? message : excerpt;
  } catch {
    return excerpt;
  }
}
