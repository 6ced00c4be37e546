import type { WelcomeState } from '../host/ids.js';
import type { NoOrganization } from '../host/organizations/organization.js';

/** Which one thing an empty Deployments view says; undefined while the sign-ins are read, which needs no fact. */
export function welcomeState(facts: {
  readonly missing: NoOrganization | undefined;
  readonly hasRows: boolean;
  /** Asked only where an organization is current: before, the list is not read. */
  readonly listed: () => number;
  readonly onlyProblems: boolean;
  readonly notYetRead: number;
}): WelcomeState | undefined {
  switch (facts.missing) {
    case 'loading':
      return undefined;
    case 'unreadable':
      return 'keyringUnreadable';
    case 'notSignedIn':
      return 'notSignedIn';
    case 'chooseOne':
      return 'chooseOrganization';
    default:
      if (facts.hasRows) return 'rows';
      if (facts.listed() === 0) return 'noDeployments';
      // Listed and not hidden: the rows are on their way.
      if (!facts.onlyProblems) return 'rows';
      // What nobody has read yet may have a problem.
      return facts.notYetRead > 0 ? 'notAllRead' : 'allHidden';
  }
}
