import type { Failure } from '../api/failure.js';
import type { Deployment } from './deployment.js';
import type { RequirementFinding, ScopeState } from './findings.js';

/** What a report may say of a failed read: no host, no text of the service, nothing that names the organization. */
export interface ReportedFailure {
  readonly kind: Failure['kind'];
  readonly status?: number;
}

/** The report's sentences, localized by the host. Trusted Markdown of one line each, without a trailing newline. */
export interface ReportWording {
  /** First line: that base URL, organization and `serviceSub` are left out. */
  readonly leftOut: string;
  /** Heading of a report on all. */
  readonly summary: (total: number, withProblems: number, unknown: number) => string;
  readonly requirements: string;
  readonly accounts: string;
  readonly none: string;
  readonly notYetRead: string;
  /** `at`: ISO date-time in UTC. */
  readonly readAt: (at: string) => string;
  readonly stale: (failure: ReportedFailure, at: string) => string;
  readonly unknown: (failure: ReportedFailure, at: string) => string;
  readonly unreadableFields: (count: number) => string;
  readonly requirementState: (state: RequirementFinding['state']) => string;
  readonly accountState: (state: 'failed' | 'satisfied') => string;
  readonly boundAccountAbsent: string;
  readonly scopeState: (state: ScopeState) => string;
  readonly required: string;
  readonly minimal: string;
  readonly ownConnection: string;
  /** `at`: ISO date-time in UTC. */
  readonly seenSince: (at: string) => string;
  /** Before the names of fields that the reference does not know. */
  readonly otherFields: string;
}

/** Markdown of one deployment's authorization, for an issue or a chat. */
export function deploymentReport(deployment: Deployment, wording: ReportWording): string {
  void [deployment, wording];
  throw new Error('not written yet');
}

/** The same of all, in the order given. */
export function deploymentsReport(deployments: readonly Deployment[], wording: ReportWording): string {
  void [deployments, wording];
  throw new Error('not written yet');
}
