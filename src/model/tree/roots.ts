import { type Deployment, standing } from '../deployment.js';
import type { Store } from '../store/store.js';
import { type DeploymentElement, encodePart, type TreeElement } from './elements.js';

export interface Filter {
  /** Hides what is healthy, and nothing else. */
  readonly onlyProblems: boolean;
}

interface RootOptions extends Filter {
  /** This workspace is not trusted: a list of deployments that it may have is not used. */
  readonly untrusted: boolean;
}

export function isShown(deployment: Deployment, { onlyProblems }: Filter): boolean {
  return !onlyProblems || standing(deployment) !== 'healthy';
}

type Source = Pick<Store, 'deployments' | 'cause' | 'get'>;

/**
 * The rows of the Deployments view that are below no other. A deployment's row is one object for as long as it is listed, and
 * its `deployment` is always the newest: a view can fire a change for it, and VS Code finds the row it knows.
 */
export class Roots {
  private readonly rows = new Map<string, DeploymentRow>();
  /** Those that `all` gave the last time, by the deployment's id. */
  private given: ReadonlyMap<string, DeploymentRow> = new Map();

  constructor(private readonly store: Source) {}

  /** What concerns the whole view. */
  first(untrusted: boolean): readonly TreeElement[] {
    const { cause } = this.store;
    const first: TreeElement[] = [];
    if (untrusted) first.push({ kind: 'cause', id: 'untrusted', copyId: undefined, cause: { kind: 'untrusted' } });
    if (cause !== undefined) first.push({ kind: 'cause', id: 'cause', copyId: undefined, cause });
    return first;
  }

  all({ untrusted, ...filter }: RootOptions): readonly TreeElement[] {
    const { deployments } = this.store;
    if (this.rows.size > deployments.length) this.forgetUnlisted();
    const shown = deployments.filter((deployment) => isShown(deployment, filter));
    this.given = new Map(shown.map(({ id }) => [id, this.row(id)]));
    return [...this.first(untrusted), ...this.given.values()];
  }

  /** Whether one of these, listed, has begun or ceased to be among the roots since `all` was last called. */
  haveMoved(deploymentIds: Iterable<string>, filter: Filter): boolean {
    for (const id of deploymentIds) {
      const deployment = this.store.get(id);
      if (deployment === undefined) continue;
      const wasShown = this.shown(id) !== undefined;
      if (wasShown !== isShown(deployment, filter)) return true;
    }
    return false;
  }

  /** Undefined if no deployment of that id is listed. */
  of(deploymentId: string): DeploymentElement | undefined {
    return this.store.get(deploymentId) === undefined ? undefined : this.row(deploymentId);
  }

  /** The same, of those that `all` gave the last time. */
  shown(deploymentId: string): DeploymentElement | undefined {
    return this.store.get(deploymentId) && this.given.get(deploymentId);
  }

  /** How many deployments `all` gave the last time. */
  get shownCount(): number {
    return this.given.size;
  }

  /** Rows that VS Code still holds go on working. */
  forget(): void {
    this.rows.clear();
    this.given = new Map();
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
