import type * as vscode from 'vscode';
import type { Phase, Target } from '../api/client.js';
import { signalOf } from './signalOf.js';

/** The same organization, server and token. */
export function isSameTarget(meant: Target, now: Target | undefined): boolean {
  return meant.organizationId === now?.organizationId && meant.baseUrl === now.baseUrl && meant.token === now.token;
}

export interface WaitingSignal {
  readonly signal: AbortSignal;
  /** To be told where the request stands: while it is on its way a change does not call it back, before a repeat it does. */
  readonly onPhase: (phase: Phase) => void;
  /** It was a change that ended the waiting, not the person. */
  readonly changed: boolean;
  dispose(): void;
}

/**
 * Ends a request when the person cancels, and, as long as nothing of it is on its way, when what it was meant for changes: somebody
 * signs out, switches or replaces the token, here or in another window.
 */
export function waitingSignal(
  cancellation: vscode.CancellationToken,
  onDidChange: vscode.Event<void>,
  isStillMeant: () => boolean,
): WaitingSignal {
  const change = new AbortController();
  let waiting = true;
  const look = () => {
    if (waiting && !isStillMeant()) change.abort();
  };
  const listener = onDidChange(look);
  return {
    signal: AbortSignal.any([signalOf(cancellation), change.signal]),
    onPhase: (phase) => {
      waiting = phase.kind !== 'sending';
      // It may have changed while the first try was on its way.
      look();
    },
    get changed() {
      return change.signal.aborted;
    },
    dispose: () => listener.dispose(),
  };
}
