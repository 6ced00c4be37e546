import { l10n } from 'vscode';
import type { State } from '../../model/order.js';
import type { RequirementFinding } from '../../model/problems/findings.js';

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
      return l10n.t('not read yet');
    case 'muted':
      return l10n.t('muted');
    case 'satisfied':
      return l10n.t('satisfied');
  }
}

/** In a sentence: of a requirement, an unknown state has only one cause. */
export function requirementStateWord({ state }: RequirementFinding): string {
  return state === 'unknown' ? l10n.t('unknown: the service did not say') : stateWord(state);
}
