import * as vscode from 'vscode';
import type { Phase } from '../../api/queue.js';
import type { CauseElement } from '../../model/tree/elements.js';
import { type Action, manageTrustAction, showLogAction } from '../actions.js';
import type { Organization } from '../organizations/organization.js';
import { failureAction, failureSentence, failureWord } from './failure.js';
import { clockTime, sentences } from './format.js';

/** What concerns the whole view, and is its first row. */
type Cause = CauseElement['cause'];

/** The row's text: short, like a heading. */
export function causeWord(cause: Cause): string {
  switch (cause.kind) {
    case 'failure':
      return failureWord(cause.failure);
    case 'paused':
      return vscode.l10n.t('paused by the service (429) until {time}', { time: clockTime(cause.until) });
    case 'untrusted':
      return vscode.l10n.t('Workspace lists not used');
  }
}

export function causeSentence(cause: Cause, organization: Organization | undefined): string {
  switch (cause.kind) {
    case 'failure':
      return failureSentence(cause.failure, about(organization));
    case 'paused':
      return sentences(
        vscode.l10n.t('429: The service limits the rate. All requests of this organization wait until {time}.', {
          time: clockTime(cause.until),
        }),
        vscode.l10n.t('Nothing needs to be done: what waits goes on then.'),
      );
    case 'untrusted':
      return vscode.l10n.t(
        'The workspace is not trusted: deployments that its settings list, if there are any, are not used. Trust the workspace to use them.',
      );
  }
}

/** Its one step, the row's command. */
export function causeAction(cause: Cause, organization: Organization | undefined): Action | undefined {
  switch (cause.kind) {
    case 'failure':
      return failureAction(cause.failure, about(organization));
    case 'paused':
      return showLogAction();
    case 'untrusted':
      return manageTrustAction();
  }
}

function about(organization: Organization | undefined) {
  return organization ? { operation: 'authorization' as const, organization } : { operation: 'authorization' as const };
}

/** What a progress message says while an answer is awaited. */
export function phaseText(phase: Phase): string {
  switch (phase.kind) {
    case 'waiting':
      return vscode.l10n.t('waiting for a turn');
    case 'paused':
      return vscode.l10n.t('paused by the service (429) until {time}', { time: clockTime(phase.until) });
    case 'connecting':
      return vscode.l10n.t('connecting');
    case 'sending':
      return vscode.l10n.t('asking the service');
    default:
      return phase satisfies never;
  }
}
