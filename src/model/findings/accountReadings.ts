import type { Deployment, LastAnswer } from './deployment.js';
import type { AccountFinding } from './findings.js';

/** What one answer says of an account that has an ID, by which it is known in every deployment. */
export interface AccountReading {
  readonly deployment: Deployment;
  readonly answer: LastAnswer;
  readonly finding: AccountFinding;
}

export function readingsOf(deployment: Deployment): readonly AccountReading[] {
  const { answer } = deployment;
  if (answer === undefined) return [];
  return Array.from(answer.findings.accountsById.values(), (finding) => ({
    deployment,
    answer,
    finding,
  }));
}

/** `undefined` if the deployment was not read, or its answer names no such account. */
export function readingOf(deployment: Deployment, accountId: string): AccountReading | undefined {
  const { answer } = deployment;
  const finding = answer?.findings.accountsById.get(accountId);
  return answer && finding && { deployment, answer, finding };
}

/**
 * Whether `a` counts rather than `b`, which is about the same account. An answer that could not be read
 * whole may hide that the account has failed: it counts only where no other one tells. Else the one whose
 * request was sent later counts.
 */
export function outranks(a: AccountReading, b: AccountReading): boolean {
  if (isTelling(a) !== isTelling(b)) return isTelling(a);
  return a.answer.sequence > b.answer.sequence;
}

function isTelling({ answer, finding }: AccountReading): boolean {
  return finding.problem !== undefined || !answer.findings.mayHideProblem;
}

export const works = 'works';
/** Failed with a code that could not be read, which may be any. */
const failed = 'failed';

/**
 * Returns what an answer says of an account in a word that can be compared: "works", "failed",
 * "failed: token_revoked". `undefined` if it may hide that the account has failed.
 */
export function accountClaim(
  { problem }: AccountFinding,
  { mayHideProblem: couldHide }: LastAnswer['findings'],
): string | undefined {
  if (problem === undefined) return couldHide ? undefined : works;
  return problem.sign === undefined ? failed : `${failed}: ${problem.sign}`;
}

/** Whether two such words about one account cannot both be true. */
export function contradicts(one: string, other: string): boolean {
  if (one === other) return false;
  return one === works || other === works || (one !== failed && other !== failed);
}
