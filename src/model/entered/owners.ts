import { isRecord } from '../../api/decode.js';
import type { Problem } from '../findings/findings.js';

/** IDs for each of which the setting `owners` can name an owner, the most specific first. */
export interface Owned {
  readonly account?: string | undefined;
  readonly deployment?: string | undefined;
  readonly service?: string | undefined;
}

/** Returns the owner that the user named; `undefined` if there is none. */
export type OwnerOf = (owned: Owned) => string | undefined;

export const maxOwnerChars = 200;

/** The value of the setting in one scope. */
export interface ReadOwners {
  /** The text for each ID. */
  readonly owners: ReadonlyMap<string, string>;
  /**
   * The keys with a malformed entry; `undefined` stands for the whole value, which is no object.
   */
  readonly malformed: readonly (string | undefined)[];
}

/**
 * Reads the value of the setting `owners` in one scope:
 * `{ "acc_1": "Maria, #finance-ops" }`.
 */
export function readOwners(value: unknown): ReadOwners {
  const owners = new Map<string, string>();
  if (value === undefined) return { owners, malformed: [] };
  if (!isRecord(value)) return { owners, malformed: [undefined] };
  const malformed: string[] = [];
  for (const [id, owner] of Object.entries(value)) {
    if (isOwner(owner) && id.trim() !== '') owners.set(id, owner.trim());
    else malformed.push(id);
  }
  return { owners, malformed };
}

function isOwner(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  const { length } = value.trim();
  return length > 0 && length <= maxOwnerChars;
}

/**
 * Returns the owner of the account, else of its deployment, else of its service; `undefined` if
 * none has an owner. `scopes`: the owners by ID in each scope, the nearest scope first.
 */
export function ownerIn(
  scopes: readonly ReadonlyMap<string, string>[],
  { account, deployment, service }: Owned,
): string | undefined {
  for (const id of [account, deployment, service]) {
    if (!id) continue;
    const nearest = scopes.find((owners) => owners.has(id));
    if (nearest) return nearest.get(id);
  }
  return undefined;
}

/**
 * Returns the IDs for which a problem of this deployment can have an owner. `deployment`: its ID.
 */
export function ownedBy(problem: Problem, deployment: string): Owned {
  if (problem.kind === 'failedAccount') {
    const { id, serviceId } = problem.finding.account;
    return { account: id, deployment, service: serviceId };
  }
  const { boundId, requirement } = problem.finding;
  return { account: boundId, deployment, service: requirement.serviceId };
}
