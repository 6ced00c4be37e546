import * as vscode from 'vscode';
import { configurationSection, settingKeys } from './ids.js';
import type { Log } from './log.js';

export const diagnosticLevels = ['error', 'warning', 'information', 'hint', 'off'] as const;
export type DiagnosticLevel = (typeof diagnosticLevels)[number];

/** Which values a setting may have. VS Code shows the manifest's bounds in its settings editor, but does not enforce them. */
interface Shape<T> {
  readonly key: string;
  readonly fallback: T;
  readonly read: (value: unknown) => T | undefined;
}

function shape<T>(key: string, fallback: T, read: Shape<T>['read']): Shape<T> {
  return { key, fallback, read };
}

function whole(minimum: number, maximum: number) {
  return (value: unknown) =>
    typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= maximum ? value : undefined;
}

const level = (value: unknown) => diagnosticLevels.find((one) => one === value);
const onOrOff = (value: unknown) => (typeof value === 'boolean' ? value : undefined);
const trimmed = (value: unknown) => (typeof value === 'string' ? value.trim() : undefined);

export const settingShapes = {
  baseUrl: shape(settingKeys.baseUrl, '', trimmed),
  refreshInterval: shape(settingKeys.refreshInterval, 5, whole(0, 1440)),
  requestTimeout: shape(settingKeys.requestTimeout, 30, whole(1, 600)),
  maxConcurrentRequests: shape(settingKeys.maxConcurrentRequests, 8, whole(1, 64)),
  failedAccounts: shape(settingKeys.failedAccounts, 'warning', level),
  unsatisfiedRequirements: shape(settingKeys.unsatisfiedRequirements, 'information', level),
  dashboardUrl: shape(settingKeys.dashboardUrl, '', trimmed),
  statusBar: shape(settingKeys.statusBar, true, onOrOff),
  badge: shape(settingKeys.badge, true, onOrOff),
  newProblems: shape(settingKeys.newProblems, false, onOrOff),
};

/** Settings as they count now: a value that can't be used is replaced by the default, and logged once. */
export class Settings implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly listener: vscode.Disposable;
  /** Keys with the wrong values that were logged, each once, since two folders may have different ones and be asked in turn. */
  private readonly logged = new Set<string>();
  /** Values of the whole window, kept since the client asks for two of them with every request. */
  private readonly cache = new Map<string, unknown>();

  constructor(private readonly log: Pick<Log, 'warn'>) {
    this.listener = vscode.workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration(configurationSection)) return;
      this.cache.clear();
      this.changed.fire();
    });
  }

  get baseUrl(): string {
    return this.inWindow(settingShapes.baseUrl);
  }

  /** Minutes; 0 is off. */
  get refreshInterval(): number {
    return this.inWindow(settingShapes.refreshInterval);
  }

  /** Milliseconds. */
  get requestTimeout(): number {
    return this.inWindow(settingShapes.requestTimeout) * 1000;
  }

  get maxConcurrentRequests(): number {
    return this.inWindow(settingShapes.maxConcurrentRequests);
  }

  /** A template, perhaps one that can't be used; empty: there is no dashboard. */
  get dashboardUrl(): string {
    return this.inWindow(settingShapes.dashboardUrl);
  }

  get statusBarEnabled(): boolean {
    return this.inWindow(settingShapes.statusBar);
  }

  get badgeEnabled(): boolean {
    return this.inWindow(settingShapes.badge);
  }

  get notifyNewProblems(): boolean {
    return this.inWindow(settingShapes.newProblems);
  }

  failedAccounts(resource: vscode.Uri): DiagnosticLevel {
    return this.inResource(settingShapes.failedAccounts, resource);
  }

  unsatisfiedRequirements(resource: vscode.Uri): DiagnosticLevel {
    return this.inResource(settingShapes.unsatisfiedRequirements, resource);
  }

  dispose(): void {
    this.listener.dispose();
    this.changed.dispose();
  }

  private inWindow<T>(wanted: Shape<T>): T {
    if (!this.cache.has(wanted.key)) this.cache.set(wanted.key, configured(wanted.key, null));
    return this.checked(wanted, this.cache.get(wanted.key));
  }

  private inResource<T>(wanted: Shape<T>, resource: vscode.Uri): T {
    return this.checked(wanted, configured(wanted.key, resource));
  }

  private checked<T>({ key, fallback, read }: Shape<T>, value: unknown): T {
    const usable = value === undefined ? fallback : read(value);
    if (usable !== undefined) return usable;
    const seen = `${key} ${JSON.stringify(value)}`;
    if (!this.logged.has(seen)) {
      this.logged.add(seen);
      // Without the wrong value, which may be a secret that was pasted by mistake.
      const setting = `${configurationSection}.${key}`;
      this.log.warn(`The setting ${setting} has an invalid value; ${JSON.stringify(fallback)} is used instead.`);
    }
    return fallback;
  }
}

function configured(key: string, resource: vscode.Uri | null): unknown {
  return vscode.workspace.getConfiguration(configurationSection, resource).get<unknown>(key);
}
