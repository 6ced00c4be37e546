import type * as vscode from 'vscode';
import type { Client } from '../api/client.js';
import type { InstallStore } from '../model/installStore.js';
import type { Store } from '../model/store/store.js';
import type { ConnectionCheck } from './connectionCheck.js';
import type { DeploymentList } from './list/deploymentList.js';
import type { Organizations } from './organizations/organizations.js';
import type { ReadOnlyText } from './readOnlyText.js';
import type { Settings } from './settings.js';

/** Show Only Problems, remembered per workspace. */
export interface ProblemFilter {
  readonly onDidChange: vscode.Event<void>;
  readonly onlyProblems: boolean;
  set(onlyProblems: boolean): Promise<void>;
}

/** The log: the output channel, every line redacted. */
export interface Log extends vscode.Disposable {
  info(line: string): void;
  warn(line: string): void;
  error(line: string): void;
  show(): void;
  /** A text without any secret known in this process, for what is shown elsewhere. */
  redact(text: string): string;
}

/** The object graph as views and commands see it; `extension.ts` makes it. */
export interface Services {
  readonly extensionUri: vscode.Uri;
  readonly organizations: Organizations;
  readonly settings: Settings;
  readonly deploymentList: DeploymentList;
  readonly client: Client;
  readonly checkConnection: ConnectionCheck;
  readonly readOnlyText: Pick<ReadOnlyText, 'show'>;
  readonly store: Pick<Store, keyof Store>;
  readonly installs: InstallStore;
  readonly filter: ProblemFilter;
  readonly log: Log;
  /** Shows and selects a deployment's row, turning the filter off first if it hides it. Handed in because commands don't know views. */
  reveal(deploymentId: string): Promise<void>;
  /** Opens the row that `reveal` showed, unless somebody has selected another one since. */
  open(deploymentId: string): Promise<void>;
}
