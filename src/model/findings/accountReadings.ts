import type { Deployment, LastAnswer } from './deployment.js';
import type { AccountFinding } from './findings.js';

/** What the last answer of one deployment says of an account with an ID. */
export interface AccountReading {
  readonly deployment: Deployment;
  readonly answer: LastAnswer;
  readonly finding: AccountFinding;
}

/**
 * Returns a reading for each account with an ID, failed or not. Returns an empty array as long as
 * the deployment has no good answer.
 */
export function readingsOf(deployment: Deployment): readonly AccountReading[] {
  const { answer } = deployment;
  if (answer === undefined) return [];
  return Array.from(answer.findings.accountsById.values(), (finding) => ({
    deployment,
    answer,
    finding,
  }));
}

/** Returns `undefined` if the deployment has no good answer, or its answer no such account. */
export function readingOf(deployment: Deployment, accountId: string): AccountReading | undefined {
  const { answer } = deployment;
  const finding = answer?.findings.accountsById.get(accountId);
  if (answer === undefined || finding === undefined) return undefined;
  return { deployment, answer, finding };
}

/**
 * Returns whether `a` counts rather than `b`, another reading of the same account: the one whose
 * request was sent later. An answer with parts that could not be read may hide that the account has
 * failed, so its reading counts only if there is no reading that is certain.
 */
export function outranks(a: AccountReading, b: AccountReading): boolean {
  const isCertainA = isCertain(a);
  if (isCertainA !== isCertain(b)) return isCertainA;
  return a.answer.sequence > b.answer.sequence;
}

function isCertain({ answer, finding }: AccountReading): boolean {
  return finding.problem !== undefined || !answer.findings.mayHideProblem;
}

/** The claim that an account has no error. */
export const works = 'works';
/**
 * The claim that an account has failed with a code that could not be read, which may be any code.
 */
const failed = 'failed';

/**
 * Returns what an answer claims of an account, so that the claims of several answers can be
 * compared: "works", "failed", "failed: token_revoked". `undefined` if the answer may hide that the
 * account has failed.
 */
export function accountClaim(
  { problem }: AccountFinding,
  { mayHideProblem }: LastAnswer['findings'],
): string | undefined {
  if (problem === undefined) return mayHideProblem ? undefined : works;
  return problem.sign === undefined ? failed : `${failed}: ${problem.sign}`;
}

/** Returns whether two claims about one account cannot both be true. */
export function contradicts(claim: string, otherClaim: string): boolean {
  if (claim === otherClaim) return false;
  if (claim === works || otherClaim === works) return true;
  const areCodesKnown = claim !== failed && otherClaim !== failed;
  return areCodesKnown;
}
