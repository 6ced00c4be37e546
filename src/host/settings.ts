import type * as vscode from 'vscode';

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
