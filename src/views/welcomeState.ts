import type { WelcomeState } from '../host/ids.js';
import type { NoOrganization } from '../host/organizations.js';

/** Which one thing an empty Deployments view says. */
export function welcomeState(facts: {
  readonly missing: NoOrganization | undefined;
  readonly hasRows: boolean;
  readonly listed: number;
}): WelcomeState {
  switch (facts.missing) {
    case 'loading':
      return 'loading';
    case 'notSignedIn':
      return 'notSignedIn';
    case 'chooseOne':
      return 'chooseOrganization';
    default:
      if (facts.hasRows) return 'rows';
      return facts.listed === 0 ? 'noDeployments' : 'allHidden';
  }
}
