import type { Target } from '../api/client.js';
import type { Organization } from '../host/organizations/organization.js';
import type { Organizations } from '../host/organizations/organizations.js';

/** What a revocation needs to know of the organizations. */
export type Known = Pick<Organizations, 'current' | 'target'>;

/** What a revocation was asked for: fixed in the moment its first question opened (contract, "Revocation"). */
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
 * Whether this workspace would still send the request to the same organization, server and token. A person who switched, signed
 * in anew or signed out in the meantime (perhaps in another window) did not agree to that.
 */
export function isStillMeant({ organization, target }: RevocationTarget, organizations: Known): boolean {
  const now = organizations.target(organization.id, 'access');
  return (
    organizations.current?.id === organization.id &&
    organizations.current.name === organization.name &&
    now?.baseUrl === target.baseUrl &&
    now.token === target.token
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
