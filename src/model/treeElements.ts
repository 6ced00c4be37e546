import type { DeploymentStore } from './deploymentStore.js';
import type { DeploymentElement, TreeElement } from './tree.js';

export interface RootOptions {
  readonly onlyProblems: boolean;
  /** This workspace lists deployments and is not trusted, so that its list is not used. */
  readonly untrusted: boolean;
}

/**
 * The rows of the Deployments view. A deployment's row is one object for as long as it is listed, and its `deployment`
 * is always the newest: a view can fire a change for it and VS Code finds the row it knows. Rows below are made when
 * asked for, and kept until the deployment changes.
 */
export interface TreeElements {
  roots(options: RootOptions): readonly TreeElement[];
  children(element: TreeElement): readonly TreeElement[];
  /** Without making the children. */
  hasChildren(element: TreeElement): boolean;
  /** Undefined if no deployment of that id is listed. */
  elementOf(deploymentId: string): DeploymentElement | undefined;
}

export function createTreeElements(store: Pick<DeploymentStore, 'deployments' | 'cause' | 'get'>): TreeElements {
  void store;
  throw new Error('not written yet');
}
