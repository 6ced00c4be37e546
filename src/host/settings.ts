import * as vscode from 'vscode';
import { DisposableOwner } from '../model/base/disposableOwner.js';
import { configurationSection, settingKeys } from './ids.js';
import type { Log } from './log.js';
import { type Editor, unusedSettingLine, userSetting } from './userSetting.js';

const diagnosticLevels = ['error', 'warning', 'information', 'hint', 'off'] as const;
export type DiagnosticLevel = (typeof diagnosticLevels)[number];

/** A document, for settings whose value can differ by folder and language. */
export interface DocumentScope {
  readonly uri: vscode.Uri;
  readonly languageId: string;
}

/**
 * Returns the value of a setting if it is valid, else `undefined`. VS Code shows the manifest's
 * bounds in its settings editor, but does not enforce them.
 */
type Parse<T> = (value: unknown) => T | undefined;

const inlayHintKinds = ['labels', 'off'] as const;
type InlayHintKind = (typeof inlayHintKinds)[number];

const parseInlayHints: Parse<InlayHintKind> = (value) =>
  inlayHintKinds.find((kind) => kind === value);
const parseLevel: Parse<DiagnosticLevel> = (value) =>
  diagnosticLevels.find((level) => level === value);
const parseBoolean: Parse<boolean> = (value) => (typeof value === 'boolean' ? value : undefined);
const parseText: Parse<string> = (value) => (typeof value === 'string' ? value.trim() : undefined);

function parseInteger(minimum: number, maximum: number): Parse<number> {
  return (value) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) return undefined;
    return value >= minimum && value <= maximum ? value : undefined;
  };
}

/**
 * Settings that decide where a token or the user is sent. A value that may not be the user's own is
 * not used.
 */
const addressSettings: ReadonlySet<string> = new Set([
  settingKeys.baseUrl,
  settingKeys.dashboardUrl,
]);

/**
 * The settings of the extension, as everything else reads them, except the lists in `list/`. Uses
 * the default for an invalid value, and logs that once.
 */
export class Settings extends DisposableOwner {
  private readonly changed = this.own(new vscode.EventEmitter<void>());
  readonly onDidChange = this.changed.event;
  /** The settings for no document in particular. */
  private windowConfiguration = configuration(null);
  /** By key. Kept until the settings change, since the client reads two with every request. */
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
        this.windowConfiguration = configuration(null);
        this.userValues.clear();
        this.changed.fire();
      }),
    );
  }

  get baseUrl(): string {
    return this.readUserOnly(settingKeys.baseUrl, '', parseText);
  }

  /** Minutes; 0 is off. */
  get refreshInterval(): number {
    return this.readEffective(settingKeys.refreshInterval, 5, parseInteger(0, 1440));
  }

  /** Milliseconds. */
  get requestTimeout(): number {
    return this.readUserOnly(settingKeys.requestTimeout, 30, parseInteger(1, 600)) * 1000;
  }

  get maxConcurrentRequests(): number {
    return this.readUserOnly(settingKeys.maxConcurrentRequests, 8, parseInteger(1, 64));
  }

  /** A template for URLs, which may be unusable. Empty if there is no dashboard. */
  get dashboardUrl(): string {
    return this.readUserOnly(settingKeys.dashboardUrl, '', parseText);
  }

  get statusBarEnabled(): boolean {
    return this.readEffective(settingKeys.statusBar, true, parseBoolean);
  }

  get badgeEnabled(): boolean {
    return this.readEffective(settingKeys.badge, true, parseBoolean);
  }

  get notifyNewProblems(): boolean {
    return this.readEffective(settingKeys.newProblems, false, parseBoolean);
  }

  failedAccounts(scope: DocumentScope): DiagnosticLevel {
    return this.readEffective(
      settingKeys.failedAccounts,
      'warning',
      parseLevel,
      configuration(scope),
    );
  }

  unsatisfiedRequirements(scope: DocumentScope): DiagnosticLevel {
    return this.readEffective(
      settingKeys.unsatisfiedRequirements,
      'information',
      parseLevel,
      configuration(scope),
    );
  }

  inlayHints(scope: DocumentScope): InlayHintKind {
    return this.readEffective(
      settingKeys.inlayHints,
      'labels',
      parseInlayHints,
      configuration(scope),
    );
  }

  /** Returns the value of a setting that only the user may set, else the fallback. */
  private readUserOnly<T>(key: string, fallback: T, parse: Parse<T>): T {
    if (!this.userValues.has(key)) this.userValues.set(key, this.readUserValue(key));
    const value = this.userValues.get(key);
    return value === undefined ? fallback : this.validOr(fallback, value, key, parse);
  }

  /**
   * Returns `undefined` if the user did not set it, or if it is an address that may not be the
   * user's.
   */
  private readUserValue(key: string): unknown {
    const inspected = this.windowConfiguration.inspect<unknown>(key);
    const { value, isUsersOwn } = userSetting(inspected, this.editor);
    if (value === undefined || isUsersOwn || !addressSettings.has(key)) return value;
    this.log.warnOnce(unusedSettingLine(`${configurationSection}.${key}`));
    return undefined;
  }

  /** Returns the value of a setting that a workspace may set too, else the fallback. */
  private readEffective<T>(
    key: string,
    fallback: T,
    parse: Parse<T>,
    from = this.windowConfiguration,
  ): T {
    return this.validOr(fallback, from.get<unknown>(key), key, parse);
  }

  /** Returns the parsed value, or the fallback for an invalid value, which is logged. */
  private validOr<T>(fallback: T, value: unknown, key: string, parse: Parse<T>): T {
    const validValue = parse(value);
    if (validValue !== undefined) return validValue;
    // Without the invalid value, which may be a secret that was pasted by mistake.
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
