import type { Answer } from '../../api/answer.js';
import type { Call } from '../../api/client.js';
import type { DeploymentAuthorization } from '../../api/deploymentAuthorization.js';
import type { Failure } from '../../api/failure.js';
import type { Deployment, ListedDeployment } from '../deployment.js';
import type { Disposable, Event } from '../emitter.js';
import type { Problem } from '../findings.js';

/** One cause that holds for the whole organization; the tree's first row says it. */
export type OrganizationCause =
  | { readonly kind: 'failure'; readonly failure: Failure; readonly at: number }
  /** `until`: epoch ms. */
  | { readonly kind: 'paused'; readonly until: number };

/** What changed since the last event. Events come at most every 250 ms, the first at once, the last with the last answer. */
export interface StoreChange {
  /** Ids whose object was replaced; `all` after a new list, order or organization. */
  readonly deployments: ReadonlySet<string> | 'all';
}

/** Problems that a finished refresh found and that were not there before (never from a failed read). */
export interface NewProblems {
  readonly problems: readonly { readonly deployment: Deployment; readonly problem: Problem }[];
}

export interface Counts {
  readonly total: number;
  /** Deployments with at least one problem in their newest answer. */
  readonly withProblems: number;
  readonly unknown: number;
  readonly notYetRead: number;
  readonly stale: number;
  /** Epoch ms of the oldest answer shown, if any. */
  readonly oldest?: number;
}

/** How the store reads one deployment for the organization it was given. */
export type ReadDeployment = (deploymentId: string, call: Call) => Promise<Answer<DeploymentAuthorization>>;

/**
 * The deployments of the current organization. It is told (organization, list) and asks only `read`. Answers out of
 * order, and answers for an organization that is no longer current, are dropped.
 */
export interface DeploymentStore extends Disposable {
  readonly onDidChange: Event<StoreChange>;
  readonly onDidFindNewProblems: Event<NewProblems>;
  /** Whose deployments these are. */
  readonly organizationId: string | undefined;
  /** In the settled order: worst first, then label. During a bulk refresh rows stay where they are. */
  readonly deployments: readonly Deployment[];
  readonly counts: Counts;
  readonly cause: OrganizationCause | undefined;
  /** Present while a bulk refresh runs. */
  readonly progress: { readonly done: number; readonly total: number } | undefined;
  get(id: string): Deployment | undefined;
  /** Another organization, or none (`undefined`): all data is forgotten at once, requests under way are cancelled. */
  setOrganization(organization: { readonly id: string; readonly read: ReadDeployment } | undefined): void;
  /** A new list: data of ids that stay is kept. */
  setListed(listed: readonly ListedDeployment[]): void;
  /**
   * Reads these, or all. Resolves when the last answer is in, cancelled ones included; never rejects. `signal` ends it, unless
   * somebody else asked for the same refresh without one.
   */
  refreshAll(ids?: readonly string[], signal?: AbortSignal): Promise<void>;
  /** One, ahead of a bulk refresh; resolves with what is known afterwards. Never rejects. */
  refresh(id: string, signal?: AbortSignal): Promise<Deployment | undefined>;
  /** A 429 of any operation holds this organization until then, epoch ms. */
  pause(organizationId: string, until: number): void;
  /** Ends the bulk refresh; what has arrived stays. */
  cancelRefresh(): void;
}
