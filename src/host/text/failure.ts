import { l10n } from 'vscode';
import type { Failure } from '../../api/failure.js';
import { shorten } from '../../model/inertText.js';
import {
  type Action,
  checkConnectionAction,
  lookUpInstallAction,
  refreshAction,
  setSessionTokenAction,
  settingAction,
  showLogAction,
  signInAction,
  switchOrganizationAction,
} from '../actions.js';
import { settingKeys } from '../ids.js';
import type { Organization } from '../organizations/organization.js';
import { connectionWord, isUnsendable, proxyAdvice } from './connection.js';
import { clockTime, secondsText, sentences } from './format.js';
import { hostOf } from './organization.js';

/** What the failed request was about. */
export interface FailureAbout {
  readonly operation: 'authorization' | 'install' | 'revocation';
  readonly organization?: Organization;
  /** Only needed without an organization: else it is the base URL's. */
  readonly host?: string;
}

/** The name alone, for a row: "Not found", "Unreachable (DNS)". */
export function failureWord(failure: Failure): string {
  return textOf(failure).name(failure);
}

/** The name as a sentence, with the status: "Not found (404)."; of a redirect also the host that it names. */
export function failureName(failure: Failure): string {
  const name = failureWord(failure);
  if (!('status' in failure)) return l10n.t('{name}.', { name });
  const { status } = failure;
  return failure.kind === 'redirected' && failure.host
    ? l10n.t('{name} ({status}) to {host}.', { name, status, host: shorten(failure.host) })
    : l10n.t('{name} ({status}).', { name, status });
}

/** "Not found (404). The deployment was probably deleted, …. Check the ID.": name, what it probably means, next step. */
export function failureSentence(failure: Failure, about: FailureAbout): string {
  const text = textOf(failure);
  const named = withNames(about);
  return sentences(failureName(failure), text.means?.(failure, named), text.next?.(failure, named));
}

/** The next step alone, for a row that stands below the name. */
export function failureNext(failure: Failure, about: FailureAbout): string | undefined {
  return textOf(failure).next?.(failure, withNames(about));
}

/** Text that came with the failure, quoted; already redacted and bounded by `api`. */
export function failureExcerpt(failure: Failure): string | undefined {
  if (!('excerpt' in failure) || !failure.excerpt) return undefined;
  return l10n.t('Response: “{excerpt}”', { excerpt: failure.excerpt });
}

/** The button or row command that goes with the sentence. */
export function failureAction(failure: Failure, about: FailureAbout): Action | undefined {
  return textOf(failure).action?.(failure, about);
}

/** What the request was about, with the names that sentences put in. */
interface Named extends FailureAbout {
  readonly host: string;
  readonly name: string;
}

interface FailureText<F extends Failure> {
  name(failure: F): string;
  means?(failure: F, about: Named): string | undefined;
  next?(failure: F, about: Named): string | undefined;
  action?(failure: F, about: FailureAbout): Action | undefined;
}

type FailureOf<K extends Failure['kind']> = Extract<Failure, { kind: K }>;

const tokenRejected: FailureText<FailureOf<'tokenRejected'>> = {
  name: () => l10n.t('Token rejected'),
  means: (_, { operation, organization, name }) => {
    if (operation !== 'install') {
      return l10n.t('The access token of “{name}” has probably expired or been revoked.', { name });
    }
    return organization && !organization.hasSessionToken
      ? l10n.t('Looking up an install takes a user session token, and “{name}” has none.', { name })
      : l10n.t('Looking up an install takes a user session token. The one of “{name}” has probably expired.', { name });
  },
  next: (_, about) => {
    if (about.operation === 'install') return sessionTokenAdvice(about);
    return about.organization?.source === 'environment'
      ? l10n.t('Set a valid token in {variable} and restart VS Code, or sign in.', {
          variable: 'AUTOMATION_PLATFORM_TOKEN',
        })
      : l10n.t('Sign in with a new token.');
  },
  action: (_, { operation, organization }) =>
    operation === 'install' ? setSessionTokenAction() : signInAction(organization),
};

const notPermitted: FailureText<FailureOf<'notPermitted'>> = {
  name: () => l10n.t('Access denied'),
  means: (_, { operation, name }) =>
    ({
      authorization: l10n.t('The token of “{name}” probably lacks the permission to read this deployment.', { name }),
      install: l10n.t(
        'Looking up an install takes a user session token. This token is probably of another kind, or its user cannot see the install.',
      ),
      revocation: l10n.t('The token of “{name}” probably lacks the permission {permission}.', {
        name,
        permission: 'apiKey:delete',
      }),
    })[operation],
  next: (_, about) =>
    ({
      authorization: l10n.t('Ask for the permission, or switch organizations.'),
      install: sessionTokenAdvice(about),
      revocation: l10n.t('Use a token that has it.'),
    })[about.operation],
  action: (_, { operation }) => (operation === 'install' ? setSessionTokenAction() : switchOrganizationAction()),
};

const notFound: FailureText<FailureOf<'notFound'>> = {
  name: () => l10n.t('Not found'),
  means: (_, { operation }) =>
    ({
      authorization: l10n.t('The deployment was probably deleted, or its ID belongs to another organization.'),
      install: l10n.t('The install has probably expired or been completed, or it belongs to another organization.'),
      revocation: l10n.t('The key ID is probably unknown, or the key is already revoked.'),
    })[operation],
  next: (_, { operation }) =>
    ({
      authorization: l10n.t('Check the ID, or switch organizations.'),
      install: l10n.t('Ask for a new link.'),
      revocation: l10n.t('Check the key ID in the dashboard.'),
    })[operation],
  action: (_, { operation }) =>
    ({ authorization: switchOrganizationAction(), install: lookUpInstallAction(), revocation: undefined })[operation],
};

/** What helps against a token that can't be sent is what helps against a rejected one. */
const rejection: FailureOf<'tokenRejected'> = { kind: 'tokenRejected', status: 401 };

const unreachable: FailureText<FailureOf<'unreachable'>> = {
  name: ({ cause }) =>
    isUnsendable(cause)
      ? l10n.t('Invalid token')
      : {
          dns: l10n.t('Unreachable (DNS)'),
          refused: l10n.t('Unreachable (connection refused)'),
          tls: l10n.t('Unreachable (TLS)'),
          proxy: l10n.t('Unreachable (proxy)'),
          network: l10n.t('Unreachable'),
        }[cause.step],
  means: ({ cause, viaEditor }, { host, name }) =>
    isUnsendable(cause)
      ? l10n.t('The token of “{name}” contains characters that cannot be sent.', { name })
      : sentences(
          cause.step === 'refused'
            ? l10n.t('The service at {host} is probably not running.', { host })
            : l10n.t('{host}: {cause}.', { host, cause: connectionWord(cause) }),
          viaEditor && l10n.t('Retrying through VS Code also failed: {cause}.', { cause: connectionWord(viaEditor) }),
        ),
  next: ({ cause, viaEditor }, about) =>
    isUnsendable(cause)
      ? tokenRejected.next?.(rejection, about)
      : (proxyAdvice(cause) ?? (viaEditor && proxyAdvice(viaEditor)) ?? connectionAdvice()),
  action: ({ cause }, about) =>
    isUnsendable(cause) ? tokenRejected.action?.(rejection, about) : checkConnectionAction(),
};

const texts: { readonly [K in Failure['kind']]: FailureText<FailureOf<K>> } = {
  tokenRejected,
  notPermitted,
  notFound,
  unreachable,
  invalidId: {
    name: () => l10n.t('Invalid ID'),
    means: ({ reason }) =>
      ({
        empty: l10n.t('The ID is empty.'),
        dotSegment: l10n.t('“.” and “..” would change the URL of the request.'),
        loneSurrogate: l10n.t('The ID contains a broken character.'),
      })[reason],
    next: (_, { operation }) =>
      operation === 'authorization'
        ? l10n.t('Remove it from the list and add the correct ID.')
        : l10n.t('Enter the correct ID.'),
  },
  rateLimited: {
    name: () => l10n.t('Rate limited'),
    means: ({ until }) => l10n.t('Requests resume at {time}.', { time: clockTime(until) }),
    action: showLogAction,
  },
  clientError: {
    name: () => l10n.t('Request refused'),
    means: () => l10n.t('The reason is unknown.'),
    next: () => l10n.t('See the log for details.'),
    action: showLogAction,
  },
  serverError: {
    name: () => l10n.t('Server error'),
    means: () => l10n.t('The problem is probably temporary.'),
    next: (_, { operation }) => (operation === 'revocation' ? undefined : l10n.t('Try again later.')),
    action: againAction,
  },
  redirected: {
    name: () => l10n.t('Redirected'),
    means: () => l10n.t('A token is sent only to its own base URL, so redirects are not followed.'),
    next: () => l10n.t('If the service has moved, sign in with its new base URL.'),
    action: (_, { organization }) => signInAction(organization),
  },
  connectionLost: {
    name: () => l10n.t('Connection lost'),
    means: ({ code }, { host }) =>
      l10n.t('{host} closed the connection before the response was complete ({code}).', { host, code }),
    next: connectionAdvice,
    action: checkConnectionAction,
  },
  timedOut: {
    name: () => l10n.t('Timed out'),
    means: ({ after }, { host }) =>
      l10n.t('{host} sent no complete response within {time}.', { host, time: secondsText(after) }),
    next: () => l10n.t('Try again, or allow more time in the settings.'),
    action: () => settingAction(settingKeys.requestTimeout),
  },
  cancelled: { name: () => l10n.t('Cancelled'), action: againAction },
  unusable: {
    name: () => l10n.t('Invalid response'),
    means: ({ reason }) =>
      ({
        empty: l10n.t('The response is empty.'),
        notJson: l10n.t(
          'The response is not JSON. It probably comes from a sign-in page or a proxy, or the base URL is wrong.',
        ),
        wrongShape: l10n.t(
          'The response lacks the expected fields. The base URL is probably wrong, or the service has changed.',
        ),
        tooLarge: l10n.t('The response is too large.'),
        truncated: l10n.t('The response was cut off.'),
      })[reason],
    next: ({ reason }) =>
      reason === 'truncated' || reason === 'empty'
        ? l10n.t('Try again. If it happens again, check the connection.')
        : l10n.t('Check the base URL and the connection.'),
    action: checkConnectionAction,
  },
};

/** What is found by a failure's kind is made for failures of that kind, although the type here says: of any. */
function textOf(failure: Failure): FailureText<Failure> {
  return texts[failure.kind];
}

function withNames(about: FailureAbout): Named {
  const { organization } = about;
  const host = organization ? hostOf(organization.baseUrl) : (about.host ?? l10n.t('the service'));
  return { ...about, host, name: organization ? shorten(organization.name) : host };
}

function againAction(_: Failure, { operation }: FailureAbout): Action | undefined {
  return { authorization: refreshAction(), install: lookUpInstallAction(), revocation: undefined }[operation];
}

function connectionAdvice(): string {
  return l10n.t('Check the connection to see which step fails.');
}

/** The environment's organization is read-only, so its session token can only be kept under another name. */
function sessionTokenAdvice({ organization }: Named): string {
  return organization?.source === 'environment'
    ? l10n.t('Sign in to the same base URL under another name, and set a user session token there.')
    : l10n.t('Set the session token of a user who can see the install.');
}
