import * as vscode from 'vscode';
import type { Phase } from '../../api/queue.js';
import type { CauseElement } from '../../model/tree/elements.js';
import { type Action, manageTrustAction, showLogAction } from '../actions.js';
import type { Organization } from '../organizations/organization.js';
import { failureAction, failureSentence, failureWord } from './failure.js';
import { clockTime } from './format.js';

/** What concerns the whole view, and is its first row. */
type Cause = CauseElement['cause'];

/** The row's text: short, like a heading. */
export function causeWord(cause: Cause): string {
  switch (cause.kind) {
    case 'failure':
      return failureWord(cause.failure);
    case 'paused':
      return vscode.l10n.t('Rate limited until {time}', { time: clockTime(cause.until) });
    case 'untrusted':
      return vscode.l10n.t('Workspace list not used');
  }
}

export function causeSentence(cause: Cause, organization: Organization | undefined): string {
  switch (cause.kind) {
    case 'failure':
      return failureSentence(cause.failure, about(organization));
    case 'paused':
      return resumeText(cause.until);
    case 'untrusted':
      return vscode.l10n.t(
        'This workspace is not trusted, so deployments in its settings are ignored. Trust the workspace to use them.',
      );
  }
}

function resumeText(until: number): string {
  return vscode.l10n.t('Rate limited (429). Requests resume at {time}.', { time: clockTime(until) });
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
      return vscode.l10n.t('waiting');
    case 'paused':
      return resumeText(phase.until);
    case 'connecting':
      return vscode.l10n.t('connecting');
    case 'sending':
      return vscode.l10n.t('waiting for a response');
    default:
      return phase satisfies never;
  }
}
