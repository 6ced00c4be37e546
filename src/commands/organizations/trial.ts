import * as vscode from 'vscode';
import { ApiError, type Failure } from '../../api/failure.js';
import type { Services } from '../../host/services.js';
import { connectionWord } from '../../host/text/connection.js';
import { failureName } from '../../host/text/failure.js';
import { sentences } from '../../host/text/format.js';
import { hostOf } from '../../host/text/organization.js';
import { signalOf } from '../meant.js';

/**
 * What one request with a new token came to: a status that does not reject it (`2xx`: it was answered in full, so the number is not
 * known), or the answer to correct. `undefined`: cancelled.
 */
type Trial = { readonly status: number | '2xx' } | { readonly field: 'token' | 'baseUrl'; readonly reason: string };

/** No operation of the service tests a token, so one is asked for that no deployment is likely to have. */
const madeUpId = 'sign-in-check';

/** Sends one request with a token that is not saved yet. Its organization is made up, so that a 429 pauses no real one. */
export async function tryToken({ client }: Pick<Services, 'client'>, baseUrl: string, token: string) {
  const target = { organizationId: crypto.randomUUID(), baseUrl, token };
  const host = hostOf(baseUrl);
  const title = vscode.l10n.t('Checking the token with {host}', { host });
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, async (_, cancellation): Promise<Trial | undefined> => {
    try {
      const call = { signal: signalOf(cancellation), urgent: true, once: true };
      await client.getDeploymentAuthorization(target, madeUpId, call);
      return { status: '2xx' };
    } catch (error) {
      if (error instanceof ApiError) return trialOf(error.failure, host);
      throw error;
    }
  });
}

/** Any response of the service but 401 counts for the token, also an error: nothing else says that it is wrong. */
function trialOf(failure: Failure, host: string): Trial | undefined {
  switch (failure.kind) {
    case 'invalidId':
    case 'cancelled':
      return undefined;
    case 'tokenRejected':
      return failed('token', failureName(failure));
    case 'unreachable': {
      const { cause, viaEditor } = failure;
      return failed(
        'baseUrl',
        failureName(failure),
        vscode.l10n.t('{host}: {cause}.', { host, cause: connectionWord(cause) }),
        viaEditor &&
          vscode.l10n.t('Retrying through VS Code also failed: {cause}.', { cause: connectionWord(viaEditor) }),
      );
    }
    case 'connectionLost':
    case 'redirected':
    case 'timedOut':
      return failed('baseUrl', failureName(failure));
    default:
      return failure.status === 407
        ? failed('baseUrl', vscode.l10n.t('Proxy authentication required (407).'))
        : { status: failure.status };
  }
}

function failed(field: 'token' | 'baseUrl', ...reasons: readonly (string | undefined)[]): Trial {
  const next =
    field === 'token'
      ? vscode.l10n.t('Paste another token or choose Save Anyway.')
      : vscode.l10n.t('Correct the base URL or choose Save Anyway.');
  return { field, reason: sentences(...reasons, next) };
}
