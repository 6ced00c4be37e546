import { isRecord } from '../../api/decode.js';
import type { Problem } from '../findings/findings.js';

/** Of what someone can be the owner, the most specific first. */
export interface Owned {
  readonly account?: string | undefined;
  readonly deployment?: string | undefined;
  readonly service?: string | undefined;
}

export type OwnerOf = (owned: Owned) => string | undefined;

export const maxOwnerChars = 200;

function isOwner(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.trim().length <= maxOwnerChars;
}

/** The value of one scope, and which of its keys are malformed; without keys the whole value is. */
export function readOwners(value: unknown) {
  const owners = new Map<string, string>();
  const malformed: (string | undefined)[] = [];
  if (value !== undefined && !isRecord(value)) malformed.push(undefined);
  for (const [id, text] of isRecord(value) ? Object.entries(value) : []) {
    if (isOwner(text) && id.trim() !== '') owners.set(id, text.trim());
    else malformed.push(id);
  }
  return { owners, malformed };
}

/** `scopes`: the nearest first. */
export function ownerIn(
  scopes: readonly ReadonlyMap<string, string>[],
  { account, deployment, service }: Owned,
) {
  for (const id of [account, deployment, service]) {
    const scope = id ? scopes.find((owners) => owners.has(id)) : undefined;
    if (id && scope) return scope.get(id);
  }
  return undefined;
}

export function ownedBy(problem: Problem, deployment: string): Owned {
  if (problem.kind === 'failedAccount') {
    const { id, serviceId } = problem.finding.account;
    return { account: id, deployment, service: serviceId };
  }
  const { boundId, requirement } = problem.finding;
  return { account: boundId, deployment, service: requirement.serviceId };
}
