import * as vscode from 'vscode';
import { configurationSection, settingKeys } from './ids.js';
import type { Log } from './log.js';

export type DiagnosticLevel = 'error' | 'warning' | 'information' | 'hint' | 'off';
export const diagnosticLevels: readonly DiagnosticLevel[] = ['error', 'warning', 'information', 'hint', 'off'];

/** What a setting may hold. */
export interface Shape<T> {
  readonly fallback: T;
  /** `undefined`: the value is none of these. */
  readonly read: (value: unknown) => T | undefined;
  /** What is wrong with such a value, and what happens instead. */
  readonly reason: string;
}

/** A validated value, or its default and why, for the log. The wrong value is not logged, since it may be a pasted secret. */
export interface Reading<T> {
  readonly value: T;
  readonly rejected?: string;
}

export function readSetting<T>({ fallback, read, reason }: Shape<T>, value: unknown): Reading<T> {
  if (value === undefined) return { value: fallback };
  const found = read(value);
  return found === undefined ? { value: fallback, rejected: reason } : { value: found };
}

interface Bounds {
  readonly default: number;
  readonly minimum: number;
  readonly maximum: number;
}

export function integer({ default: fallback, minimum, maximum }: Bounds): Shape<number> {
  const fits = (value: unknown) => Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum;
  return {
    fallback,
    read: (value) => (typeof value === 'number' && fits(value) ? value : undefined),
    reason: `is not a whole number from ${minimum} to ${maximum}; ${fallback} is used instead`,
  };
}

export function boolean(fallback: boolean): Shape<boolean> {
  return {
    fallback,
    read: (value) => (typeof value === 'boolean' ? value : undefined),
    reason: `is neither true nor false; ${fallback} is used instead`,
  };
}

export const text: Shape<string> = {
  fallback: '',
  read: (value) => (typeof value === 'string' ? value.trim() : undefined),
  reason: 'is no text and is ignored',
};

export function choice<T extends string>(choices: readonly T[], fallback: T): Shape<T> {
  return {
    fallback,
    read: (value) => choices.find((one) => one === value),
    reason: `is none of ${choices.join(', ')}; ${fallback} is used instead`,
  };
}

/** The manifest's defaults and bounds once more, as VS Code shows them in the settings editor without enforcing them. */
export const integerSettings = {
  refreshInterval: { key: settingKeys.refreshInterval, default: 5, minimum: 0, maximum: 1440 },
  requestTimeout: { key: settingKeys.requestTimeout, default: 30, minimum: 1, maximum: 600 },
  maxConcurrentRequests: { key: settingKeys.maxConcurrentRequests, default: 8, minimum: 1, maximum: 64 },
} as const;

/** Made once, since the client asks for two of them with every request. */
const shapes = {
  refreshInterval: integer(integerSettings.refreshInterval),
  requestTimeout: integer(integerSettings.requestTimeout),
  maxConcurrentRequests: integer(integerSettings.maxConcurrentRequests),
  on: boolean(true),
  off: boolean(false),
  error: choice(diagnosticLevels, 'error'),
  warning: choice(diagnosticLevels, 'warning'),
};

/** Settings as they count now: validated, out-of-range values replaced by their default (and logged once). */
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
    return this.inWindow(settingKeys.baseUrl, text);
  }

  /** Minutes; 0 is off. */
  get refreshInterval(): number {
    return this.inWindow(settingKeys.refreshInterval, shapes.refreshInterval);
  }

  /** Milliseconds. */
  get requestTimeout(): number {
    return this.inWindow(settingKeys.requestTimeout, shapes.requestTimeout) * 1000;
  }

  get maxConcurrentRequests(): number {
    return this.inWindow(settingKeys.maxConcurrentRequests, shapes.maxConcurrentRequests);
  }

  get statusBarEnabled(): boolean {
    return this.inWindow(settingKeys.statusBar, shapes.on);
  }

  get badgeEnabled(): boolean {
    return this.inWindow(settingKeys.badge, shapes.on);
  }

  get notifyNewProblems(): boolean {
    return this.inWindow(settingKeys.newProblems, shapes.off);
  }

  failedAccounts(resource: vscode.Uri): DiagnosticLevel {
    return this.inResource(settingKeys.failedAccounts, shapes.error, resource);
  }

  unsatisfiedRequirements(resource: vscode.Uri): DiagnosticLevel {
    return this.inResource(settingKeys.unsatisfiedRequirements, shapes.warning, resource);
  }

  dispose(): void {
    this.listener.dispose();
    this.changed.dispose();
  }

  private inWindow<T>(key: string, shape: Shape<T>): T {
    if (!this.cache.has(key)) this.cache.set(key, configured(key, null));
    return this.checked(key, shape, this.cache.get(key));
  }

  private inResource<T>(key: string, shape: Shape<T>, resource: vscode.Uri): T {
    return this.checked(key, shape, configured(key, resource));
  }

  private checked<T>(key: string, shape: Shape<T>, raw: unknown): T {
    const { value, rejected } = readSetting(shape, raw);
    const seen = `${key} ${JSON.stringify(raw)}`;
    if (rejected !== undefined && !this.logged.has(seen)) {
      this.logged.add(seen);
      this.log.warn(`The setting ${configurationSection}.${key} ${rejected}.`);
    }
    return value;
  }
}

function configured(key: string, resource: vscode.Uri | null): unknown {
  return vscode.workspace.getConfiguration(configurationSection, resource).get<unknown>(key);
}
