import * as vscode from 'vscode';
import { configurationSection, settingKeys } from './ids.js';
import { type Reading, readBoolean, readChoice, readInteger, readText } from './readSetting.js';
import type { Log } from './services.js';
import type { DiagnosticLevel, Settings } from './settings.js';

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
