import type { Account } from '../api/authorization.js';
import type { MuteEntries } from '../host/list/muteEntries.js';
import type { Owners } from '../host/list/owners.js';
import type { Organization } from '../host/organizations/organization.js';
import type { AccountReading } from '../model/findings/accountReadings.js';
import type { Deployment } from '../model/findings/deployment.js';
import type { Problem } from '../model/findings/findings.js';
import type { Remembered } from '../model/findings/state.js';
import type { Impact } from '../model/problems/impact.js';
import type { OrganizationCause } from '../model/store/store.js';

/** What a hover says besides the deployment that it is about. */
export interface HoverContext {
  readonly organization: Organization | undefined;
  /** Whether several organizations are signed in. Only then does a hover name the current one. */
  readonly isOneOfSeveral: boolean;
  /**
   * What concerns all deployments: an outage (`failure`), in which nothing can be read, or a pause.
   */
  readonly cause: OrganizationCause | undefined;
  /** Epoch ms. */
  readonly now: number;
  readonly impact: Pick<
    Impact,
    'deploymentsWith' | 'disputedAccountsIn' | 'newestIfWorking' | 'isDisputed'
  >;
  readonly memory: Remembered;
  readonly muteEntries: Pick<MuteEntries, 'current' | 'scopesOf'>;
  readonly owners: Pick<Owners, 'ownerOf'>;
  readonly hasDashboard: boolean;
  /** In an editor: whether VS Code shows the diagnostic of the problem above the hover. */
  readonly isShownByEditor?: (problem: Problem) => boolean;
}

/**
 * Returns the newest answer about the failed account if by that the account works; `undefined` if
 * it does not, and for a requirement.
 */
export function fixSeenElsewhere(
  problem: Problem,
  { id }: Deployment,
  { impact }: HoverContext,
): AccountReading | undefined {
  return impact.newestIfWorking(id, failedAccountOf(problem)?.id);
}

export function failedAccountOf(problem: Problem): Account | undefined {
  return problem.kind === 'failedAccount' ? problem.finding.account : undefined;
}
