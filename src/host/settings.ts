import * as vscode from 'vscode';
import { configurationSection, settingKeys } from './ids.js';
import type { Log } from './log.js';

/** What is wrong with a value of the settings, for the log. Values are not repeated: people paste the wrong thing. */
interface RejectedValue {
  readonly key: string;
  readonly reason: string;
}

/** A validated value, or its default with the reason. */
interface Reading<T> {
  readonly value: T;
  readonly rejected?: RejectedValue;
}

interface IntegerSetting {
  readonly key: string;
  readonly default: number;
  readonly minimum: number;
  readonly maximum: number;
}

export function readInteger(setting: IntegerSetting, value: unknown): Reading<number> {
  const { key, minimum, maximum } = setting;
  if (value === undefined) return { value: setting.default };
  if (typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= maximum) return { value };
  const reason = `is not a whole number from ${minimum} to ${maximum}; ${setting.default} is used instead`;
  return { value: setting.default, rejected: { key, reason } };
}

export function readBoolean(key: string, fallback: boolean, value: unknown): Reading<boolean> {
  if (value === undefined) return { value: fallback };
  if (typeof value === 'boolean') return { value };
  return { value: fallback, rejected: { key, reason: `is neither true nor false; ${fallback} is used instead` } };
}

export function readText(key: string, value: unknown): Reading<string> {
  if (value === undefined) return { value: '' };
  if (typeof value === 'string') return { value: value.trim() };
  return { value: '', rejected: { key, reason: 'is no text and is ignored' } };
}

export function readChoice<T extends string>(
  key: string,
  choices: readonly T[],
  fallback: T,
  value: unknown,
): Reading<T> {
  if (value === undefined) return { value: fallback };
  const choice = choices.find((one) => one === value);
  if (choice !== undefined) return { value: choice };
  return {
    value: fallback,
    rejected: { key, reason: `is none of ${choices.join(', ')}; ${fallback} is used instead` },
  };
}

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

/** The manifest's defaults and bounds once more: what it shows in the settings editor it does not enforce. A test compares. */
export const integerSettings = {
  refreshInterval: { key: settingKeys.refreshInterval, default: 5, minimum: 0, maximum: 1440 },
  requestTimeout: { key: settingKeys.requestTimeout, default: 30, minimum: 1, maximum: 600 },
  maxConcurrentRequests: { key: settingKeys.maxConcurrentRequests, default: 8, minimum: 1, maximum: 64 },
} as const;
export const diagnosticLevels: readonly DiagnosticLevel[] = ['error', 'warning', 'information', 'hint', 'off'];

export function createSettings(log: Log): Settings {
  const changed = new vscode.EventEmitter<void>();
  /** Keys with the wrong values that were logged, once each: two folders may have different ones and be asked in turn. */
  const logged = new Set<string>();

  /** Values of the whole window: the client asks for two of them with every request. */
  const cache = new Map<string, unknown>();

  const raw = (key: string): unknown => {
    if (!cache.has(key)) {
      cache.set(key, vscode.workspace.getConfiguration(configurationSection, null).get<unknown>(key));
    }
    return cache.get(key);
  };

  const checked = <T>(value: unknown, { value: result, rejected }: Reading<T>): T => {
    if (rejected) {
      const seen = `${rejected.key} ${JSON.stringify(value)}`;
      if (!logged.has(seen)) {
        logged.add(seen);
        log.warn(`The setting ${configurationSection}.${rejected.key} ${rejected.reason}.`);
      }
    }
    return result;
  };
  const integer = (setting: (typeof integerSettings)[keyof typeof integerSettings]): number => {
    const value = raw(setting.key);
    return checked(value, readInteger(setting, value));
  };
  const boolean = (key: string, fallback: boolean): boolean => {
    const value = raw(key);
    return checked(value, readBoolean(key, fallback, value));
  };
  const level = (key: string, fallback: DiagnosticLevel, resource: vscode.Uri): DiagnosticLevel => {
    const value = vscode.workspace.getConfiguration(configurationSection, resource).get<unknown>(key);
    return checked(value, readChoice(key, diagnosticLevels, fallback, value));
  };

  const listener = vscode.workspace.onDidChangeConfiguration((event) => {
    if (!event.affectsConfiguration(configurationSection)) return;
    cache.clear();
    changed.fire();
  });

  return {
    onDidChange: changed.event,
    get baseUrl() {
      const value = raw(settingKeys.baseUrl);
      return checked(value, readText(settingKeys.baseUrl, value));
    },
    get refreshInterval() {
      return integer(integerSettings.refreshInterval);
    },
    get requestTimeout() {
      return integer(integerSettings.requestTimeout) * 1000;
    },
    get maxConcurrentRequests() {
      return integer(integerSettings.maxConcurrentRequests);
    },
    get statusBarEnabled() {
      return boolean(settingKeys.statusBar, true);
    },
    get badgeEnabled() {
      return boolean(settingKeys.badge, true);
    },
    get notifyNewProblems() {
      return boolean(settingKeys.newProblems, false);
    },
    failedAccounts: (resource) => level(settingKeys.failedAccounts, 'error', resource),
    unsatisfiedRequirements: (resource) => level(settingKeys.unsatisfiedRequirements, 'warning', resource),
    dispose() {
      listener.dispose();
      changed.dispose();
    },
  };
}
