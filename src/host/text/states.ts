import { l10n } from 'vscode';
import type { RequirementFinding } from '../../model/findings.js';
import type { State } from '../../model/order.js';

/** The one vocabulary for states. */
export function stateWord(state: State): string {
  switch (state) {
    case 'failed':
      return l10n.t('failed');
    case 'notSatisfied':
      return l10n.t('not satisfied');
    case 'unknown':
      return l10n.t('unknown');
    case 'notYetRead':
      return l10n.t('not checked yet');
    case 'satisfied':
      return l10n.t('satisfied');
  }
}

/** The same for a requirement, of which an unknown state has only one cause. */
export function requirementStateWord({ state }: RequirementFinding): string {
  return state === 'unknown' ? l10n.t('unknown: the service did not say') : stateWord(state);
}
