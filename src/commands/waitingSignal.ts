import type * as vscode from 'vscode';
import type { Phase, Target } from '../api/client.js';
import { signalOf } from './signalOf.js';

/** The same organization, server and token. */
export function isSameTarget(meant: Target, now: Target | undefined): boolean {
  return meant.organizationId === now?.organizationId && meant.baseUrl === now.baseUrl && meant.token === now.token;
}

export interface WaitingSignal {
  readonly signal: AbortSignal;
  /** To be told where the request stands: one that is on its way is no longer called back by a change. */
  readonly onPhase: (phase: Phase) => void;
  /** It was a change that ended the waiting, not the person. */
  readonly changed: boolean;
  dispose(): void;
}

/**
 * Ends a request when the person cancels, and, as long as it waits for its turn or for a pause to end, when what it was meant for
 * changes: somebody signs out, switches or replaces the token, here or in another window.
 */
export function waitingSignal(
  cancellation: vscode.CancellationToken,
  onDidChange: vscode.Event<void>,
  isStillMeant: () => boolean,
): WaitingSignal {
  const change = new AbortController();
  let waiting = true;
  const listener = onDidChange(() => {
    if (waiting && !isStillMeant()) change.abort();
  });
  return {
    signal: AbortSignal.any([signalOf(cancellation), change.signal]),
    onPhase: (phase) => {
      waiting = phase.kind !== 'sending';
    },
    get changed() {
      return change.signal.aborted;
    },
    dispose: () => listener.dispose(),
  };
}
