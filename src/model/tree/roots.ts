import type { Deployment } from '../deployment.js';
import type { Store } from '../store/store.js';
import { type DeploymentElement, encodePart, type TreeElement } from './elements.js';

export interface Filter {
  /** Hides what is healthy, and nothing else. */
  readonly onlyProblems: boolean;
}

export function isShown(deployment: Deployment, { onlyProblems }: Filter): boolean {
  return !onlyProblems || deployment.state !== 'satisfied';
}

type Source = Pick<Store, 'deployments' | 'cause' | 'get'>;

/**
 * The rows of the Deployments view that are below no other. A deployment's row is one object for as long as it is shown, and
 * its `deployment` is always the newest: a view can fire a change for it, and VS Code finds the row it knows.
 */
export class Roots {
  /** Those that `all` gave the last time, by the deployment's id. */
  private given = new Map<string, DeploymentElement>();

  constructor(private readonly store: Source) {}

  /** What concerns the whole view. */
  first(untrusted: boolean): readonly TreeElement[] {
    const { cause } = this.store;
    const first: TreeElement[] = [];
    if (untrusted) first.push({ kind: 'cause', id: 'untrusted', copyId: undefined, cause: { kind: 'untrusted' } });
    if (cause !== undefined) first.push({ kind: 'cause', id: 'cause', copyId: undefined, cause });
    return first;
  }

  /** `untrusted`: this workspace is not trusted, and a list of deployments that it may have is not used. */
  all(filter: Filter, untrusted: boolean): readonly TreeElement[] {
    const rows: DeploymentElement[] = [];
    for (const deployment of this.store.deployments) {
      if (isShown(deployment, filter)) rows.push(this.given.get(deployment.id) ?? this.newRow(deployment.id));
    }
    // Some are not shown any more.
    if (rows.length < this.given.size) this.given = new Map(rows.map((row) => [row.deployment.id, row]));
    return [...this.first(untrusted), ...rows];
  }

  private newRow(deploymentId: string): DeploymentElement {
    const row = new DeploymentRow(deploymentId, this.store);
    this.given.set(deploymentId, row);
    return row;
  }

  /** Whether one of these, listed, has begun or ceased to be among the roots since `all` was last called. */
  haveMoved(deploymentIds: Iterable<string>, filter: Filter): boolean {
    return Array.from(deploymentIds, (id) => this.store.get(id)).some(
      (deployment) => deployment !== undefined && this.given.has(deployment.id) !== isShown(deployment, filter),
    );
  }

  /** Undefined if no deployment of that id is listed. */
  of(deploymentId: string): DeploymentElement | undefined {
    if (this.store.get(deploymentId) === undefined) return undefined;
    return this.given.get(deploymentId) ?? new DeploymentRow(deploymentId, this.store);
  }

  /** The same, of those that `all` gave the last time. */
  shown(deploymentId: string): DeploymentElement | undefined {
    return this.store.get(deploymentId) && this.given.get(deploymentId);
  }
}

/** A class, because ten thousand objects with a getter of their own are slow to make and to read. */
class DeploymentRow implements DeploymentElement {
  readonly kind = 'deployment';
  readonly id: string;

  constructor(
    readonly copyId: string,
    private readonly store: Pick<Store, 'get'>,
  ) {
    this.id = `deployment:${encodePart(copyId)}`;
  }

  /** VS Code may still hold a row that left the list. Such a row shows nothing of what was read. */
  get deployment(): Deployment {
    const id = this.copyId;
    return this.store.get(id) ?? { id, name: id, state: 'notYetRead', activity: 'idle' };
  }
}
