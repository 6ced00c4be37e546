import type { Deployment } from '../deployment.js';
import type { AccountFinding, ConnectionFinding, Problem, RequirementFinding, ScopeFinding } from '../findings.js';
import type { OrganizationCause } from '../store/causes.js';

interface Base {
  /** Path from the root: ids percent-encoded, with an ordinal among equal siblings. Stable across refreshes. */
  readonly id: string;
  readonly parent?: TreeElement;
}

/** A first row that concerns the whole view: an organization-wide cause, or the workspace's trust. */
export interface CauseElement extends Base {
  readonly kind: 'cause';
  readonly cause: OrganizationCause | { readonly kind: 'untrusted' };
}
export interface DeploymentElement extends Base {
  readonly kind: 'deployment';
  readonly deployment: Deployment;
}
/** Why the last read failed, as a row under the deployment. */
export interface FailureElement extends Base {
  readonly kind: 'failure';
  readonly deployment: Deployment;
}
/** "2 fields of this answer could not be read". */
export interface UnreadableElement extends Base {
  readonly kind: 'unreadable';
  readonly deployment: Deployment;
}
export interface RequirementElement extends Base {
  readonly kind: 'requirement';
  readonly deployment: Deployment;
  readonly finding: RequirementFinding;
}
export interface AccountElement extends Base {
  readonly kind: 'account';
  readonly deployment: Deployment;
  readonly role: 'connected' | 'bound' | 'eligible';
  readonly accountId?: string;
  /** Absent: the id is not among the deployment's accounts. */
  readonly finding?: AccountFinding;
}
export interface ConnectionElement extends Base {
  readonly kind: 'connection';
  readonly deployment: Deployment;
  readonly finding: ConnectionFinding;
}
/** A scope of a connection method (`finding`), or one that an account holds (`scope` only). */
export interface ScopeElement extends Base {
  readonly kind: 'scope';
  readonly deployment: Deployment;
  readonly scope: string;
  readonly finding?: ScopeFinding;
}
export interface AccountErrorElement extends Base {
  readonly kind: 'accountError';
  readonly deployment: Deployment;
  readonly finding: AccountFinding;
}
export interface LastCheckElement extends Base {
  readonly kind: 'lastCheck';
  readonly deployment: Deployment;
  readonly finding: AccountFinding;
}
/** What to do about a problem, and since when it has been seen. */
export interface StepElement extends Base {
  readonly kind: 'step';
  readonly deployment: Deployment;
  readonly problem: Problem;
}

export type TreeElement =
  | CauseElement
  | DeploymentElement
  | FailureElement
  | UnreadableElement
  | RequirementElement
  | AccountElement
  | ConnectionElement
  | ScopeElement
  | AccountErrorElement
  | LastCheckElement
  | StepElement;
