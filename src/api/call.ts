import type { Failure } from './failure.js';
import type { ConnectionStep } from './network/steps.js';
import type { SearchedIn } from './secrets.js';

/** A server and a bearer token for it. A token is only ever sent to its own base URL. */
export interface Target {
  /** Opaque id: a 429 pauses one organization, not the others. */
  readonly organizationId: string;
  /** As `parseBaseUrl` returned it: no trailing slash. */
  readonly baseUrl: string;
  readonly token: string;
}

export interface Operation {
  readonly method: 'GET' | 'DELETE';
  /** Below the base URL, with one `{parameter}`. */
  readonly template: string;
  readonly id: string;
  /** Where the id is searched for as a secret: install tokens everywhere, key ids in texts, deployment ids nowhere. */
  readonly idIsSecretIn?: SearchedIn;
}

/** How a caller wants an operation done, and what it wants to know meanwhile. */
export interface Call {
  readonly signal: AbortSignal;
  /** The user asked for this one: it goes ahead of refreshes. */
  readonly urgent: boolean;
  /** A GET that is sent at most once, on a connection of its own. */
  readonly isProbe?: boolean;
  readonly onPhase?: (phase: Phase) => void;
  readonly onStep?: (step: ConnectionStep) => void;
}

/** Where a request stands before its answer. Waiting does not count towards the time-out. */
export type Phase =
  /** `connecting`: it has its slot, and nothing of it is on its way. After `sending`, a repeat waits and connects again. */
  | { readonly kind: 'waiting' | 'connecting' | 'sending' }
  /** `until`: epoch ms, a 429 paused this organization. */
  | { readonly kind: 'paused'; readonly until: number };

/**
 * How a revocation ended. `revoked`: any 2xx except 202. `refused`: 4xx. `unknown`: any other status, or none although the request
 * may have been sent. `notSent`: nothing of the request was written, so the key is unchanged.
 */
export type RevocationOutcome =
  | { readonly kind: 'revoked'; readonly status: number }
  | { readonly kind: 'refused'; readonly status: number; readonly failure: Failure }
  | { readonly kind: 'unknown'; readonly status?: number; readonly failure?: Failure }
  | { readonly kind: 'notSent'; readonly failure: Failure };

/** One finished request, for the log: without its id, and without credentials. `bytes`: of the decoded body; `duration`: ms. */
export interface RequestLogEntry extends Pick<Operation, 'method' | 'template'> {
  readonly host: string;
  readonly status?: number;
  readonly failure?: Failure;
  readonly bytes: number;
  readonly duration: number;
  readonly attempts: number;
}
