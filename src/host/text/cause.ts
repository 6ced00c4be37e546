import { l10n } from 'vscode';
import type { CauseElement } from '../../model/tree/elements.js';
import type { Organization } from '../organizations/organization.js';
import { failureSentence, failureStep, failureWord } from './failure.js';
import { clockTime, sentences } from './format.js';
import { manageTrustStep, type Step, showLogStep } from './step.js';

/** What concerns the whole view, and is its first row. */
export type Cause = CauseElement['cause'];

/** The row's text: short, like a heading. */
export function causeWord(cause: Cause): string {
  switch (cause.kind) {
    case 'failure':
      return failureWord(cause.failure);
    case 'paused':
      return l10n.t('paused by the service (429) until {time}', { time: clockTime(cause.until) });
    case 'untrusted':
      return l10n.t('Workspace lists not used');
  }
}

export function causeSentence(cause: Cause, organization: Organization | undefined): string {
  switch (cause.kind) {
    case 'failure':
      return failureSentence(cause.failure, about(organization));
    case 'paused':
      return sentences(
        l10n.t('429: The service limits the rate. All requests of this organization wait until {time}.', {
          time: clockTime(cause.until),
        }),
        l10n.t('Nothing needs to be done: what waits goes on then.'),
      );
    case 'untrusted':
      return l10n.t(
        'The workspace is not trusted: deployments that its settings list, if there are any, are not used. Trust the workspace to use them.',
      );
  }
}

/** Its one step, the row's command. */
export function causeStep(cause: Cause, organization: Organization | undefined): Step | undefined {
  switch (cause.kind) {
    case 'failure':
      return failureStep(cause.failure, about(organization));
    case 'paused':
      return showLogStep();
    case 'untrusted':
      return manageTrustStep();
  }
}

function about(organization: Organization | undefined) {
  return organization ? { operation: 'authorization' as const, organization } : { operation: 'authorization' as const };
}
