import type { Deployment, DeploymentProblem } from '../deployment.js';
import type { AccountFinding } from '../problems/findings.js';
import type { Text } from './document.js';
import { type Reference, ReferenceIndex } from './index.js';

/** An account as the newest answer that has it says, whichever deployment that was asked for. */
export interface KnownAccount {
  readonly deployment: Deployment;
  readonly finding: AccountFinding;
}

/** What a reference stands for. One id can be both. */
export interface ReferenceTarget {
  readonly deployment?: Deployment | undefined;
  readonly account?: KnownAccount | undefined;
}

/** Account ids of fewer than four characters would be found in any text. */
const tooShort = /^.{0,3}$/su;

/** What the known ids mean. */
export class ReferenceTargets {
  readonly index: ReferenceIndex;
  private readonly deployments: ReadonlyMap<string, Deployment>;
  private readonly accounts = new Map<string, KnownAccount>();

  /** With the same ids the index `before` is kept, because another one makes every document be scanned again. */
  constructor(deployments: readonly Deployment[], before?: ReferenceIndex) {
    this.deployments = new Map(deployments.map((deployment) => [deployment.id, deployment]));
    for (const deployment of deployments) {
      const { findings, receivedAt = 0 } = deployment.answer ?? {};
      for (const finding of findings?.accounts ?? []) {
        const { id = '' } = finding.account;
        const known = this.accounts.get(id)?.deployment.answer;
        // Of two accounts with one id in the same answer the first counts, which is the worse one.
        const isNewer = known === undefined || receivedAt > known.receivedAt;
        if (isNewer && !tooShort.test(id)) this.accounts.set(id, { deployment, finding });
      }
    }
    const ids = new Set([...this.deployments.keys(), ...this.accounts.keys()]);
    this.index = before && isSame(before.ids, ids) ? before : new ReferenceIndex(ids);
  }

  /** What stands at a position. Two ids can, if one holds the other: the longer comes first. */
  at(document: Pick<Text, 'lineAt'>, position: Record<'line' | 'character', number>): readonly Reference[] {
    const { line, character } = position;
    return this.index
      .scan(document.lineAt(line).text)
      .filter(({ start, end }) => start <= character && character <= end)
      .toSorted((a, b) => b.end - b.start - (a.end - a.start));
  }

  of(id: string): ReferenceTarget {
    return { deployment: this.deployments.get(id), account: this.accounts.get(id) };
  }

  /** All problems of a deployment; of an account its own, once. None that are muted. */
  problemsOf(id: string): readonly DeploymentProblem[] {
    const { deployment, account } = this.of(id);
    const problems = deployment?.answer?.findings.problems ?? [];
    const found = problems.flatMap((problem) => (deployment ? [{ deployment, problem }] : []));
    const own = account?.finding.problem;
    if (!account || !own || own.mutedUntil !== undefined || problems.includes(own)) return found;
    return [...found, { deployment: account.deployment, problem: own }];
  }
}

function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((id) => b.has(id));
}

/** Which listed deployments the open documents mention. It tells a set only when it differs from the last one. */
export class Mentions<Document> {
  private readonly byDocument = new Map<Document, ReadonlySet<string>>();
  private told: ReadonlySet<string> = new Set();

  constructor(private readonly tell: (deploymentIds: ReadonlySet<string>) => void) {}

  set(document: Document, deploymentIds: ReadonlySet<string>): void {
    if (deploymentIds.size === 0) this.byDocument.delete(document);
    else this.byDocument.set(document, deploymentIds);
    const all = new Set(Array.from(this.byDocument.values(), (ids) => [...ids]).flat());
    if (isSame(all, this.told)) return;
    this.told = all;
    this.tell(all);
  }
}
