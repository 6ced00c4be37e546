import * as vscode from 'vscode';
import type { Phase } from '../../api/queue.js';
import type { CauseElement } from '../../model/tree/elements.js';
import { type Action, showLogAction } from '../actions.js';
import type { Organization } from '../organizations/organization.js';
import { failureAction, failureSentence, failureWord } from './failure.js';
import { clockTime } from './format.js';

/** What concerns the whole view, as its first row says it: like a heading, as a sentence, and with its one step. */
export function causeWords(
  cause: CauseElement['cause'],
  organization: Organization | undefined,
): { readonly word: string; readonly sentence: string; readonly action: Action | undefined } {
  switch (cause.kind) {
    case 'failure': {
      const { failure } = cause;
      const about = { operation: 'authorization', organization } as const;
      const action = failureAction(failure, about);
      return { word: failureWord(failure), sentence: failureSentence(failure, about), action };
    }
    case 'paused':
      return {
        word: vscode.l10n.t('Rate limited until {time}', { time: clockTime(cause.until) }),
        sentence: resumeText(cause.until),
        action: showLogAction,
      };
    case 'untrusted':
      return {
        word: vscode.l10n.t('Workspace list not used'),
        sentence: vscode.l10n.t(
          'This workspace is not trusted, so deployments in its settings are ignored. Trust the workspace to use them.',
        ),
        action: { title: vscode.l10n.t('Manage Trust'), command: 'workbench.trust.manage' },
      };
  }
}

function resumeText(until: number): string {
  return vscode.l10n.t('Rate limited (429). Requests resume at {time}.', { time: clockTime(until) });
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
  }
}
