import type * as vscode from 'vscode';
import type { ListedDeployment } from '../model/deployment.js';

export type DiagnosticLevel = 'error' | 'warning' | 'information' | 'hint' | 'off';

/** Settings as they count now: validated, out-of-range values replaced by their default (and logged once). */
export interface Settings extends vscode.Disposable {
  readonly onDidChange: vscode.Event<void>;
  readonly baseUrl: string;
  /** Minutes; 0 is off. */
  readonly refreshInterval: number;
  /** Milliseconds. */
  readonly requestTimeout: number;
  readonly maxConcurrentRequests: number;
  readonly statusBarEnabled: boolean;
  readonly badgeEnabled: boolean;
  readonly notifyNewProblems: boolean;
  failedAccounts(resource: vscode.Uri): DiagnosticLevel;
  unsatisfiedRequirements(resource: vscode.Uri): DiagnosticLevel;
}

/** Where an id stands, or where a write went. */
export interface ListPlace {
  readonly target: vscode.ConfigurationTarget;
  /** Of a folder value. */
  readonly folder?: vscode.WorkspaceFolder;
}

/** Something in the list that is neither an id nor an object with one: skipped, and said once. */
export interface MalformedEntry {
  readonly place: ListPlace;
  /** Absent: the whole value is no list. */
  readonly index?: number;
  readonly value: unknown;
}

/** The `deployments` setting over all scopes: folder, workspace and user values together. */
export interface DeploymentList extends vscode.Disposable {
  readonly onDidChange: vscode.Event<void>;
  /** Each id once. */
  readonly listed: readonly ListedDeployment[];
  readonly malformed: readonly MalformedEntry[];
  /** The workspace is not trusted: its list is not read (contract, "Settings"). */
  readonly untrusted: boolean;
  /** Where `add` would write now. */
  readonly addTarget: ListPlace;
  /** Every scope whose own array lists the id. */
  places(id: string): readonly ListPlace[];
  /** An id that is listed somewhere already is not listed twice: its label changes there, if one is given. Ask `places` first. */
  add(id: string, label: string | undefined): Promise<ListPlace>;
  /** Out of every scope that lists them, or (rejecting) out of none. `undo` writes back exactly what was removed. */
  remove(ids: readonly string[]): Promise<{ readonly places: readonly ListPlace[]; undo(): Promise<void> }>;
  /** `undefined` takes the label away. Written where the id stands (the place whose label counts). */
  setLabel(id: string, label: string | undefined): Promise<ListPlace>;
}
