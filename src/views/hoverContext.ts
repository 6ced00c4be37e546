import type { Account } from '../api/authorization.js';
import type { Owners } from '../host/list/owners.js';
import type { Organization } from '../host/organizations/organization.js';
import type { AccountReading } from '../model/findings/accountReadings.js';
import type { Deployment } from '../model/findings/deployment.js';
import type { Problem } from '../model/findings/findings.js';
import type { Remembered } from '../model/findings/state.js';
import type { Impact } from '../model/problems/impact.js';
import type { OrganizationCause } from '../model/store/store.js';

/** What a hover says beside the deployment that it is about. */
export interface HoverContext {
  readonly organization: Organization | undefined;
  /** Only then does a hover name the organization. */
  readonly isOneOfSeveral: boolean;
  /** Why nothing can be read now. */
  readonly cause: OrganizationCause | undefined;
  readonly now: number;
  readonly impact: Pick<
    Impact,
    'deploymentsWith' | 'disputedIn' | 'fixSeenElsewhere' | 'isDisputed'
  >;
  readonly memory: Remembered;
  readonly owners: Pick<Owners, 'of'>;
  readonly hasDashboard: boolean;
  /** In an editor: whether VS Code shows the problem itself, above the hover. */
  readonly isShownByEditor?: (problem: Problem) => boolean;
}

/** The newest answer about the failed account, if that says that it works. */
export function fixSeenElsewhere(
  problem: Problem,
  { id }: Deployment,
  { impact }: HoverContext,
): AccountReading | undefined {
  return impact.fixSeenElsewhere(id, failedAccountOf(problem)?.id);
}

export function failedAccountOf(problem: Problem): Account | undefined {
  return problem.kind === 'failedAccount' ? problem.finding.account : undefined;
}
