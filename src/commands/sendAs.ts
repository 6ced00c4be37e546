import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { Call, Phase, Target } from '../api/call.js';
import { ApiError, type Failure } from '../api/failure.js';
import { type Action, remedyAction, showLogAction, UserError } from '../host/actions.js';
import { causeForLog, excerptOf } from '../host/log.js';
import type { Organization } from '../host/organizations/organization.js';
import type { Services } from '../host/services.js';
import { failureWords } from '../host/text/failure.js';
import { waitingCall } from './waitingCall.js';

/** What a request reads: the authorization of a deployment, or a pending install. */
export type ReadOperation = 'authorization' | 'install';

/**
 * An error that says why a request of an organization failed. Its message and actions are for a
 * notification, its fields for the result of a tool.
 */
export class RequestFailed extends UserError {
  constructor(
    readonly failure: Failure,
    readonly organization: Organization,
    readonly operation: ReadOperation,
  ) {
    const { sentence, remedy } = failureWords(failure, organization, operation);
    super(sentence, actionsFor(failure, remedyAction(remedy, organization)));
  }
}

/** Returns the action that helps, and Show Log if the log has the text of the response. */
function actionsFor(failure: Failure, helpful: Action | undefined): readonly Action[] {
  const actions = helpful ? [helpful] : [];
  const isShowLog = helpful?.command === showLogAction.command;
  const hasLoggedText = excerptOf(failure) !== undefined;
  return hasLoggedText && !isShowLog ? [...actions, showLogAction] : actions;
}

/** One request on behalf of an organization. */
export interface OrganizationRequest<T> {
  readonly organization: Organization;
  readonly operation: ReadOperation;
  readonly cancellation: vscode.CancellationToken;
  /** Sends the request with the target's token, and stops with the call's signal. */
  readonly send: (target: Target, call: Call) => Promise<T>;
  /** Is called with each phase that is to be shown. */
  readonly onPhase?: (phase: Phase) => void;
}

/**
 * Sends the request with the organization's present token, and returns what `send` returns. Rejects
 * with `RequestFailed` if the request failed, and with another `UserError` if the sign-in has
 * changed before the answer came: then the answer is dropped. Other errors and a cancellation are
 * passed on.
 */
export async function sendAs<T>(services: Services, request: OrganizationRequest<T>): Promise<T> {
  const { organizations, store } = services;
  const { organization, operation, cancellation, send, onPhase } = request;
  const { id, name } = organization;
  const isInstall = operation === 'install';
  if (isInstall) await refuseOldTokens(organizations, id);

  const currentTarget = () => organizations.target(id, isInstall ? 'install' : 'access');
  const target = currentTarget();
  if (!target) throw signInChanged(name);
  const isUnchanged = () => isDeepStrictEqual(target, currentTarget());
  const maySend = () => isUnchanged() && !(isInstall && organizations.hasOldToken(id));
  const call = waitingCall(cancellation, organizations.onDidChange, maySend, onPhase);
  try {
    const answer = await send(target, call);
    if (isUnchanged()) return answer;
  } catch (error) {
    if (call.isStoppedByChange || !isUnchanged()) throw signInChanged(name);
    if (!(error instanceof ApiError) || error.failure.kind === 'cancelled') throw error;
    const failure = store.asSharedFailure(id, error.failure);
    if (excerptOf(failure) !== undefined) logResponse(services, request, failure);
    // The user may have set or removed the session token since the request, so the advice is for
    // the organization as it is now.
    throw new RequestFailed(failure, organizations.get(id) ?? organization, operation);
  } finally {
    call.dispose();
  }
  throw signInChanged(name);
}

function logResponse(
  { log }: Services,
  { organization, operation }: Pick<OrganizationRequest<unknown>, 'organization' | 'operation'>,
  failure: Failure,
): void {
  const work = operation === 'install' ? 'Lookup of an install' : 'Reading of a deployment';
  const status = 'status' in failure ? failure.status : undefined;
  log.info(`${work} in organization "${organization.name}" failed${causeForLog(status, failure)}`);
}

/**
 * Rejects if another window has changed the organization's tokens: it may have removed the user
 * session token with which this window would look up the install.
 */
async function refuseOldTokens(
  organizations: Services['organizations'],
  id: string,
): Promise<void> {
  if (organizations.hasOldToken(id)) await organizations.waitForSignIns();
  const oldTokenError = organizations.oldTokenError(id, { isUnsent: true });
  if (oldTokenError) throw oldTokenError;
}

/** "The request was stopped, because the sign-in to “Acme” has changed. Try again." */
function signInChanged(name: string): UserError {
  return new UserError(
    vscode.l10n.t(
      'The request was stopped, because the sign-in to “{name}” has changed. Try again.',
      { name },
    ),
  );
}
