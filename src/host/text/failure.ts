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

/** What the failed request was for. */
type Operation = 'authorization' | 'install' | 'revocation';

interface Words {
  readonly word: string;
  readonly means?: string | undefined;
  readonly next?: string | undefined;
  readonly action?: Action | undefined;
}

/**
 * `word`, for a row: "Unreachable (DNS)". `name`, as a sentence: "Not found (404).". `sentence`: the name, what it probably means, and
 * `next`, the next step. `action`: the button or row command that goes with it.
 */
export function failureWords(failure: Failure, organization?: Organization, operation: Operation = 'authorization') {
  const { word, means, next, action } = wordsOf(failure, organization, operation);
  const name = nameOf(failure, word);
  return { word, name, next, action, sentence: sentences(name, means, next) };
}

function nameOf(failure: Failure, name: string): string {
  if (!('status' in failure)) return l10n.t('{name}.', { name });
  const { status } = failure;
  return failure.kind === 'redirected' && failure.host
    ? l10n.t('{name} ({status}) to {host}.', { name, status, host: shorten(failure.host) })
    : l10n.t('{name} ({status}).', { name, status });
}

function wordsOf(failure: Failure, organization: Organization | undefined, operation: Operation): Words {
  const host = organization ? hostOf(organization.baseUrl) : l10n.t('the service');
  const name = organization ? shorten(organization.name) : host;
  const again = { authorization: refreshAction, install: lookUpInstallAction, revocation: undefined }[operation];
  const findStep = l10n.t('Check the connection to see which step fails.');
  switch (failure.kind) {
    case 'tokenRejected':
      return tokenRejected(name, organization, operation);
    case 'notPermitted': {
      const values = { name, permission: 'apiKey:delete' };
      return {
        word: l10n.t('Access denied'),
        means: {
          authorization: l10n.t('The token of “{name}” probably lacks the permission to read this deployment.', values),
          install: l10n.t(
            'Looking up an install takes a user session token. This token is probably of another kind, or its user cannot see the install.',
          ),
          revocation: l10n.t('The token of “{name}” probably lacks the permission {permission}.', values),
        }[operation],
        next: {
          authorization: l10n.t('Ask for the permission, or switch organizations.'),
          install: sessionTokenAdvice(organization),
          revocation: l10n.t('Use a token that has it.'),
        }[operation],
        action: operation === 'install' ? setSessionTokenAction : switchOrganizationAction,
      };
    }
    case 'notFound':
      return {
        word: l10n.t('Not found'),
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
    case 'unreachable': {
      const { cause, viaEditor } = failure;
      if (isUnsendable(cause)) {
        return {
          // What helps against a rejected token helps here, too.
          ...tokenRejected(name, organization, operation),
          word: l10n.t('Invalid token'),
          means: l10n.t('The token of “{name}” contains characters that cannot be sent.', { name }),
        };
      }
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
            ? l10n.t('The service at {host} is probably not running.', { host })
            : l10n.t('{host}: {cause}.', { host, cause: connectionWord(cause) }),
          viaEditor && l10n.t('Retrying through VS Code also failed: {cause}.', { cause: connectionWord(viaEditor) }),
        ),
        next: proxyAdvice(cause) ?? (viaEditor && proxyAdvice(viaEditor)) ?? findStep,
        action: checkConnectionAction,
      };
    }
    case 'invalidId':
      return {
        word: l10n.t('Invalid ID'),
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
        word: l10n.t('Rate limited'),
        means: l10n.t('Requests resume at {time}.', { time: clockTime(failure.until) }),
        action: showLogAction,
      };
    case 'clientError':
      return {
        word: l10n.t('Request refused'),
        means: l10n.t('The reason is unknown.'),
        next: l10n.t('See the log for details.'),
        action: showLogAction,
      };
    case 'serverError':
      return {
        word: l10n.t('Server error'),
        means: l10n.t('The problem is probably temporary.'),
        next: operation === 'revocation' ? undefined : l10n.t('Try again later.'),
        action: again,
      };
    case 'redirected':
      return {
        word: l10n.t('Redirected'),
        means: l10n.t('A token is sent only to its own base URL, so redirects are not followed.'),
        next: l10n.t('If the service has moved, sign in with its new base URL.'),
        action: signInAction(organization),
      };
    case 'connectionLost': {
      const { code } = failure;
      return {
        word: l10n.t('Connection lost'),
        means: l10n.t('{host} closed the connection before the response was complete ({code}).', { host, code }),
        next: findStep,
        action: checkConnectionAction,
      };
    }
    case 'timedOut': {
      const time = durationText([{ unit: 'second', amount: Math.round(failure.after / 1000) }]);
      return {
        word: l10n.t('Timed out'),
        means: l10n.t('{host} sent no complete response within {time}.', { host, time }),
        next: l10n.t('Try again, or allow more time in the settings.'),
        action: settingAction(`${configurationSection}.${settingKeys.requestTimeout}`),
      };
    }
    case 'cancelled':
      return { word: l10n.t('Cancelled'), action: again };
    case 'unusable':
      return {
        word: l10n.t('Invalid response'),
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

function tokenRejected(name: string, organization: Organization | undefined, operation: Operation): Words {
  const word = l10n.t('Token rejected');
  if (operation === 'install') {
    const isMissing = organization && !organization.hasSessionToken;
    const means = isMissing
      ? l10n.t('Looking up an install takes a user session token, and “{name}” has none.', { name })
      : l10n.t('Looking up an install takes a user session token. The one of “{name}” has probably expired.', { name });
    return { word, means, next: sessionTokenAdvice(organization), action: setSessionTokenAction };
  }
  const variable = environmentVariables.token;
  return {
    word,
    means: l10n.t('The access token of “{name}” has probably expired or been revoked.', { name }),
    next:
      organization?.source === 'environment'
        ? l10n.t('Set a valid token in {variable} and restart VS Code, or sign in.', { variable })
        : l10n.t('Sign in with a new token.'),
    action: signInAction(organization),
  };
}

/** The environment's organization is read-only, so its session token can only be kept under another name. */
function sessionTokenAdvice(organization: Organization | undefined): string {
  return organization?.source === 'environment'
    ? l10n.t('Sign in to the same base URL under another name, and set a user session token there.')
    : l10n.t('Set the session token of a user who can see the install.');
}
