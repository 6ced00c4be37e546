import { lazy } from '../base/lazy.js';
import type { Deployment, DeploymentProblem, LastAnswer } from '../findings/deployment.js';
import { AccountFinding, type Finding, type Identity } from '../findings/findings.js';
import { keysOfEquals } from '../findings/identity.js';
import type { Hashes } from './hashes.js';
import type { RememberedProblem } from './savedProblems.js';
import type { ShownProblems } from './shownProblems.js';

/** What became of a problem of which the user wants to be notified, as a refresh has found it. */
export type Outcome =
  /** The account works, or the requirement is satisfied, in these deployments. */
  | {
      readonly kind: 'fixed';
      readonly finding: Finding;
      readonly deployments: readonly Deployment[];
    }
  /** The problem as it is now, or that of the failed account that the requirement needs. */
  | ({ readonly kind: 'changed' } & DeploymentProblem)
  /** The deployment no longer has the account or the requirement. */
  | { readonly kind: 'gone'; readonly deployment: Deployment };

/**
 * Why the user's wish to be notified of a problem has ended. `unlisted`: all deployments that had
 * the problem were removed from the list, of which the user needs no notification.
 */
export type NotificationEnd = Outcome | { readonly kind: 'unlisted' };

interface OutcomesOptions {
  readonly hashes: Hashes;
  readonly listed: readonly Deployment[];
  readonly shown: ShownProblems;
  /** By the hash of the key. */
  readonly remembered: ReadonlyMap<string, RememberedProblem>;
  /**
   * Returns whether the deployment with this hash may still have the accounts and requirements that
   * it had, because it was not read whole or left the list not long ago.
   */
  readonly mayHold: (deploymentHash: string) => boolean;
}

/** What the last answer of a deployment says of an account or a requirement. */
interface Reading {
  readonly deployment: Deployment;
  readonly answer: LastAnswer;
  readonly finding: Finding;
}

/**
 * Finds at the end of a refresh what became of remembered problems. `ProblemMemory` makes one for
 * that, and knows only the hash of each problem's key, so the account or requirement is looked up
 * in the answers.
 */
export class Outcomes {
  /** By the hash of the ID. */
  private readonly deployments: ReadonlyMap<string, Deployment>;
  /** By the hash of the key. */
  private readonly problems: ReadonlyMap<string, DeploymentProblem>;
  /** By the hash of the key. Made when first needed, because it takes time. */
  private readonly workingAccounts = lazy(() => this.byKeyHash(this.options.shown.workingAccounts));
  /** By the hashes of former keys. Made when first needed. */
  private readonly renumbered = lazy(() => this.renumberedProblems());
  /** By deployment, then by the hash of the key. */
  private readonly readings = new Map<Deployment, ReadonlyMap<string, Reading>>();

  constructor(private readonly options: OutcomesOptions) {
    const { hashes, listed, shown } = options;
    this.deployments = new Map(
      listed.map((deployment) => [hashes.ofDeployment(deployment.id), deployment]),
    );
    this.problems = this.byKeyHash(shown.problems);
  }

  /**
   * Returns `undefined` if the problem is as it was, or if that could not be read. `keyHash`: the
   * hash of the problem's key.
   */
  endOf(keyHash: string, remembered: RememberedProblem): NotificationEnd | undefined {
    const holder = this.firstHolder(remembered);
    if (holder === undefined) return { kind: 'unlisted' };

    const current = this.problems.get(keyHash);
    if (current) {
      const hasChanged = this.hasChanged(current.problem, remembered);
      return hasChanged ? { kind: 'changed', ...current } : undefined;
    }

    const account = this.workingAccounts().get(keyHash);
    if (account) {
      return { kind: 'fixed', finding: account, deployments: this.deploymentsWith(account) };
    }
    return this.outcomeIn(holder, keyHash, remembered);
  }

  /** Returns the first listed deployment that had the problem; `undefined` if none is listed. */
  private firstHolder({ holders }: RememberedProblem): Deployment | undefined {
    for (const hash of holders) {
      const deployment = this.deployments.get(hash);
      if (deployment) return deployment;
    }
    return undefined;
  }

  /**
   * Returns what became of a problem that only its holder can tell: one with a requirement, with an
   * account without an ID, or with an account that is in no deployment now.
   */
  private outcomeIn(
    holder: Deployment,
    keyHash: string,
    { holders }: RememberedProblem,
  ): Outcome | undefined {
    const reading = this.readingsIn(holder).get(keyHash);
    const outcome = reading && outcomeOf(reading);
    const isGone = reading === undefined && !holders.some(this.options.mayHold);
    // After the number of equal ones has changed, the key may be that of another.
    const renumbered = this.renumbered().get(keyHash);
    if (renumbered && (isGone || outcome?.kind === 'fixed')) {
      return { kind: 'changed', ...renumbered };
    }
    return isGone ? { kind: 'gone', deployment: holder } : outcome;
  }

  /**
   * Returns whether the problem has changed both since the user asked for the notification and
   * since the refresh before: the row on which the user asked may have been older than that
   * refresh.
   */
  private hasChanged(problem: Identity, { sign, notifiedSign = '' }: RememberedProblem): boolean {
    const { hashes } = this.options;
    return !hashes.canHaveSign(problem, notifiedSign) && !hashes.canHaveSign(problem, sign);
  }

  private deploymentsWith({ account: { id = '' } }: AccountFinding): readonly Deployment[] {
    return this.options.listed.filter(({ answer }) => answer?.findings.accountsById.has(id));
  }

  /**
   * Returns the problems that are not remembered, by the hashes of the keys that they may have had
   * while there were more or fewer equal ones.
   */
  private renumberedProblems(): ReadonlyMap<string, DeploymentProblem> {
    const { hashes, remembered, shown } = this.options;
    const byFormerKey = new Map<string, DeploymentProblem>();
    for (const shownProblem of shown.problems.values()) {
      const { deploymentId, key } = shownProblem.problem;
      if (deploymentId === undefined || remembered.has(hashes.ofKey(key))) continue;
      for (const formerKey of keysOfEquals(key)) {
        byFormerKey.set(hashes.ofKey(formerKey), shownProblem);
      }
    }
    return byFormerKey;
  }

  /** Returns what the deployment's last answer says, by the hashes of keys. */
  private readingsIn(deployment: Deployment): ReadonlyMap<string, Reading> {
    const found = this.readings.get(deployment) ?? this.findReadingsIn(deployment);
    this.readings.set(deployment, found);
    return found;
  }

  private findReadingsIn(deployment: Deployment): ReadonlyMap<string, Reading> {
    const readings = new Map<string, Reading>();
    const { answer } = deployment;
    if (answer === undefined) return readings;
    for (const finding of [...answer.findings.accounts, ...answer.findings.requirements]) {
      readings.set(this.options.hashes.ofKey(finding.key), { deployment, answer, finding });
    }
    return readings;
  }

  private byKeyHash<T>(byKey: ReadonlyMap<string, T>): ReadonlyMap<string, T> {
    return new Map(Array.from(byKey, ([key, value]) => [this.options.hashes.ofKey(key), value]));
  }
}

/** Returns `undefined` if the answer does not say whether the problem is still there. */
function outcomeOf({ deployment, answer, finding }: Reading): Outcome | undefined {
  const fixed: Outcome = { kind: 'fixed', finding, deployments: [deployment] };
  if (finding instanceof AccountFinding) {
    const certainlyWorks = finding.state === 'works' && !answer.findings.mayHideProblem;
    return certainlyWorks ? fixed : undefined;
  }
  if (finding.state === 'satisfied') return fixed;
  // A requirement whose account has failed since is no problem itself any more, and yet is not
  // satisfied.
  const { cause } = finding;
  if (cause?.kind !== 'failedAccount') return undefined;
  return { kind: 'changed', deployment, problem: cause };
}
