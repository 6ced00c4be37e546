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

/** For a row's description: "not found (404)", "timed out after 30 sec". */
export function failureWord(failure: Failure): string {
  return textOf(failure).word(failure);
}

/** What happened, what it probably means, what to do now. */
export function failureSentence(failure: Failure, about: FailureAbout): string {
  const text = textOf(failure);
  const named = withNames(about);
  return sentences(text.happened(failure, named), text.next?.(failure, named));
}

/** Text that came with the failure, quoted; already redacted and bounded by `api`. */
export function failureExcerpt(failure: Failure): string | undefined {
  if (!('excerpt' in failure) || !failure.excerpt) return undefined;
  return l10n.t('The answer said: “{excerpt}”', { excerpt: failure.excerpt });
}

/** The button or row command that goes with the sentence. */
export function failureAction(failure: Failure, about: FailureAbout): Action | undefined {
  return textOf(failure).action?.(failure, withNames(about));
}

/** What the request was about, with the names that sentences put in. */
interface Named extends FailureAbout {
  readonly host: string;
  readonly name: string;
}

interface FailureText<F extends Failure> {
  word(failure: F): string;
  happened(failure: F, about: Named): string;
  next?(failure: F, about: Named): string | undefined;
  action?(failure: F, about: Named): Action | undefined;
}

type FailureOf<K extends Failure['kind']> = Extract<Failure, { kind: K }>;

const tokenRejected: FailureText<FailureOf<'tokenRejected'>> = {
  word: () => l10n.t('token rejected (401)'),
  happened: (_, { operation, organization, host, name }) => {
    if (operation !== 'install') {
      return l10n.t('401: {host} rejected the access token of “{name}”. It has probably expired or been revoked.', {
        host,
        name,
      });
    }
    return organization && !organization.hasSessionToken
      ? l10n.t('401: This operation takes a user session token, and {host} rejected the access token of “{name}”.', {
          host,
          name,
        })
      : l10n.t(
          '401: This operation takes a user session token, and {host} rejected the one of “{name}”. It has probably expired.',
          { host, name },
        );
  },
  next: (_, about) => {
    if (about.operation === 'install') return sessionTokenAdvice(about);
    return about.organization?.source === 'environment'
      ? l10n.t('Put a valid token into {variable} and start VS Code again, or sign in.', {
          variable: 'AUTOMATION_PLATFORM_TOKEN',
        })
      : l10n.t('Sign in with a new token.');
  },
  action: (_, { operation, organization }) =>
    operation === 'install' ? setSessionTokenAction() : signInAction(organization),
};

const notPermitted: FailureText<FailureOf<'notPermitted'>> = {
  word: () => l10n.t('not permitted (403)'),
  happened: (_, { operation, host, name }) => {
    switch (operation) {
      case 'authorization':
        return l10n.t(
          '403: {host} does not permit this. The token of “{name}” probably lacks the permission to read this deployment.',
          { host, name },
        );
      case 'install':
        return l10n.t(
          '403: {host} does not permit this. The look-up takes a user session token; the one used is probably of another kind, or its user may not see this install.',
          { host },
        );
      case 'revocation':
        return l10n.t(
          '403: {host} does not permit this. The token of “{name}” probably lacks the permission {permission}.',
          { host, name, permission: 'apiKey:delete' },
        );
    }
  },
  next: (_, about) => {
    switch (about.operation) {
      case 'authorization':
        return l10n.t('Ask for the permission, or switch the organization.');
      case 'install':
        return sessionTokenAdvice(about);
      case 'revocation':
        return l10n.t('Use a token that has it.');
    }
  },
  action: (_, { operation }) => (operation === 'install' ? setSessionTokenAction() : switchOrganizationAction()),
};

const notFound: FailureText<FailureOf<'notFound'>> = {
  word: () => l10n.t('not found (404)'),
  happened: (_, { operation, host }) => {
    switch (operation) {
      case 'authorization':
        return l10n.t(
          '404: {host} does not find it. There is probably no deployment with this id, or it belongs to another organization.',
          { host },
        );
      case 'install':
        return l10n.t(
          '404: {host} does not find it. The pending install has probably lapsed or been completed, or it belongs to another organization.',
          { host },
        );
      case 'revocation':
        return l10n.t('404: {host} does not find it. The key is probably unknown or already revoked.', { host });
    }
  },
  next: (_, { operation }) => {
    switch (operation) {
      case 'authorization':
        return l10n.t('Compare the id with the one in the dashboard, or switch the organization.');
      case 'install':
        return l10n.t('Ask for a new link and look it up again.');
      case 'revocation':
        return l10n.t('Compare the key id with the one in the dashboard.');
    }
  },
  action: (_, { operation }) => {
    if (operation === 'install') return lookUpInstallAction();
    return operation === 'authorization' ? switchOrganizationAction() : undefined;
  },
};

const redirected: FailureText<FailureOf<'redirected'>> = {
  word: ({ status, host }) =>
    host
      ? l10n.t('redirected ({status}) to {host}', { status, host: shorten(host) })
      : l10n.t('redirected ({status})', { status }),
  happened: ({ status, host: target }, { host }) =>
    target
      ? l10n.t(
          '{status}: {host} redirects to {target}. Redirects are never followed, since a token is only sent to its own base URL.',
          { status, host, target: shorten(target) },
        )
      : l10n.t(
          '{status}: {host} redirects without saying where to. Redirects are never followed, since a token is only sent to its own base URL.',
          { status, host },
        ),
  next: () => l10n.t('If the service has moved, sign in with its new base URL.'),
  action: (_, { organization }) => signInAction(organization),
};

/** What helps against a token that can't be sent is what helps against a rejected one. */
const rejection: FailureOf<'tokenRejected'> = { kind: 'tokenRejected', status: 401 };

const unreachable: FailureText<FailureOf<'unreachable'>> = {
  word: ({ cause }) =>
    isUnsendable(cause) ? connectionWord(cause) : l10n.t('unreachable: {cause}', { cause: connectionWord(cause) }),
  happened: ({ cause, viaEditor }, { host, name }) =>
    isUnsendable(cause)
      ? l10n.t('A token of “{name}” has characters that no request can hold, so nothing was sent.', { name })
      : sentences(
          l10n.t('{host} is unreachable: {cause}.', { host, cause: connectionWord(cause) }),
          viaEditor &&
            l10n.t('The try through the editor failed as well: {cause}.', { cause: connectionWord(viaEditor) }),
        ),
  next: ({ cause, viaEditor }, about) =>
    isUnsendable(cause)
      ? tokenRejected.next?.(rejection, about)
      : (proxyAdvice(cause) ?? (viaEditor && proxyAdvice(viaEditor)) ?? connectionAdvice()),
  action: ({ cause }, about) =>
    isUnsendable(cause) ? tokenRejected.action?.(rejection, about) : checkConnectionAction(),
};

const unusable: FailureText<FailureOf<'unusable'>> = {
  word: ({ reason }) => l10n.t('answer unusable: {reason}', { reason: unusableWord(reason) }),
  happened: ({ status, reason }, { host }) => {
    switch (reason) {
      case 'empty':
        return l10n.t('{status}: {host} sent an empty answer.', { status, host });
      case 'notJson':
        return l10n.t(
          '{status}: {host} sent an answer that is not JSON. It probably comes from a sign-in page or a proxy, or the base URL is not that of the API.',
          { status, host },
        );
      case 'wrongShape':
        return l10n.t(
          '{status}: {host} sent JSON without the expected fields. The base URL is probably not that of the API, or the service has changed.',
          { status, host },
        );
      case 'tooLarge':
        return l10n.t('{status}: The answer of {host} is too large to be read.', { status, host });
      case 'truncated':
        return l10n.t('{status}: The answer of {host} was cut off.', { status, host });
    }
  },
  next: ({ reason }) =>
    reason === 'truncated' || reason === 'empty'
      ? l10n.t('Try again; if it stays so, check the connection.')
      : l10n.t('Check the base URL and the connection.'),
  action: checkConnectionAction,
};

function unusableWord(reason: FailureOf<'unusable'>['reason']): string {
  switch (reason) {
    case 'empty':
      return l10n.t('empty');
    case 'notJson':
      return l10n.t('not JSON');
    case 'wrongShape':
      return l10n.t('not the expected fields');
    case 'tooLarge':
      return l10n.t('too large');
    case 'truncated':
      return l10n.t('cut off');
  }
}

const texts: { readonly [K in Failure['kind']]: FailureText<FailureOf<K>> } = {
  tokenRejected,
  notPermitted,
  notFound,
  redirected,
  unreachable,
  unusable,
  invalidId: {
    word: () => l10n.t('id cannot be used'),
    happened: ({ reason }) => {
      switch (reason) {
        case 'empty':
          return l10n.t('The id is empty, so nothing was sent.');
        case 'dotSegment':
          return l10n.t('An id “.” or “..” would change the address of the request, so nothing was sent.');
        case 'loneSurrogate':
          return l10n.t('The id contains a broken character, so nothing was sent.');
      }
    },
    next: (_, { operation }) =>
      operation === 'authorization'
        ? l10n.t('Remove it from the list and add the right id.')
        : l10n.t('Enter the right id.'),
  },
  rateLimited: {
    word: ({ until }) => l10n.t('rate limited (429) until {time}', { time: clockTime(until) }),
    happened: ({ until }, { host, name }) =>
      l10n.t('429: {host} limits the rate. All requests of “{name}” wait until {time}.', {
        host,
        name,
        time: clockTime(until),
      }),
    next: (_, { operation }) =>
      operation === 'authorization' ? l10n.t('Refresh after that.') : l10n.t('Try again after that.'),
    action: showLogAction,
  },
  clientError: {
    word: ({ status }) => l10n.t('refused ({status})', { status }),
    happened: ({ status }, { host }) =>
      l10n.t('{status}: {host} refused the request. The reason is not known.', { status, host }),
    next: () => l10n.t('The log has the details.'),
    action: showLogAction,
  },
  serverError: {
    word: ({ status }) => l10n.t('server error ({status})', { status }),
    happened: ({ status }, { host }) =>
      l10n.t('{status}: {host} could not answer. It is probably a passing disturbance of the service.', {
        status,
        host,
      }),
    next: (_, { operation }) => (operation === 'revocation' ? undefined : l10n.t('Try again later.')),
    action: (_, about) => againAction(about),
  },
  connectionLost: {
    word: ({ code }) => l10n.t('connection lost ({code})', { code }),
    happened: ({ code }, { host }) =>
      l10n.t('The connection to {host} was lost before the whole answer had arrived ({code}).', { host, code }),
    next: connectionAdvice,
    action: checkConnectionAction,
  },
  timedOut: {
    word: ({ after }) => l10n.t('timed out after {time}', { time: secondsText(after) }),
    happened: ({ after }, { host }) =>
      l10n.t('{host} did not answer completely within {time}.', { host, time: secondsText(after) }),
    next: () => l10n.t('Try again, or allow more time in the settings.'),
    action: () => settingAction(settingKeys.requestTimeout),
  },
  cancelled: {
    word: () => l10n.t('cancelled'),
    happened: () => l10n.t('The request was cancelled.'),
    next: (_, { operation }) => (operation === 'revocation' ? undefined : l10n.t('Try again when you like.')),
    action: (_, about) => againAction(about),
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

function againAction({ operation }: Named): Action | undefined {
  if (operation === 'install') return lookUpInstallAction();
  return operation === 'authorization' ? refreshAction() : undefined;
}

function connectionAdvice(): string {
  return l10n.t('Check the connection to see where on the way it ends.');
}

/** The environment's organization is read-only, so its session token can only be kept under another name. */
function sessionTokenAdvice({ organization }: Named): string {
  return organization?.source === 'environment'
    ? l10n.t('Sign in to the same base URL under another name, and set a user session token there.')
    : l10n.t('Set a user session token of a user who may see it.');
}
