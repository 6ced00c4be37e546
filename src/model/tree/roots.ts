import type { Deployment } from '../deployment.js';
import type { OrganizationCause } from '../store/causes.js';
import { type CauseElement, encodePart, type RootElement } from './elements.js';

export interface Filter {
  /** Hides what is healthy, and nothing else. */
  readonly onlyProblems: boolean;
}

export function isShown(deployment: Deployment, { onlyProblems }: Filter): boolean {
  return !onlyProblems || deployment.state !== 'satisfied';
}

/** The rows that concern the whole view. `untrusted`: the workspace may have a list, which is not used. */
export function firstRows(cause: OrganizationCause | undefined, untrusted: boolean): readonly CauseElement[] {
  const first: CauseElement[] = [];
  if (untrusted) first.push({ kind: 'cause', id: 'untrusted', copyId: undefined, cause: { kind: 'untrusted' } });
  if (cause !== undefined) first.push({ kind: 'cause', id: 'cause', copyId: undefined, cause });
  return first;
}

export function rootOf(id: string): RootElement {
  return { kind: 'deployment', id: `deployment:${encodePart(id)}`, copyId: id, deployment: { id } };
}
