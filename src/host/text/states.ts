import { l10n } from 'vscode';
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
      return l10n.t('not read yet');
    case 'muted':
      return l10n.t('muted');
    case 'satisfied':
      return l10n.t('satisfied');
  }
}
