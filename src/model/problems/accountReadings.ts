import type { Deployment, LastAnswer } from '../findings/deployment.js';
import type { AccountFinding } from '../findings/findings.js';

/** What one answer says of an account that has an ID, by which it is known in every deployment. */
export interface AccountReading {
  readonly deployment: Deployment;
  readonly answer: LastAnswer;
  readonly finding: AccountFinding;
}

export function readingsOf(deployment: Deployment): readonly AccountReading[] {
  const { answer } = deployment;
  if (answer === undefined) return [];
  return Array.from(answer.findings.accountsById.values(), (finding) => ({ deployment, answer, finding }));
}

/**
 * Whether `a` counts rather than `b`, which is about the same account. An answer that could not be read
 * whole may hide that the account has failed: it counts only where no other one tells. Else the one whose
 * request was sent later counts.
 */
export function isNewer(a: AccountReading, b: AccountReading): boolean {
  if (isTelling(a) !== isTelling(b)) return isTelling(a);
  return a.answer.sequence > b.answer.sequence;
}

function isTelling({ answer, finding }: AccountReading): boolean {
  return finding.problem !== undefined || !answer.findings.couldHide;
}
