import * as vscode from 'vscode';
import { DisposableOwner } from '../model/base/disposableOwner.js';
import { configurationSection, settingKeys } from './ids.js';
import type { Log } from './log.js';
import { type Editor, unusedSettingLine, userSetting } from './userSetting.js';

const diagnosticLevels = ['error', 'warning', 'information', 'hint', 'off'] as const;
export type DiagnosticLevel = (typeof diagnosticLevels)[number];

/** What a setting is read for that one folder and one language can have their own value of. */
export interface DocumentScope {
  readonly uri: vscode.Uri;
  readonly languageId: string;
}

/** VS Code shows the manifest's bounds in its settings editor, but does not enforce them. */
type Parse<T> = (value: unknown) => T | undefined;

const hints = (value: unknown) => (['labels', 'off'] as const).find((one) => one === value);
const level: Parse<DiagnosticLevel> = (value) => diagnosticLevels.find((one) => one === value);
const onOrOff: Parse<boolean> = (value) => (typeof value === 'boolean' ? value : undefined);
const trimmed: Parse<string> = (value) => (typeof value === 'string' ? value.trim() : undefined);

function whole(minimum: number, maximum: number): Parse<number> {
  return (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= maximum
      ? value
      : undefined;
}

/**
 * Settings that say where a token or the user is sent. A value that may not be the user's own is not
 * used.
 */
const addressSettings: ReadonlySet<string> = new Set([
  settingKeys.baseUrl,
  settingKeys.dashboardUrl,
]);

/** Settings as they count now: a value that can't be used is replaced by the default, and logged once. */
export class Settings extends DisposableOwner {
  private readonly changed = this.own(new vscode.EventEmitter<void>());
  readonly onDidChange = this.changed.event;
  private ofWindow = configuration(null);
  /** By key. Kept until the settings change, since the client asks for two with every request. */
  private readonly userValues = new Map<string, unknown>();

  constructor(
    private readonly log: Pick<Log, 'warnOnce'>,
    private readonly editor: Editor = {
      remoteName: vscode.env.remoteName,
      version: vscode.version,
    },
  ) {
    super();
    this.own(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration(configurationSection)) return;
        this.ofWindow = configuration(null);
        this.userValues.clear();
        this.changed.fire();
      }),
    );
  }

  get baseUrl(): string {
    return this.validOfUser(settingKeys.baseUrl, '', trimmed);
  }

  /** Minutes; 0 is off. */
  get refreshInterval(): number {
    return this.valid(settingKeys.refreshInterval, 5, whole(0, 1440));
  }

  /** Milliseconds. */
  get requestTimeout(): number {
    return this.validOfUser(settingKeys.requestTimeout, 30, whole(1, 600)) * 1000;
  }

  get maxConcurrentRequests(): number {
    return this.validOfUser(settingKeys.maxConcurrentRequests, 8, whole(1, 64));
  }

  /** A template, perhaps one that can't be used; empty: there is no dashboard. */
  get dashboardUrl(): string {
    return this.validOfUser(settingKeys.dashboardUrl, '', trimmed);
  }

  get statusBarEnabled(): boolean {
    return this.valid(settingKeys.statusBar, true, onOrOff);
  }

  get badgeEnabled(): boolean {
    return this.valid(settingKeys.badge, true, onOrOff);
  }

  get notifyNewProblems(): boolean {
    return this.valid(settingKeys.newProblems, false, onOrOff);
  }

  failedAccounts(scope: DocumentScope): DiagnosticLevel {
    return this.valid(settingKeys.failedAccounts, 'warning', level, configuration(scope));
  }

  unsatisfiedRequirements(scope: DocumentScope): DiagnosticLevel {
    return this.valid(
      settingKeys.unsatisfiedRequirements,
      'information',
      level,
      configuration(scope),
    );
  }

  inlayHints(scope: DocumentScope): 'labels' | 'off' {
    return this.valid(settingKeys.inlayHints, 'labels', hints, configuration(scope));
  }

  /** Returns the value of a setting that only the user may set. */
  private validOfUser<T>(key: string, fallback: T, parse: Parse<T>): T {
    if (!this.userValues.has(key)) this.userValues.set(key, this.readUserValue(key));
    const value = this.userValues.get(key);
    return value === undefined ? fallback : this.parsed(key, value, fallback, parse);
  }

  /** Returns `undefined` if the user did not set it, or if it is an address that may not be the user's own. */
  private readUserValue(key: string): unknown {
    const { value, isOwn } = userSetting(this.ofWindow.inspect<unknown>(key), this.editor);
    if (value === undefined || isOwn || !addressSettings.has(key)) return value;
    this.log.warnOnce(unusedSettingLine(`${configurationSection}.${key}`));
    return undefined;
  }

  private valid<T>(key: string, fallback: T, parse: Parse<T>, from = this.ofWindow): T {
    return this.parsed(key, from.get<unknown>(key), fallback, parse);
  }

  private parsed<T>(key: string, value: unknown, fallback: T, parse: Parse<T>): T {
    const usable = parse(value);
    if (usable !== undefined) return usable;
    // Without the wrong value, which may be a secret that was pasted by mistake.
    const setting = `${configurationSection}.${key}`;
    this.log.warnOnce(
      `The setting ${setting} has an invalid value; ${JSON.stringify(fallback)} is used instead.`,
    );
    return fallback;
  }
}

function configuration(scope: DocumentScope | null): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration(configurationSection, scope);
}
