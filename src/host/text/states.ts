import { l10n } from 'vscode';
import type { ScopeFinding, ScopeState } from '../../model/findings/findings.js';
import type { State } from '../../model/findings/order.js';

export function stateWord(state: State): string {
  return {
    failed: l10n.t('failed'),
    notSatisfied: l10n.t('not satisfied'),
    unknown: l10n.t('unknown'),
    notYetRead: l10n.t('not read yet'),
    muted: l10n.t('muted'),
    satisfied: l10n.t('satisfied'),
  }[state];
}

/**
 * Of a deployment as a whole: it is failing, while an account has failed, and healthy, while a
 * requirement is satisfied.
 */
export function deploymentStateWord(state: State): string {
  if (state === 'satisfied')
    return l10n.t({ message: 'healthy', comment: 'A deployment without problems' });
  const isFailing = state === 'failed' || state === 'notSatisfied';
  return isFailing
    ? l10n.t({ message: 'failing', comment: 'A deployment with problems' })
    : stateWord(state);
}

export function scopeStateWord(state: ScopeState): string {
  return { granted: l10n.t('granted'), missing: l10n.t('missing'), unknown: stateWord('unknown') }[
    state
  ];
}

export function scopeMarks({ isRequired, isMinimal }: ScopeFinding): readonly string[] {
  return [...(isRequired ? [l10n.t('required')] : []), ...(isMinimal ? [l10n.t('minimal')] : [])];
}
