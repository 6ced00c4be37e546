import type { Deployment, DeploymentProblem, LastAnswer } from '../findings/deployment.js';
import { AccountFinding, type Finding } from '../findings/findings.js';

/** What became of a problem that the user wants to be notified of, as a refresh has found it. */
export type Outcome =
  /** The account works, or the requirement is satisfied, in these deployments. */
  | { readonly kind: 'fixed'; readonly finding: Finding; readonly deployments: readonly Deployment[] }
  /** The problem as it is now, or the failed account that the requirement needs. */
  | ({ readonly kind: 'changed' } & DeploymentProblem)
  /** The deployment no longer has what the problem was about. */
  | { readonly kind: 'gone'; readonly deployment: Deployment };

/** What the last answer of a deployment says of an account or a requirement. */
export interface Reading {
  readonly deployment: Deployment;
  readonly answer: LastAnswer;
  readonly finding: Finding;
}

/** All that the last answer of a deployment says. */
export function readingsIn(deployment: Deployment): readonly Reading[] {
  const { answer } = deployment;
  if (answer === undefined) return [];
  const { accounts, requirements } = answer.findings;
  return [...accounts, ...requirements].map((finding) => ({ deployment, answer, finding }));
}

/**
 * What a reading says of a requirement, or of an account without an ID. `undefined` if the answer does not
 * say whether it still has the problem.
 */
export function outcomeOf({ deployment, answer, finding }: Reading): Outcome | undefined {
  const fixed: Outcome = { kind: 'fixed', finding, deployments: [deployment] };
  if (finding instanceof AccountFinding) {
    const works = finding.state === 'satisfied' && !answer.findings.couldHide;
    return works ? fixed : undefined;
  }
  if (finding.state === 'satisfied') return fixed;
  // A requirement whose account has failed is no problem of its own any more, and yet not satisfied.
  const { cause } = finding;
  return cause?.kind === 'failedAccount' ? { kind: 'changed', deployment, problem: cause } : undefined;
}
