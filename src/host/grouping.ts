import * as vscode from 'vscode';
import { hasGroups } from '../model/groups.js';
import type { DeploymentList } from './list/deploymentList.js';

/** What the rows at the root of the Deployments view are about. */
export type Roots = 'deployment' | 'account' | 'group';

const savedKey = 'grouping';
/** What earlier versions saved: `true` for roots by account. */
const formerKey = 'byAccount';

/** How the Deployments view groups its rows. Saves that in this workspace. */
export class Grouping {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  private saved: Roots;

  constructor(
    private readonly workspaceState: vscode.Memento,
    private readonly deploymentList: Pick<DeploymentList, 'listed'>,
  ) {
    this.saved = readSaved(workspaceState);
  }

  /** Whether an entry of the list has a group. */
  get hasGroups(): boolean {
    return hasGroups(this.deploymentList.listed);
  }

  /** Without any group in the list, a grouping by group has no effect until there is one. */
  get by(): Roots {
    return this.saved === 'group' && !this.hasGroups ? 'deployment' : this.saved;
  }

  /** Resolves when the grouping is saved. */
  async set(by: Roots): Promise<void> {
    if (by === this.saved) return;
    this.saved = by;
    // The view changes before the grouping is saved, and even if it cannot be saved.
    this.changed.fire();
    await this.workspaceState.update(savedKey, by);
    await this.workspaceState.update(formerKey, undefined);
  }
}

function readSaved(workspaceState: vscode.Memento): Roots {
  const saved = workspaceState.get<unknown>(savedKey);
  if (saved === 'deployment' || saved === 'account' || saved === 'group') return saved;
  return workspaceState.get<unknown>(formerKey) === true ? 'account' : 'deployment';
}
