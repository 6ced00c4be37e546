import { lazy } from '../base/lazy.js';
import type { Deployment, DeploymentProblem, LastAnswer } from '../findings/deployment.js';
import { AccountFinding, type Finding, type Identity } from '../findings/findings.js';
import { keysOfEquals } from '../findings/identity.js';
import type { Hashes } from './hashes.js';
import type { RememberedProblem } from './savedProblems.js';
import type { ShownProblems } from './shownProblems.js';

/** What became of a problem that the user wants to be notified of, as a refresh has found it. */
export type Outcome =
  /** The account works, or the requirement is satisfied, in these deployments. */
  | {
      readonly kind: 'fixed';
      readonly finding: Finding;
      readonly deployments: readonly Deployment[];
    }
  /** The problem as it is now, or the failed account that the requirement needs. */
  | ({ readonly kind: 'changed' } & DeploymentProblem)
  /** The deployment no longer has what the problem was about. */
  | { readonly kind: 'gone'; readonly deployment: Deployment };

/**
 * Unlisted: all deployments that had it were removed from the list, of which the user is not told.
 */
export type Ended = Outcome | { readonly kind: 'unlisted' };

interface OutcomeFacts {
  readonly hashes: Hashes;
  readonly listed: readonly Deployment[];
  readonly shown: ShownProblems;
  /** By the hash of its key. */
  readonly remembered: ReadonlyMap<string, RememberedProblem>;
  /**
   * Whether the deployment with this hash may still have what it had, because it was not read
   * whole.
   */
  readonly mayHold: (deployment: string) => boolean;
}

/** What the last answer of a deployment says of an account or a requirement. */
interface Reading {
  readonly deployment: Deployment;
  readonly answer: LastAnswer;
  readonly finding: Finding;
}

/**
 * Finds at the end of a refresh what became of remembered problems. Each is known by the hash of
 * its key alone, so what it was about is looked for in the answers.
 */
export class Outcomes {
  /** By the hash of its ID. */
  private readonly deployments: ReadonlyMap<string, Deployment>;
  /** By the hash of its key, as are the following. */
  private readonly problems: ReadonlyMap<string, DeploymentProblem>;
  private readonly sound = lazy(() => this.byHash(this.facts.shown.workingAccounts));
  private readonly recounted = lazy(() => this.problemsOfEquals());
  private readonly readings = new Map<Deployment, ReadonlyMap<string, Reading>>();

  constructor(private readonly facts: OutcomeFacts) {
    const { hashes, listed, shown } = facts;
    this.deployments = new Map(
      listed.map((deployment) => [hashes.ofDeployment(deployment.id), deployment]),
    );
    this.problems = this.byHash(shown.problems);
  }

  /** `undefined` if the problem is still as it was, or if it could not be read whether it is. */
  endOf(key: string, known: RememberedProblem): Ended | undefined {
    const [holder] = known.holders.flatMap((one) => this.deployments.get(one) ?? []);
    if (holder === undefined) return { kind: 'unlisted' };
    const problem = this.problems.get(key);
    if (problem)
      return this.hasChanged(problem.problem, known) ? { kind: 'changed', ...problem } : undefined;
    const account = this.sound().get(key);
    if (account)
      return { kind: 'fixed', finding: account, deployments: this.deploymentsWith(account) };
    return this.ofItsOwn(key, known, holder);
  }

  /**
   * Of a requirement or an account without an ID, which belong to one deployment, and of what is
   * gone.
   */
  private ofItsOwn(key: string, known: RememberedProblem, holder: Deployment): Outcome | undefined {
    const reading = this.readingsIn(holder).get(key);
    const outcome = reading && outcomeOf(reading);
    const equal = this.recounted().get(key);
    const isGone = reading === undefined && !known.holders.some(this.facts.mayHold);
    // Of equal ones that were counted anew the key may name another one.
    if (equal && (isGone || outcome?.kind === 'fixed')) return { kind: 'changed', ...equal };
    return isGone ? { kind: 'gone', deployment: holder } : outcome;
  }

  /**
   * Both since the user asked and since the refresh before: the user may have seen a row that was
   * older than that.
   */
  private hasChanged(problem: Identity, { sign, notifiedSign = '' }: RememberedProblem): boolean {
    const { hashes } = this.facts;
    return !hashes.canHaveSign(problem, notifiedSign) && !hashes.canHaveSign(problem, sign);
  }

  private deploymentsWith({ account: { id = '' } }: AccountFinding): readonly Deployment[] {
    return this.facts.listed.filter(({ answer }) => answer?.findings.accountsById.has(id));
  }

  /**
   * Problems that are not remembered, by the keys that they may have had while there were more or
   * fewer equal ones.
   */
  private problemsOfEquals(): ReadonlyMap<string, DeploymentProblem> {
    const { hashes, remembered, shown } = this.facts;
    const byKey = new Map<string, DeploymentProblem>();
    for (const one of shown.problems.values()) {
      const { deploymentId, key } = one.problem;
      if (deploymentId === undefined || remembered.has(hashes.ofKey(key))) continue;
      for (const former of keysOfEquals(key)) byKey.set(hashes.ofKey(former), one);
    }
    return byKey;
  }

  private readingsIn(deployment: Deployment): ReadonlyMap<string, Reading> {
    const known = this.readings.get(deployment) ?? this.findReadingsIn(deployment);
    this.readings.set(deployment, known);
    return known;
  }

  private findReadingsIn(deployment: Deployment): ReadonlyMap<string, Reading> {
    const { answer } = deployment;
    if (answer === undefined) return new Map();
    const { accounts, requirements } = answer.findings;
    const readings = [...accounts, ...requirements].map((finding) => ({
      deployment,
      answer,
      finding,
    }));
    return new Map(
      readings.map((reading) => [this.facts.hashes.ofKey(reading.finding.key), reading]),
    );
  }

  private byHash<T>(byKey: ReadonlyMap<string, T>): ReadonlyMap<string, T> {
    return new Map(Array.from(byKey, ([key, one]) => [this.facts.hashes.ofKey(key), one]));
  }
}

/** `undefined` if the answer does not say whether it still has the problem. */
function outcomeOf({ deployment, answer, finding }: Reading): Outcome | undefined {
  const fixed: Outcome = { kind: 'fixed', finding, deployments: [deployment] };
  if (finding instanceof AccountFinding) {
    const works = finding.state === 'works' && !answer.findings.mayHideProblem;
    return works ? fixed : undefined;
  }
  if (finding.state === 'satisfied') return fixed;
  // A requirement whose account has failed is no problem of its own any more, and yet not
  // satisfied.
  const { cause } = finding;
  return cause?.kind === 'failedAccount'
    ? { kind: 'changed', deployment, problem: cause }
    : undefined;
}
