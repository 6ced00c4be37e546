import { l10n } from 'vscode';
import type { ScopeFinding, ScopeState } from '../../model/findings/findings.js';
import type { State } from '../../model/findings/order.js';

/** The state of an account or a requirement: "failed", "not satisfied". */
export function stateWord(state: State): string {
  const words: Readonly<Record<State, string>> = {
    failed: l10n.t('failed'),
    notSatisfied: l10n.t('not satisfied'),
    unknown: l10n.t('unknown'),
    notYetRead: l10n.t('not read yet'),
    muted: l10n.t('muted'),
    satisfied: l10n.t('satisfied'),
  };
  return words[state];
}

/**
 * The state of a deployment as a whole: "failing", where `stateWord` says "failed" or "not
 * satisfied"; "healthy" for "satisfied".
 */
export function deploymentStateWord(state: State): string {
  switch (state) {
    case 'satisfied':
      return l10n.t({ message: 'healthy', comment: 'A deployment without problems' });
    case 'failed':
    case 'notSatisfied':
      return l10n.t({ message: 'failing', comment: 'A deployment with problems' });
    default:
      return stateWord(state);
  }
}

/** "granted", "missing", "unknown" */
export function scopeStateWord(state: ScopeState): string {
  const words: Readonly<Record<ScopeState, string>> = {
    granted: l10n.t('granted'),
    missing: l10n.t('missing'),
    unknown: stateWord('unknown'),
  };
  return words[state];
}

/** What a connection method says about a scope: ["required", "minimal"]. */
export function scopeMarks({ isRequired, isMinimal }: ScopeFinding): readonly string[] {
  const marks: string[] = [];
  if (isRequired) marks.push(l10n.t('required'));
  if (isMinimal) marks.push(l10n.t('minimal'));
  return marks;
}
