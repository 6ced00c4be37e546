import type * as vscode from 'vscode';
import type { Client } from '../api/client.js';
import type { Installs, PendingInstall } from '../model/installs.js';
import type { MyGroups } from '../model/myGroups.js';
import type { ChangesWhileAway } from '../model/problems/changesWhileAway.js';
import type { Impact } from '../model/problems/impact.js';
import type { ProblemMemory } from '../model/problems/problemMemory.js';
import type { Store } from '../model/store/store.js';
import type { VerdictAge } from '../model/verdictAge.js';
import type { Grouping } from './grouping.js';
import type { HideHealthy } from './hideHealthy.js';
import type { DeploymentList } from './list/deploymentList.js';
import type { IgnoredSettings } from './list/ignoredSettings.js';
import type { MuteEntries } from './list/muteEntries.js';
import type { Owners } from './list/owners.js';
import type { Log } from './log.js';
import type { Organizations } from './organizations/organizations.js';
import type { ReadOnlyTexts } from './readOnlyTexts.js';
import type { Settings } from './settings.js';

export interface RevealOptions {
  /** Whether the focus stays where it is, for example in an editor. */
  readonly keepsFocus?: boolean;
}

/** What the views do for commands, which do not import the views. */
export interface ViewActions {
  /**
   * Shows and selects a deployment's first row, turning off the filter or grouping that hides it.
   * If groups are chosen that the deployment is not in, shows all groups, and a message says so.
   */
  reveal(deploymentId: string, options?: RevealOptions): Promise<void>;
  /** Expands the row of a deployment, unless the view is hidden or another row is selected. */
  open(deploymentId: string): Promise<void>;
  /** Selects the deployment's row in a view that is shown. The focus stays where it is. */
  select(deploymentId: string): Promise<void>;
  /**
   * Moves the focus into the view, if VS Code can: to this deployment's row, else to the selected
   * or first row, and without rows to the welcome view.
   */
  focus(deploymentId?: string): Promise<void>;
  /**
   * Does the same after rows were removed: if they were the last rows, it waits for VS Code to draw
   * the welcome view.
   */
  focusAfterRemoval(deploymentId?: string): Promise<void>;
  /**
   * Returns the ID of the deployment whose row will be where these rows are, once they are removed:
   * the next deployment, or the one before if these rows are the last. Returns `undefined` if no
   * row will be left.
   */
  neighborOf(deploymentIds: readonly string[]): string | undefined;
  /**
   * Returns the selected rows of the deployments view while it is shown. VS Code does not say which
   * row has the focus.
   */
  selectedRows(): readonly unknown[];
  /** Returns the selected rows of the installs view while it is shown. */
  selectedInstalls(): readonly PendingInstall[];
  /** Selects the row of a pending install. The focus stays where it is. */
  selectInstall(install: PendingInstall): Promise<void>;
  /**
   * Selects the row of a pending install and moves the focus to it; without an install, moves the
   * focus to the welcome view.
   */
  focusInstall(install?: PendingInstall): Promise<void>;
}

/** The objects that commands and views work with. app.ts makes them. */
export interface Services extends ViewActions {
  readonly extensionUri: vscode.Uri;
  readonly machineState: Pick<vscode.Memento, 'get' | 'update'>;
  readonly organizations: Organizations;
  readonly settings: Settings;
  readonly deploymentList: DeploymentList;
  readonly ignoredSettings: IgnoredSettings;
  readonly owners: Owners;
  readonly muteEntries: MuteEntries;
  readonly client: Pick<Client, keyof Client>;
  readonly store: Store;
  readonly myGroups: MyGroups;
  readonly verdictAge: VerdictAge;
  readonly changesWhileAway: ChangesWhileAway;
  readonly installs: Installs;
  readonly filter: HideHealthy;
  readonly grouping: Grouping;
  readonly impact: Impact;
  readonly memory: ProblemMemory;
  readonly readOnlyTexts: ReadOnlyTexts;
  readonly log: Omit<Log, 'dispose'>;
}
