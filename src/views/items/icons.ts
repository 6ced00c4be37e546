import type * as vscode from 'vscode';
import { icon, stateIcon } from '../../host/icons.js';
import type { Deployment } from '../../model/deployment.js';
import type { ScopeState } from '../../model/findings.js';

/** While something is under way the icon says so. What was satisfied when it was last read keeps its shape and loses its green. */
export function deploymentIcon({ state, activity, answer, failure }: Deployment): vscode.ThemeIcon {
  if (activity === 'reading') return icon('sync~spin');
  if (activity === 'waiting' && !answer && !failure) return icon('watch', 'disabledForeground');
  return failure && state === 'satisfied' ? icon('pass', 'disabledForeground') : stateIcon(state);
}

export function scopeIcon(state: ScopeState): vscode.ThemeIcon {
  switch (state) {
    case 'held':
      return icon('check', 'charts.green');
    case 'missing':
      return icon('close', 'problemsErrorIcon.foreground');
    default:
      return icon('question');
  }
}
