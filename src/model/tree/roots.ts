import { type Deployment, isKeptByOnlyProblems } from '../deployment.js';
import type { Store } from '../store/store.js';
import { type DeploymentElement, encodePart, type TreeElement } from './elements.js';

interface RootOptions {
  readonly onlyProblems: boolean;
  /** This workspace is not trusted: a list of deployments that it may have is not used. */
  readonly untrusted: boolean;
}

type Source = Pick<Store, 'deployments' | 'cause' | 'get'>;

/**
 * The rows of the Deployments view that are below no other. A deployment's row is one object for as long as it is listed, and
 * its `deployment` is always the newest: a view can fire a change for it, and VS Code finds the row it knows.
 */
export class Roots {
  private readonly rows = new Map<string, DeploymentRow>();
  /** How often `all` was called: each row notes when it was last among what was given. */
  private round = 0;
  /** The deployments' rows as last given, because the next order is mostly the same and comparing is cheaper than looking up. */
  private given: readonly DeploymentRow[] = [];

  constructor(private readonly store: Source) {}

  all({ onlyProblems, untrusted }: RootOptions): readonly TreeElement[] {
    const { cause, deployments } = this.store;
    const first: TreeElement[] = [];
    if (untrusted) first.push({ kind: 'cause', id: 'untrusted', copyId: undefined, cause: { kind: 'untrusted' } });
    if (cause !== undefined) first.push({ kind: 'cause', id: 'cause', copyId: undefined, cause });
    if (this.rows.size > deployments.length) this.forgetUnlisted();
    const shown = onlyProblems ? deployments.filter(isKeptByOnlyProblems) : deployments;
    this.round++;
    const before = this.given;
    this.given = shown.map(({ id }, at) => {
      const row = before[at]?.copyId === id ? before[at] : this.row(id);
      row.round = this.round;
      return row;
    });
    return first.length === 0 ? this.given : [...first, ...this.given];
  }

  /** Whether one of these, listed, has begun or ceased to be among the roots since `all` was last called. */
  haveMoved(deploymentIds: Iterable<string>, { onlyProblems }: Pick<RootOptions, 'onlyProblems'>): boolean {
    for (const id of deploymentIds) {
      const deployment = this.store.get(id);
      if (deployment === undefined) continue;
      const wasShown = this.shown(id) !== undefined;
      if (wasShown !== (!onlyProblems || isKeptByOnlyProblems(deployment))) return true;
    }
    return false;
  }

  /** Undefined if no deployment of that id is listed. */
  of(deploymentId: string): DeploymentElement | undefined {
    return this.store.get(deploymentId) === undefined ? undefined : this.row(deploymentId);
  }

  /** The same, of those that `all` gave the last time. */
  shown(deploymentId: string): DeploymentElement | undefined {
    const row = this.rows.get(deploymentId);
    const wasShown = this.round > 0 && row?.round === this.round;
    return wasShown && this.store.get(deploymentId) !== undefined ? row : undefined;
  }

  /** How many deployments `all` gave the last time. */
  get shownCount(): number {
    return this.given.length;
  }

  /** Rows that VS Code still holds go on working. */
  forget(): void {
    this.rows.clear();
    this.given = [];
  }

  private row(deploymentId: string): DeploymentRow {
    let row = this.rows.get(deploymentId);
    if (row === undefined) {
      row = new DeploymentRow(deploymentId, this.store);
      this.rows.set(deploymentId, row);
    }
    return row;
  }

  private forgetUnlisted(): void {
    for (const id of this.rows.keys()) if (this.store.get(id) === undefined) this.rows.delete(id);
  }
}

class DeploymentRow implements DeploymentElement {
  readonly kind = 'deployment';
  readonly id: string;
  /** The round of `Roots` in which it was last given. */
  round = 0;

  constructor(
    /** The deployment's id. */
    readonly copyId: string,
    private readonly store: Source,
  ) {
    this.id = `deployment:${encodePart(copyId)}`;
  }

  /** VS Code may still hold a row that left the list. Such a row shows nothing of what was read. */
  get deployment(): Deployment {
    const id = this.copyId;
    return this.store.get(id) ?? { id, name: id, state: 'notYetRead', activity: 'idle' };
  }
}
