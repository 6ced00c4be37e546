import type * as vscode from 'vscode';
import type { Phase } from '../api/queue.js';
import type { Target } from '../api/wireRequest.js';
import type { Organization } from '../host/organizations/organization.js';
import type { Organizations } from '../host/organizations/organizations.js';

/** A cancellation of VS Code as the signal that requests take. */
export function signalOf(token: vscode.CancellationToken): AbortSignal {
  const abort = new AbortController();
  if (token.isCancellationRequested) abort.abort();
  else token.onCancellationRequested(() => abort.abort());
  return abort.signal;
}

/** The same organization, server and token. */
export function isSameTarget(meant: Target, now: Target | undefined): boolean {
  return meant.organizationId === now?.organizationId && meant.baseUrl === now.baseUrl && meant.token === now.token;
}

interface WaitingSignal {
  readonly signal: AbortSignal;
  /** Is told the phases of the request: a change does not end it while it is on its way, but does so before a repeat. */
  readonly onPhase: (phase: Phase) => void;
  /** Whether a change ended the waiting, and not the person. */
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
  isUnchanged: () => boolean,
): WaitingSignal {
  const change = new AbortController();
  let waiting = true;
  const look = () => {
    if (waiting && !isUnchanged()) change.abort();
  };
  const listener = onDidChange(look);
  return {
    signal: AbortSignal.any([signalOf(cancellation), change.signal]),
    onPhase: (phase) => {
      waiting = phase.kind !== 'sending';
      // Before a repeat: something may have changed while the first try was on its way.
      look();
    },
    get changed() {
      return change.signal.aborted;
    },
    dispose: () => listener.dispose(),
  };
}

/** What a revocation needs to know of the organizations. */
export type Known = Pick<Organizations, 'current' | 'target'>;

/** What a revocation was asked for, fixed when its first question opened (contract, "Revocation"). */
export interface RevocationTarget {
  readonly organization: Organization;
  /** The access slot: server and token. */
  readonly target: Target;
}

/** `undefined`: the organization's secret is gone. */
export function revocationTarget(organizations: Known, organization: Organization): RevocationTarget | undefined {
  const target = organizations.target(organization.id, 'access');
  return target && { organization, target };
}

/**
 * Whether this workspace would still send the request to the same organization, server and token. Somebody may have switched,
 * signed in anew or signed out since the question, perhaps in another window.
 */
export function isStillMeant({ organization, target }: RevocationTarget, organizations: Known): boolean {
  return (
    organizations.current?.id === organization.id &&
    organizations.current.name === organization.name &&
    isSameTarget(target, organizations.target(organization.id, 'access'))
  );
}

/** Keys whose revocation is under way, so that no second request for one is sent at the same time. */
export class UnderWay {
  private readonly keys = new Set<string>();

  /** `false`: one is under way already. */
  begin(target: Target, keyId: string): boolean {
    const key = keyOf(target, keyId);
    if (this.keys.has(key)) return false;
    this.keys.add(key);
    return true;
  }

  end(target: Target, keyId: string): void {
    this.keys.delete(keyOf(target, keyId));
  }
}

/** By server: two sign-ins to one server may mean the same key. */
function keyOf(target: Target, keyId: string): string {
  return JSON.stringify([target.baseUrl, keyId]);
}
