import { type AccountReading, outranks, readingsOf } from '../findings/accountReadings.js';
import type { Deployment, DeploymentProblem } from '../findings/deployment.js';
import type { AccountFinding } from '../findings/findings.js';

/**
 * What the last good answers show. Of an account that several deployments have, one answer counts.
 */
export interface ShownProblems {
  /** By key. */
  readonly problems: ReadonlyMap<string, DeploymentProblem>;
  /**
   * By the key of a problem: the IDs of the deployments whose answers have its account or
   * requirement.
   */
  readonly holders: ReadonlyMap<string, readonly string[]>;
  /** By key, the accounts with an ID that certainly work. */
  readonly workingAccounts: ReadonlyMap<string, AccountFinding>;
}

/** `read`: deployments that have an answer. */
export function shownIn(read: readonly Deployment[]): ShownProblems {
  const problems = new Map<string, DeploymentProblem>();
  const holders = new Map<string, string[]>();

  // Problems that belong to one deployment.
  for (const deployment of read) {
    for (const problem of deployment.answer?.findings.problems ?? []) {
      if (problem.deploymentId === undefined) continue;
      problems.set(problem.key, { deployment, problem });
      holders.set(problem.key, [deployment.id]);
    }
  }

  // Accounts that several deployments can have.
  const workingAccounts = new Map<string, AccountFinding>();
  for (const { answer, deployment, finding } of countingReadings(read)) {
    if (finding.problem) {
      problems.set(finding.key, { deployment, problem: finding.problem });
      holders.set(finding.key, []);
    } else if (!answer.findings.mayHideProblem) {
      workingAccounts.set(finding.key, finding);
    }
  }
  for (const { id, answer } of read) {
    for (const { key } of answer?.findings.accountsById.values() ?? []) holders.get(key)?.push(id);
  }
  return { problems, holders, workingAccounts };
}

/**
 * Returns the keys of the requirements of which the platform did not say whether they are
 * satisfied.
 */
export function unknownRequirements(read: readonly Deployment[]): readonly string[] {
  const requirements = read.flatMap(({ answer }) => answer?.findings.requirements ?? []);
  return requirements.filter(({ state }) => state === 'unknown').map(({ key }) => key);
}

/** Returns for each account with an ID the one reading that counts. */
function countingReadings(read: readonly Deployment[]): Iterable<AccountReading> {
  const counting = new Map<string, AccountReading>();
  for (const reading of read.flatMap(readingsOf)) {
    const { key } = reading.finding;
    const before = counting.get(key);
    if (before === undefined || outranks(reading, before)) counting.set(key, reading);
  }
  return counting.values();
}
