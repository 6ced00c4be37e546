import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { Call, Phase, Target } from '../api/call.js';
import { ApiError, type Failure } from '../api/failure.js';
import { remedyAction, showLogAction, UserError } from '../host/actions.js';
import { causeLine, responseIn } from '../host/log.js';
import type { Organization } from '../host/organizations/organization.js';
import type { Services } from '../host/services.js';
import { failureWords } from '../host/text/failure.js';
import { waitingCall } from './waitingCall.js';

/** Why a request of an organization failed: the sentence with its step for a notification, the facts for a tool's result. */
export class RequestFailed extends UserError {
  constructor(
    readonly failure: Failure,
    readonly organization: Organization,
    readonly operation: 'authorization' | 'install',
  ) {
    const { sentence, remedy } = failureWords(failure, organization, operation);
    const action = remedyAction(remedy, organization);
    const log =
      responseIn(failure) !== undefined && action?.command !== showLogAction.command
        ? [showLogAction]
        : [];
    super(sentence, [...(action ? [action] : []), ...log]);
  }
}

/** What `send` comes to with the organization's present token. What comes after that token is gone is dropped. */
export async function sendAs<T>(
  { organizations, log, store }: Services,
  organization: Organization,
  operation: 'authorization' | 'install',
  cancellation: vscode.CancellationToken,
  send: (target: Target, call: Call) => Promise<T>,
  onPhase?: (phase: Phase) => void,
): Promise<T> {
  const { id, name } = organization;
  if (operation === 'install') await refuseOldTokens(organizations, id);
  const targetNow = () => organizations.target(id, operation === 'install' ? 'install' : 'access');
  const target = targetNow();
  if (!target) throw signInChanged(name);
  const isUnchanged = () => isDeepStrictEqual(target, targetNow());
  const isUsable = () =>
    isUnchanged() && !(operation === 'install' && organizations.hasOldToken(id));
  const waiting = waitingCall(cancellation, organizations.onDidChange, isUsable, onPhase);
  try {
    const sent = await send(target, waiting);
    if (isUnchanged()) return sent;
  } catch (error) {
    if (waiting.changed || !isUnchanged()) throw signInChanged(name);
    if (!(error instanceof ApiError) || error.failure.kind === 'cancelled') throw error;
    const failure = store.asSharedFailure(id, error.failure);
    if (responseIn(failure) !== undefined) {
      const what = { authorization: 'Reading of a deployment', install: 'Lookup of an install' }[
        operation
      ];
      const status = 'status' in failure ? failure.status : undefined;
      log.info(`${what} in organization "${name}" failed${causeLine(status, failure)}`);
    }
    // The step that helps depends on the session token, which may have been set or removed since the question.
    throw new RequestFailed(failure, organizations.get(id) ?? organization, operation);
  } finally {
    waiting.dispose();
  }
  throw signInChanged(name);
}

/** Another window may have removed the user session token with which this one would look up the install. */
async function refuseOldTokens(
  organizations: Services['organizations'],
  id: string,
): Promise<void> {
  if (organizations.hasOldToken(id)) await organizations.waitForSignIns();
  const problem = organizations.oldTokenError(id, { isUnsent: true });
  if (problem) throw problem;
}

function signInChanged(name: string): UserError {
  return new UserError(
    vscode.l10n.t(
      'The request was stopped, because the sign-in to “{name}” has changed. Try again.',
      { name },
    ),
  );
}
