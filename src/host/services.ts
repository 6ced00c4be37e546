import type * as vscode from 'vscode';
import type { Client } from '../api/client.js';
import type { Installs, PendingInstall } from '../model/installs.js';
import type { ChangesWhileAway } from '../model/problems/changesWhileAway.js';
import type { Impact } from '../model/problems/impact.js';
import type { ProblemMemory } from '../model/problems/problemMemory.js';
import type { Store } from '../model/store/store.js';
import type { VerdictAge } from '../model/verdictAge.js';
import type { DeploymentList } from './list/deploymentList.js';
import type { IgnoredSettings } from './list/ignoredSettings.js';
import type { Owners } from './list/owners.js';
import type { Log } from './log.js';
import type { Organizations } from './organizations/organizations.js';
import type { ReadOnlyTexts } from './readOnlyTexts.js';
import type { Settings } from './settings.js';
import type { ViewOption } from './viewOption.js';

export interface RevealOptions {
  /** The focus stays where it is, for example in an editor. */
  readonly keepsFocus?: boolean;
}

/** What the views offer to commands, which do not know them. */
export interface ViewActions {
  /** Shows and selects a deployment's first row, turning off the filter or grouping that hides it. */
  reveal(deploymentId: string, options?: RevealOptions): Promise<void>;
  open(deploymentId: string): Promise<void>;
  /** Selects the deployment's row in a view that is shown. The focus stays where it is. */
  select(deploymentId: string): Promise<void>;
  /**
   * Moves the focus into the view, where VS Code can: to this deployment's row if it has one, else
   * to the selected or first row, without rows to the welcome view.
   */
  focus(deploymentId?: string): Promise<void>;
  /** As `focus`, after rows have gone: if they were the last, the welcome view is still to be drawn. */
  focusAfterRemoval(deploymentId?: string): Promise<void>;
  /**
   * The deployment whose row takes the place of these rows once they are gone: the next one, or the
   * one before if they are the last.
   */
  neighborOf(deploymentIds: readonly string[]): string | undefined;
  /** The selected rows of the deployments view while it is shown. VS Code does not tell which row has the focus. */
  selectedRows(): readonly unknown[];
  /** The selected rows of the installs view while it is shown. */
  selectedInstalls(): readonly PendingInstall[];
  /** Selects the row of a pending install. The focus stays where it is. */
  selectInstall(install: PendingInstall): Promise<void>;
  /**
   * Selects the row of a pending install and moves the focus there; without one to the welcome
   * view.
   */
  focusInstall(install?: PendingInstall): Promise<void>;
}

export interface Services extends ViewActions {
  readonly extensionUri: vscode.Uri;
  readonly machineState: Pick<vscode.Memento, 'get' | 'update'>;
  readonly organizations: Organizations;
  readonly settings: Settings;
  readonly deploymentList: DeploymentList;
  readonly ignoredSettings: IgnoredSettings;
  readonly owners: Owners;
  readonly client: Pick<Client, keyof Client>;
  readonly store: Store;
  readonly verdictAge: VerdictAge;
  readonly changesWhileAway: ChangesWhileAway;
  readonly installs: Installs;
  readonly filter: ViewOption;
  readonly grouping: ViewOption;
  readonly impact: Impact;
  readonly memory: ProblemMemory;
  readonly readOnlyTexts: ReadOnlyTexts;
  readonly log: Omit<Log, 'dispose'>;
}
