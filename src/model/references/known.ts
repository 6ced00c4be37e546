import type { Deployment } from '../deployment.js';
import type { AccountFinding, Problem } from '../problems/findings.js';
import type { Store } from '../store/store.js';
import type { Text } from './document.js';
import { type Reference, ReferenceIndex } from './index.js';

/** An account as the newest answer that has it says, whichever deployment that was asked for. */
export interface KnownAccount {
  readonly deployment: Deployment;
  readonly finding: AccountFinding;
}

/** What a reference stands for. One id can be both. */
export interface ReferenceTarget {
  readonly deployment?: Deployment;
  readonly account?: KnownAccount;
}

interface ReferencedProblem {
  readonly deployment: Deployment;
  readonly problem: Problem;
}

/** Shorter account ids would be found in any text. */
const shortestAccountId = 4;

/** What the known ids mean. */
export class ReferenceTargets {
  private readonly deployments: ReadonlyMap<string, Deployment>;
  private readonly accounts = new Map<string, KnownAccount>();

  constructor(deployments: readonly Deployment[]) {
    this.deployments = new Map(deployments.map((deployment) => [deployment.id, deployment]));
    for (const deployment of deployments) {
      for (const finding of deployment.answer?.findings.accounts ?? []) {
        const { id } = finding.account;
        if (id !== undefined && !isTooShort(id) && isNewer(deployment, this.accounts.get(id)?.deployment)) {
          this.accounts.set(id, { deployment, finding });
        }
      }
    }
  }

  /** Every id that is a reference where it stands. */
  *ids(): Generator<string> {
    yield* this.deployments.keys();
    for (const id of this.accounts.keys()) if (!this.deployments.has(id)) yield id;
  }

  of(id: string): ReferenceTarget {
    const deployment = this.deployments.get(id);
    const account = this.accounts.get(id);
    return { ...(deployment && { deployment }), ...(account && { account }) };
  }

  /** All problems of a deployment; of an account its own, once. None that are muted. */
  problemsOf(id: string): readonly ReferencedProblem[] {
    const { deployment, account } = this.of(id);
    const problems = deployment?.answer?.findings.problems ?? [];
    const found: ReferencedProblem[] =
      deployment === undefined ? [] : problems.map((problem) => ({ deployment, problem }));
    const own = account?.finding.problem;
    if (!account || !own || own.mutedUntil !== undefined || problems.includes(own)) return found;
    return [...found, { deployment: account.deployment, problem: own }];
  }
}

/** Of two accounts with one id in the same answer the first counts, which is the worse one. */
function isNewer(deployment: Deployment, than: Deployment | undefined): boolean {
  return than === undefined || (deployment.answer?.receivedAt ?? 0) > (than.answer?.receivedAt ?? 0);
}

/** Counts characters, but only where UTF-16 units leave doubt. */
function isTooShort(id: string): boolean {
  return id.length < 2 * shortestAccountId && Array.from(id).length < shortestAccountId;
}

interface Position {
  readonly line: number;
  readonly character: number;
}

/** During a refresh of many, this many times as long as making it took passes before it is made anew. */
const restFactor = 20;

/** The known ids and what they mean, as of the store's last event: made when somebody asks. */
export class KnownReferences {
  private made: { readonly targets: ReferenceTargets; readonly index: ReferenceIndex } | undefined;
  private isOutdated = true;
  private organizationId: string | undefined;
  private restUntil = -Infinity;

  constructor(
    private readonly store: Pick<Store, 'organizationId' | 'deployments' | 'progress'>,
    /** Milliseconds of a clock that is never set. */
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** The store has changed. */
  invalidate(): void {
    this.isOutdated = true;
  }

  get targets(): ReferenceTargets {
    return this.newest().targets;
  }

  get index(): ReferenceIndex {
    return this.newest().index;
  }

  /** What stands at a position. Two ids can, if one holds the other: the longer comes first. */
  at(document: Pick<Text, 'lineAt'>, { line, character }: Position): readonly Reference[] {
    return this.index
      .scan(document.lineAt(line).text)
      .filter(({ start, end }) => start <= character && character <= end)
      .toSorted((a, b) => b.end - b.start - (a.end - a.start));
  }

  private newest() {
    const began = this.now();
    const { organizationId, deployments, progress } = this.store;
    // The end of a refresh is an event too, so nothing stays out for longer than a refresh.
    const mayWait = !this.isOutdated || (progress !== undefined && began < this.restUntil);
    // What one organization said must never be shown under the name of another.
    if (this.made !== undefined && mayWait && organizationId === this.organizationId) return this.made;
    this.isOutdated = false;
    this.organizationId = organizationId;
    const targets = new ReferenceTargets(deployments);
    const ids = [...targets.ids()];
    const before = this.made?.index;
    // With the same ids the index stays the same, because another one makes every document be scanned again.
    const isSame = before?.ids.size === ids.length && ids.every((id) => before.ids.has(id));
    this.made = { targets, index: isSame ? before : new ReferenceIndex(ids) };
    this.restUntil = this.now() + restFactor * (this.now() - began);
    return this.made;
  }
}

/** Which listed deployments the open documents mention. It tells a set only when it differs from the last one. */
export class Mentions<Document> {
  private readonly byDocument = new Map<Document, ReadonlySet<string>>();
  private told: ReadonlySet<string> = new Set();

  constructor(private readonly tell: (deploymentIds: ReadonlySet<string>) => void) {}

  /** `undefined`: the document is closed. */
  set(document: Document, deploymentIds: ReadonlySet<string> | undefined): void {
    if (deploymentIds === undefined || deploymentIds.size === 0) this.byDocument.delete(document);
    else this.byDocument.set(document, deploymentIds);
    const all = new Set<string>();
    for (const ids of this.byDocument.values()) for (const id of ids) all.add(id);
    if (all.size === this.told.size && [...all].every((id) => this.told.has(id))) return;
    this.told = all;
    this.tell(all);
  }
}
