import { hash as digest } from 'node:crypto';
import { DisposableOwner } from './base/disposableOwner.js';
import { Emitter } from './base/emitter.js';
import { type Counts, countDeployments, type Deployment } from './findings/deployment.js';
import { compareGroups, type GroupName } from './groups.js';
import type { Store } from './store/store.js';

/** Where the choice is saved: the state of the workspace. */
interface SavedState {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const savedKey = 'myGroups';

/** What the choice makes of the deployments that are listed at one time. */
interface Coverage {
  /** The array of the store from which this was made. */
  readonly listed: readonly Deployment[];
  /** The chosen groups that a deployment is in, in the order of their names. */
  readonly chosen: readonly GroupName[];
  /** The same groups, to look one up. */
  readonly chosenNames: ReadonlySet<GroupName>;
  /** The deployments of these groups, in the order of the store; all without a chosen group. */
  readonly covered: readonly Deployment[];
  /** The deployments of the other groups. */
  readonly others: readonly Deployment[];
}

/**
 * The groups that the user has chosen as their own in this workspace, and the deployments that
 * counts, rows, and notifications cover because of that. Saves the choice. Whatever counts all
 * deployments for the user asks this class for `deployments` and `counts`, not the store, which
 * goes on to read and remember everything that is listed. What is saved are hashes, so that the
 * file that VS Code saves holds no names of teams.
 */
export class MyGroups extends DisposableOwner {
  private readonly changed = this.own(new Emitter<void>());
  /** Fires when the user has changed the choice, or whether it counts. */
  readonly onDidChange = this.changed.event;
  /**
   * The hashes of those that the user has chosen, also if no deployment is in them at present.
   */
  private saved: ReadonlySet<string>;
  /** Whether all groups are shown until the window is reloaded, whatever is chosen. */
  private isShowingAll = false;
  private coverage: Coverage | undefined;

  constructor(
    private readonly store: Pick<Store, 'deployments' | 'counts'>,
    private readonly state: SavedState,
  ) {
    super();
    this.saved = readSaved(state.get(savedKey));
  }

  /**
   * The chosen groups that a deployment is in, in the order of their names; also while all groups
   * are shown. A group that no deployment is in any more counts again when one is.
   */
  get chosen(): readonly GroupName[] {
    return this.current.chosen;
  }

  /** Whether counts and rows leave out the deployments of groups that are not chosen. */
  get isLimited(): boolean {
    return !this.isShowingAll && this.current.others.length > 0;
  }

  /** The deployments that counts and rows cover, in the order of the store. */
  get deployments(): readonly Deployment[] {
    return this.isLimited ? this.current.covered : this.store.deployments;
  }

  /** Counts `deployments`, and names the groups if these are not all that are listed. */
  get counts(): Counts {
    const { counts } = this.store;
    if (!this.isLimited) return counts;
    return { ...counts, ...countDeployments(this.current.covered), groups: this.chosen };
  }

  /** Counts the deployments that are left out; `undefined` if none is. */
  get otherCounts(): Counts | undefined {
    return this.isLimited ? countDeployments(this.current.others) : undefined;
  }

  covers({ group }: Pick<Deployment, 'group'>): boolean {
    return !this.isLimited || this.current.chosenNames.has(group);
  }

  /** Resolves when the choice is saved. Without groups, all are shown. */
  async choose(groups: readonly GroupName[]): Promise<void> {
    this.saved = new Set(groups.map(hashOfGroup));
    this.isShowingAll = false;
    this.coverage = undefined;
    // The view changes before the choice is saved, and even if it cannot be saved.
    this.changed.fire();
    await this.state.update(savedKey, groups.length > 0 ? [...this.saved] : undefined);
  }

  /** Shows all groups until the window is reloaded, or `showAgain` is called. Keeps the choice. */
  showAll(): void {
    if (!this.isLimited) return;
    this.isShowingAll = true;
    this.changed.fire();
  }

  /** Shows the chosen groups alone again. */
  showAgain(): void {
    if (!this.isShowingAll) return;
    this.isShowingAll = false;
    this.changed.fire();
  }

  private get current(): Coverage {
    const listed = this.store.deployments;
    if (this.coverage?.listed !== listed) this.coverage = coverageOf(listed, this.saved);
    return this.coverage;
  }
}

function coverageOf(listed: readonly Deployment[], saved: ReadonlySet<string>): Coverage {
  // Without a choice, no name is hashed.
  const names = saved.size === 0 ? [] : [...new Set(listed.map(({ group }) => group))];
  const chosen = names.filter((name) => saved.has(hashOfGroup(name))).toSorted(compareGroups);
  const chosenNames = new Set(chosen);
  if (chosen.length === 0) return { listed, chosen, chosenNames, covered: listed, others: [] };
  const covered = listed.filter(({ group }) => chosenNames.has(group));
  const others = listed.filter(({ group }) => !chosenNames.has(group));
  return { listed, chosen, chosenNames, covered, others };
}

const hashChars = 8;

/** Returns what is saved of a chosen group; '' for *No group*. */
export function hashOfGroup(name: GroupName): string {
  return name === undefined ? '' : digest('sha256', name, 'base64url').slice(0, hashChars);
}

/** Other programs can write to the file in which VS Code keeps the state. */
function readSaved(value: unknown): ReadonlySet<string> {
  const hashes = Array.isArray(value) ? (value as readonly unknown[]) : [];
  return new Set(hashes.filter((hash) => typeof hash === 'string'));
}
