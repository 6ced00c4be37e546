import * as vscode from 'vscode';
import type { Phase } from '../api/client.js';
import { clockTime } from '../host/text.js';

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
