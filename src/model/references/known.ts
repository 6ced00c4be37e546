import type { Account } from '../../api/authorization.js';
import type { Deployment, LastAnswer } from '../deployment.js';
import type { AccountFinding, Problem } from '../findings.js';
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

/** The newest answer that has an account. */
interface Source {
  readonly deploymentId: string;
  readonly answer: LastAnswer;
  readonly account: Account;
}

/** What the known ids mean. It takes over changes, because making it anew for ten thousand deployments holds up the editor. */
export class ReferenceTargets {
  private deployments: ReadonlyMap<string, Deployment> = new Map();
  private accounts = new Map<string, Source>();

  constructor(deployments: readonly Deployment[]) {
    this.update(deployments);
  }

  /** Takes over a later state, looking only at new answers. False: there are no other ids than before. */
  update(deployments: readonly Deployment[]): boolean {
    const before = this.deployments;
    const now = new Map<string, Deployment>();
    let changed = false;
    let lost = false;
    for (const deployment of deployments) {
      const { id, answer } = deployment;
      now.set(id, deployment);
      const old = before.get(id);
      if (old === undefined) changed = true;
      if (old?.answer === answer) continue;
      if (this.takeIn(deployment)) changed = true;
      // An account that the newer answer no longer has may still be in another, older one.
      if (old?.answer?.authorization.accounts.some((account) => this.sourceOf(account)?.answer === old.answer))
        lost = true;
    }
    this.deployments = now;
    for (const id of before.keys()) if (!now.has(id)) lost = true;
    if (!lost) return changed;
    this.accounts = new Map();
    for (const deployment of deployments) this.takeIn(deployment);
    return true;
  }

  /** Every id that is a reference where it stands. */
  *ids(): Generator<string> {
    yield* this.deployments.keys();
    for (const id of this.accounts.keys()) if (!this.deployments.has(id)) yield id;
  }

  /** Whether an index of earlier targets still finds what these mean. */
  haveIds(ids: ReadonlySet<string>): boolean {
    let count = 0;
    for (const id of this.ids()) {
      if (!ids.has(id)) return false;
      count++;
    }
    return count === ids.size;
  }

  of(id: string): ReferenceTarget {
    const deployment = this.deployments.get(id);
    const account = this.accountOf(id);
    return { ...(deployment && { deployment }), ...(account && { account }) };
  }

  /** All problems of a deployment; of an account its own, once. */
  problemsOf(id: string): readonly ReferencedProblem[] {
    const { deployment, account } = this.of(id);
    const problems = deployment?.answer?.findings.problems ?? [];
    const found: ReferencedProblem[] =
      deployment === undefined ? [] : problems.map((problem) => ({ deployment, problem }));
    const own = account?.finding.problem;
    if (account === undefined || own === undefined || problems.includes(own)) return found;
    return [...found, { deployment: account.deployment, problem: own }];
  }

  private takeIn(deployment: Deployment): boolean {
    const { id: deploymentId, answer } = deployment;
    if (answer === undefined) return false;
    let changed = false;
    for (const account of answer.authorization.accounts) {
      const { id } = account;
      if (id === undefined || isTooShort(id)) continue;
      const source = this.accounts.get(id);
      if (source === undefined) changed = true;
      else if (source.deploymentId === deploymentId) {
        // Of two with one id the first, as everywhere.
        if (source.answer === answer) continue;
      } else if (source.answer.receivedAt >= answer.receivedAt) continue;
      this.accounts.set(id, { deploymentId, answer, account });
    }
    return changed;
  }

  private sourceOf({ id }: Account): Source | undefined {
    return id === undefined ? undefined : this.accounts.get(id);
  }

  private accountOf(id: string): KnownAccount | undefined {
    const source = this.accounts.get(id);
    const deployment = source && this.deployments.get(source.deploymentId);
    const finding = source?.answer.findings.accounts.find(({ account }) => account === source.account);
    return deployment && finding && { deployment, finding };
  }
}

/** Counts characters, but only where UTF-16 units leave doubt. */
function isTooShort(id: string): boolean {
  return id.length < 2 * shortestAccountId && Array.from(id).length < shortestAccountId;
}

/** During a refresh of many, this many times as long as the last look at all of them took passes before the next. */
const restFactor = 20;

interface Position {
  readonly line: number;
  readonly character: number;
}

interface Known {
  readonly targets: ReferenceTargets;
  /** Kept as long as the ids are the same, because another one makes every document be scanned again. */
  readonly index: ReferenceIndex;
  /** Of the longest id. */
  readonly length: number;
}

/** The known ids and what they mean, from the newest state of the store: made when somebody asks. */
export class KnownReferences {
  private made: Known | undefined;
  private organizationId: string | undefined;
  private outdated = false;
  private restUntil = -Infinity;

  constructor(
    private readonly store: Pick<Store, 'organizationId' | 'deployments' | 'progress'>,
    /** Milliseconds of a clock that is never set. */
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** The store has changed. */
  invalidate(): void {
    this.outdated = true;
  }

  get targets(): ReferenceTargets {
    return this.newest().targets;
  }

  get index(): ReferenceIndex {
    return this.newest().index;
  }

  /** What stands at a position. Two ids can, if one holds the other: the longer comes first. */
  at(document: Pick<Text, 'lineAt'>, { line, character }: Position): readonly Reference[] {
    const { index, length } = this.newest();
    // The part of the line that an id can reach, and one more character of two units on both sides, to tell its borders.
    const from = Math.max(0, character - length - 2);
    const text = document.lineAt(line).text.slice(from, character + length + 2);
    return index
      .scan(text)
      .map(({ id, start, end }) => ({ id, start: start + from, end: end + from }))
      .filter(({ start, end }) => start <= character && character <= end)
      .toSorted((a, b) => b.end - b.start - (a.end - a.start));
  }

  private newest(): Known {
    const began = this.now();
    const { organizationId, deployments, progress } = this.store;
    // The end of a refresh invalidates too, so nothing stays out for longer than a refresh.
    const mayWait = !this.outdated || (progress !== undefined && began < this.restUntil);
    // What one organization said must never be shown under the name of another.
    if (this.made !== undefined && mayWait && organizationId === this.organizationId) return this.made;
    this.organizationId = organizationId;
    if (this.made === undefined) this.made = known(new ReferenceTargets(deployments));
    else if (this.made.targets.update(deployments) && !this.made.targets.haveIds(this.made.index.ids)) {
      this.made = known(this.made.targets);
    }
    this.outdated = false;
    this.restUntil = this.now() + restFactor * (this.now() - began);
    return this.made;
  }
}

function known(targets: ReferenceTargets): Known {
  const index = new ReferenceIndex(targets.ids());
  let length = 0;
  for (const id of index.ids) length = Math.max(length, id.length);
  return { targets, index, length };
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
