import { isDeepStrictEqual } from 'node:util';
import type * as vscode from 'vscode';
import type { Call, Phase, Target } from '../api/call.js';
import type { Organizations } from '../host/organizations/organizations.js';

/**
 * Returns a signal that aborts when the token is cancelled, or at once if it is cancelled already.
 */
export function signalOf(token: vscode.CancellationToken): AbortSignal {
  const abort = new AbortController();
  // If the token is cancelled already, VS Code calls the listener too, but asynchronously.
  if (token.isCancellationRequested) abort.abort();
  token.onCancellationRequested(() => abort.abort());
  return abort.signal;
}

/** A `Call` that listens for changes until it is disposed of. */
export interface WaitingCall extends Call {
  readonly onPhase: (phase: Phase) => void;
  /** Whether a change, and not Cancel, has aborted the signal. */
  readonly isStoppedByChange: boolean;
  readonly dispose: () => void;
}

/**
 * Makes the call for a request that Cancel stops. Until the request is sent, it is also stopped
 * once `isUnchanged` returns `false` (after a sign-out, a switch, or a new token, in this or
 * another window), which is asked after each event of `onDidChange` and at each phase. `onPhase` is
 * called with each phase that is to be shown.
 */
export function waitingCall(
  cancellation: vscode.CancellationToken,
  onDidChange: vscode.Event<void>,
  isUnchanged: () => boolean,
  onPhase?: (phase: Phase) => void,
): WaitingCall {
  const change = new AbortController();
  let isSent = false;
  let latestPhase: Phase | undefined;
  const stopIfChanged = (): void => {
    if (!isSent && !isUnchanged()) change.abort();
  };
  const listener = onDidChange(stopIfChanged);
  return {
    signal: AbortSignal.any([signalOf(cancellation), change.signal]),
    urgent: true,
    onPhase: (phase) => {
      // A phase after `sending` belongs to the next attempt, which a change may still stop.
      isSent = false;
      // No event reports what another tab of a browser has changed, so this is the last moment to
      // ask.
      stopIfChanged();
      isSent = phase.kind === 'sending';

      latestPhase = phase;
      if (phase.kind !== 'waiting') {
        onPhase?.(phase);
        return;
      }
      // The queue reports “waiting” before it looks for a slot, which it may find at once.
      setImmediate(() => {
        if (latestPhase === phase) onPhase?.(phase);
      });
    },
    get isStoppedByChange(): boolean {
      return change.signal.aborted;
    },
    dispose: () => listener.dispose(),
  };
}

/** Whether the current organization still has this base URL and this access token. */
export function isTargetUnchanged(
  target: Target,
  organizations: Pick<Organizations, 'current' | 'target'>,
): boolean {
  const { current } = organizations;
  const currentTarget = current && organizations.target(current.id, 'access');
  return isDeepStrictEqual(target, currentTarget);
}
