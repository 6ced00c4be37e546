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
import { configurationSection, settingKeys } from '../ids.js';
import { environmentVariables } from '../organizations/environment.js';
import type { Organization } from '../organizations/organization.js';
import { connectionWord, isUnsendable, proxyAdvice } from './connection.js';
import { clockTime, durationText, sentences } from './format.js';
import { hostOf } from './organization.js';

/** What the failed request was about. */
export interface FailureAbout {
  readonly operation: 'authorization' | 'install' | 'revocation';
  readonly organization?: Organization | undefined;
}

/** The name alone, for a row: "Not found", "Unreachable (DNS)". */
export function failureWord(failure: Failure): string {
  return textOf(failure, { operation: 'authorization' }).name;
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
  const { means, next } = textOf(failure, about);
  return sentences(failureName(failure), means, next);
}

/** The next step alone, for a row that stands below the name. */
export function failureNext(failure: Failure, about: FailureAbout): string | undefined {
  return textOf(failure, about).next;
}

/** The button or row command that goes with the sentence. */
export function failureAction(failure: Failure, about: FailureAbout): Action | undefined {
  return textOf(failure, about).action;
}

interface FailureText {
  readonly name: string;
  readonly means?: string | undefined;
  readonly next?: string | undefined;
  readonly action?: Action | undefined;
}

function textOf(failure: Failure, about: FailureAbout): FailureText {
  const { operation, organization } = about;
  const host = organization ? hostOf(organization.baseUrl) : l10n.t('the service');
  const name = organization ? shorten(organization.name) : host;
  const again = { authorization: refreshAction, install: lookUpInstallAction, revocation: undefined }[operation];
  switch (failure.kind) {
    case 'tokenRejected':
      return tokenRejected(name, about);
    case 'notPermitted':
      return {
        name: l10n.t('Access denied'),
        means: {
          authorization: l10n.t('The token of “{name}” probably lacks the permission to read this deployment.', {
            name,
          }),
          install: l10n.t(
            'Looking up an install takes a user session token. This token is probably of another kind, or its user cannot see the install.',
          ),
          revocation: l10n.t('The token of “{name}” probably lacks the permission {permission}.', {
            name,
            permission: 'apiKey:delete',
          }),
        }[operation],
        next: {
          authorization: l10n.t('Ask for the permission, or switch organizations.'),
          install: sessionTokenAdvice(organization),
          revocation: l10n.t('Use a token that has it.'),
        }[operation],
        action: operation === 'install' ? setSessionTokenAction : switchOrganizationAction,
      };
    case 'notFound':
      return {
        name: l10n.t('Not found'),
        means: {
          authorization: l10n.t('The deployment was probably deleted, or its ID belongs to another organization.'),
          install: l10n.t('The install has probably expired or been completed, or it belongs to another organization.'),
          revocation: l10n.t('The key ID is probably unknown, or the key is already revoked.'),
        }[operation],
        next: {
          authorization: l10n.t('Check the ID, or switch organizations.'),
          install: l10n.t('Ask for a new link.'),
          revocation: l10n.t('Check the key ID in the dashboard.'),
        }[operation],
        action: operation === 'authorization' ? switchOrganizationAction : again,
      };
    case 'unreachable':
      return unreachable(failure, host, name, about);
    case 'invalidId':
      return {
        name: l10n.t('Invalid ID'),
        means: {
          empty: l10n.t('The ID is empty.'),
          dotSegment: l10n.t('“.” and “..” would change the URL of the request.'),
          loneSurrogate: l10n.t('The ID contains a broken character.'),
        }[failure.reason],
        next:
          operation === 'authorization'
            ? l10n.t('Remove it from the list and add the correct ID.')
            : l10n.t('Enter the correct ID.'),
      };
    case 'rateLimited':
      return {
        name: l10n.t('Rate limited'),
        means: l10n.t('Requests resume at {time}.', { time: clockTime(failure.until) }),
        action: showLogAction,
      };
    case 'clientError':
      return {
        name: l10n.t('Request refused'),
        means: l10n.t('The reason is unknown.'),
        next: l10n.t('See the log for details.'),
        action: showLogAction,
      };
    case 'serverError':
      return {
        name: l10n.t('Server error'),
        means: l10n.t('The problem is probably temporary.'),
        next: operation === 'revocation' ? undefined : l10n.t('Try again later.'),
        action: again,
      };
    case 'redirected':
      return {
        name: l10n.t('Redirected'),
        means: l10n.t('A token is sent only to its own base URL, so redirects are not followed.'),
        next: l10n.t('If the service has moved, sign in with its new base URL.'),
        action: signInAction(organization),
      };
    case 'connectionLost': {
      const { code } = failure;
      return {
        name: l10n.t('Connection lost'),
        means: l10n.t('{host} closed the connection before the response was complete ({code}).', { host, code }),
        next: connectionAdvice(),
        action: checkConnectionAction,
      };
    }
    case 'timedOut': {
      const time = durationText([{ unit: 'second', amount: Math.round(failure.after / 1000) }]);
      return {
        name: l10n.t('Timed out'),
        means: l10n.t('{host} sent no complete response within {time}.', { host, time }),
        next: l10n.t('Try again, or allow more time in the settings.'),
        action: settingAction(`${configurationSection}.${settingKeys.requestTimeout}`),
      };
    }
    case 'cancelled':
      return { name: l10n.t('Cancelled'), action: again };
    case 'unusable':
      return {
        name: l10n.t('Invalid response'),
        means: {
          empty: l10n.t('The response is empty.'),
          notJson: l10n.t(
            'The response is not JSON. It probably comes from a sign-in page or a proxy, or the base URL is wrong.',
          ),
          wrongShape: l10n.t(
            'The response lacks the expected fields. The base URL is probably wrong, or the service has changed.',
          ),
          tooLarge: l10n.t('The response is too large.'),
          truncated: l10n.t('The response was cut off.'),
        }[failure.reason],
        next:
          failure.reason === 'truncated' || failure.reason === 'empty'
            ? l10n.t('Try again. If it happens again, check the connection.')
            : l10n.t('Check the base URL and the connection.'),
        action: checkConnectionAction,
      };
  }
}

function tokenRejected(name: string, { operation, organization }: FailureAbout): FailureText {
  if (operation === 'install') {
    return {
      name: l10n.t('Token rejected'),
      means:
        organization && !organization.hasSessionToken
          ? l10n.t('Looking up an install takes a user session token, and “{name}” has none.', { name })
          : l10n.t('Looking up an install takes a user session token. The one of “{name}” has probably expired.', {
              name,
            }),
      next: sessionTokenAdvice(organization),
      action: setSessionTokenAction,
    };
  }
  return {
    name: l10n.t('Token rejected'),
    means: l10n.t('The access token of “{name}” has probably expired or been revoked.', { name }),
    next:
      organization?.source === 'environment'
        ? l10n.t('Set a valid token in {variable} and restart VS Code, or sign in.', {
            variable: environmentVariables.token,
          })
        : l10n.t('Sign in with a new token.'),
    action: signInAction(organization),
  };
}

function unreachable(
  { cause, viaEditor }: Extract<Failure, { kind: 'unreachable' }>,
  host: string,
  name: string,
  about: FailureAbout,
): FailureText {
  if (isUnsendable(cause)) {
    return {
      // What helps against a rejected token helps here, too.
      ...tokenRejected(name, about),
      name: l10n.t('Invalid token'),
      means: l10n.t('The token of “{name}” contains characters that cannot be sent.', { name }),
    };
  }
  return {
    name: {
      dns: l10n.t('Unreachable (DNS)'),
      refused: l10n.t('Unreachable (connection refused)'),
      tls: l10n.t('Unreachable (TLS)'),
      proxy: l10n.t('Unreachable (proxy)'),
      network: l10n.t('Unreachable'),
    }[cause.step],
    means: sentences(
      cause.step === 'refused'
        ? l10n.t('The service at {host} is probably not running.', { host })
        : l10n.t('{host}: {cause}.', { host, cause: connectionWord(cause) }),
      viaEditor && l10n.t('Retrying through VS Code also failed: {cause}.', { cause: connectionWord(viaEditor) }),
    ),
    next: proxyAdvice(cause) ?? (viaEditor && proxyAdvice(viaEditor)) ?? connectionAdvice(),
    action: checkConnectionAction,
  };
}

function connectionAdvice(): string {
  return l10n.t('Check the connection to see which step fails.');
}

/** The environment's organization is read-only, so its session token can only be kept under another name. */
function sessionTokenAdvice(organization: Organization | undefined): string {
  return organization?.source === 'environment'
    ? l10n.t('Sign in to the same base URL under another name, and set a user session token there.')
    : l10n.t('Set the session token of a user who can see the install.');
}
