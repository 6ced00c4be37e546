import type { Organization } from './organization.js';
import type { NoOrganization } from './organizations.js';
import type { KeyringState } from './signIns.js';

export type Choice =
  | { readonly current: Organization; readonly missing?: undefined }
  | { readonly current?: undefined; readonly missing: NoOrganization };

/**
 * Which organization a workspace uses: the one it chose. One that has not chosen uses the environment's, else the only one.
 * If the chosen one is gone there is none, never another: nobody is to act with the wrong account by accident.
 */
export function chooseOrganization(
  chosen: string | undefined,
  organizations: readonly Organization[],
  keyring: KeyringState,
): Choice {
  const none = (): Choice => {
    if (keyring !== 'read') return { missing: keyring };
    return { missing: organizations.length === 0 ? 'notSignedIn' : 'chooseOne' };
  };
  if (chosen !== undefined) {
    const current = organizations.find(({ id }) => id === chosen);
    return current ? { current } : none();
  }
  const environment = organizations.find(({ source }) => source === 'environment');
  if (environment) return { current: environment };
  const [only, ...others] = organizations;
  // While the keyring can't be read, the one that is known may not be the only one.
  return keyring === 'read' && only && others.length === 0 ? { current: only } : none();
}
