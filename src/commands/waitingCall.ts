import { isDeepStrictEqual } from 'node:util';
import type * as vscode from 'vscode';
import type { Phase, Target } from '../api/call.js';
import type { Organization } from '../host/organizations/organization.js';
import type { Organizations } from '../host/organizations/organizations.js';

export function signalOf(token: vscode.CancellationToken): AbortSignal {
  const abort = new AbortController();
  // A token that is cancelled already calls back only later.
  if (token.isCancellationRequested) abort.abort();
  token.onCancellationRequested(() => abort.abort());
  return abort.signal;
}

/**
 * The call of a request that ends when the person cancels, and, as long as nothing of it is on its way, when what it was meant for
 * changes: somebody signs out, switches or replaces the token, here or in another window.
 */
export function waitingCall(
  cancellation: vscode.CancellationToken,
  onDidChange: vscode.Event<void>,
  isUnchanged: () => boolean,
  tell?: (phase: Phase) => void,
) {
  const change = new AbortController();
  let waiting = true;
  const look = () => {
    if (waiting && !isUnchanged()) change.abort();
  };
  const listener = onDidChange(look);
  return {
    signal: AbortSignal.any([signalOf(cancellation), change.signal]),
    urgent: true,
    /** Is told the phases of the request: a change does not end it while it is on its way, but does so before a repeat. */
    onPhase: (phase: Phase): void => {
      waiting = phase.kind !== 'sending';
      look();
      tell?.(phase);
    },
    /** Whether a change ended the waiting, and not the person. */
    get changed(): boolean {
      return change.signal.aborted;
    },
    dispose: (): void => listener.dispose(),
  };
}

export type Known = Pick<Organizations, 'current' | 'target'>;

/** What a revocation was asked for, fixed when its first question opened. */
export interface RevocationTarget {
  readonly organization: Organization;
  readonly target: Target;
}

export function revocationTarget(organizations: Known, organization: Organization): RevocationTarget | undefined {
  const target = organizations.target(organization.id, 'access');
  return target && { organization, target };
}

/** Somebody may have switched, signed in anew or signed out since the question, perhaps in another window. */
export function isStillMeant({ organization, target }: RevocationTarget, organizations: Known): boolean {
  return (
    organizations.current?.id === organization.id &&
    organizations.current.name === organization.name &&
    isDeepStrictEqual(target, organizations.target(organization.id, 'access'))
  );
}
