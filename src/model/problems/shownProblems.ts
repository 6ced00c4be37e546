import { type AccountReading, outranks, readingsOf } from '../findings/accountReadings.js';
import type { Deployment, DeploymentProblem } from '../findings/deployment.js';
import type { AccountFinding } from '../findings/findings.js';

/** What the newest good answers show. Of an account that several deployments have, one answer counts. */
export interface ShownProblems {
  /** By their keys. */
  readonly problems: ReadonlyMap<string, DeploymentProblem>;
  /** By the key of a problem: the IDs of the deployments whose answers name what it is about. */
  readonly holders: ReadonlyMap<string, readonly string[]>;
  /** The accounts that work, by their keys. */
  readonly workingAccounts: ReadonlyMap<string, AccountFinding>;
}

export function shownIn(read: readonly Deployment[]): ShownProblems {
  const problems = new Map<string, DeploymentProblem>();
  const holders = new Map<string, string[]>();
  for (const deployment of read) {
    for (const problem of deployment.answer?.findings.problems ?? []) {
      if (problem.deploymentId === undefined) continue;
      problems.set(problem.key, { deployment, problem });
      holders.set(problem.key, [deployment.id]);
    }
  }
  const sound = new Map<string, AccountFinding>();
  for (const { answer, deployment, finding } of newestReadings(read)) {
    if (finding.problem) {
      problems.set(finding.key, { deployment, problem: finding.problem });
      holders.set(finding.key, []);
    } else if (!answer.findings.mayHideProblem) {
      sound.set(finding.key, finding);
    }
  }
  for (const { id, answer } of read) {
    for (const { key } of answer?.findings.accountsById.values() ?? []) holders.get(key)?.push(id);
  }
  return { problems, holders, workingAccounts: sound };
}

/** The keys of the requirements of which the platform did not say whether they are satisfied. */
export function unknownRequirements(read: readonly Deployment[]): readonly string[] {
  const requirements = read.flatMap(({ answer }) => answer?.findings.requirements ?? []);
  return requirements.filter(({ state }) => state === 'unknown').map(({ key }) => key);
}

function newestReadings(read: readonly Deployment[]): Iterable<AccountReading> {
  const newest = new Map<string, AccountReading>();
  for (const reading of read.flatMap(readingsOf)) {
    const { key } = reading.finding;
    const known = newest.get(key);
    if (known === undefined || outranks(reading, known)) newest.set(key, reading);
  }
  return newest.values();
}
