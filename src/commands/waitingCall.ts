import { isDeepStrictEqual } from 'node:util';
import type * as vscode from 'vscode';
import type { Phase, Target } from '../api/call.js';
import type { Organizations } from '../host/organizations/organizations.js';

export function signalOf(token: vscode.CancellationToken): AbortSignal {
  const abort = new AbortController();
  // A token that is cancelled already calls back only later.
  if (token.isCancellationRequested) abort.abort();
  token.onCancellationRequested(() => abort.abort());
  return abort.signal;
}

/**
 * A request that Cancel ends, and, until it is sent, a sign-out, a switch or a new token, here or in another window.
 * `onPhase`: for what is shown.
 */
export function waitingCall(
  cancellation: vscode.CancellationToken,
  onDidChange: vscode.Event<void>,
  isUnchanged: () => boolean,
  onPhase?: (phase: Phase) => void,
) {
  const change = new AbortController();
  let isSent = false;
  let latest: Phase | undefined;
  const endIfChanged = () => {
    if (!isSent && !isUnchanged()) change.abort();
  };
  const listener = onDidChange(endIfChanged);
  return {
    signal: AbortSignal.any([signalOf(cancellation), change.signal]),
    urgent: true,
    /** A change does not end a request that is sent, but ends it before it is repeated. */
    onPhase: (phase: Phase): void => {
      isSent = false;
      // At the last moment, too: no event tells of what another tab of a browser has changed.
      endIfChanged();
      isSent = phase.kind === 'sending';
      latest = phase;
      // The queue reports “waiting” before it looks for a slot, which it may find at once.
      if (phase.kind === 'waiting') setImmediate(() => latest === phase && onPhase?.(phase));
      else onPhase?.(phase);
    },
    get changed(): boolean {
      return change.signal.aborted;
    },
    dispose: (): void => listener.dispose(),
  };
}

export function isTargetUnchanged(
  target: Target,
  organizations: Pick<Organizations, 'current' | 'target'>,
): boolean {
  const { current } = organizations;
  return isDeepStrictEqual(target, current && organizations.target(current.id, 'access'));
}
