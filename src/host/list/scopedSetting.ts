import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { setTimer as realTimer, type SetTimer } from '../../api/timers.js';
import { DisposableOwner } from '../../model/base/disposableOwner.js';
import {
  entriesIn,
  hasKey,
  type MalformedValue,
  withoutKeys,
  withRestored,
} from '../../model/entered/listEntries.js';
import { showLogAction } from '../actions.js';
import type { Log } from '../log.js';
import { showWarning } from '../messages.js';
import { Serial } from '../serial.js';
import { listText } from '../text/format.js';
import {
  asRefusedChange,
  notListError,
  partlyMadeError,
  type Refusal,
  RefusedChange,
} from './refusedChange.js';
import { listScopes, onScopesChange, type ScopedKey, type SettingsScope } from './settingsScope.js';
import { refusalsBeforeWrite, writeValue } from './writeValue.js';

/** A part of a scope's value that can't be read. */
export interface Malformed {
  readonly value: unknown;
  /** For the log: "entry 2 of automationPlatform.deployments is not …" */
  readonly text: string;
}

/** What the value of one scope says. */
interface ReadScope<Part> {
  readonly part: Part;
  readonly malformed: readonly Malformed[];
}

/** A change that was written, and the way back. */
export interface SettingChange {
  /** The scopes that were written. */
  readonly scopes: readonly SettingsScope[];
  /**
   * Undoes the change in each scope that allows it, and leaves alone what others changed since.
   * Another call tries the scopes that refused.
   */
  undo(): Promise<UndoResult>;
}

export interface UndoResult {
  /** The scopes in which this call has undone the change. */
  readonly scopes: readonly SettingsScope[];
  readonly refusals: readonly Refusal[];
}

/** How a write makes the new value of a scope, and how its undo does. */
interface ValueChange<ScopeValue> {
  readonly change: (value: ScopeValue, scope: SettingsScope) => ScopeValue;
  /** `value`: what the scope has now; `before`: what it had before the change. */
  readonly undo: (value: ScopeValue, before: ScopeValue, scope: SettingsScope) => ScopeValue;
}

/** What is still to be undone, by scope. */
type Undos = Map<SettingsScope, () => Promise<void>>;

/** Calls each undo, also after one of them failed, and removes from the map what is undone. */
async function undoEach(undos: Undos): Promise<UndoResult> {
  const scopes: SettingsScope[] = [];
  const refusals: Refusal[] = [];
  for (const [scope, undo] of undos) {
    try {
      await undo();
      undos.delete(scope);
      scopes.push(scope);
    } catch (error) {
      refusals.push(...asRefusedChange(scope, error).refusals);
    }
  }
  return { scopes, refusals };
}

/**
 * Returns the scopes without a known file (such as user settings) first. VS Code refuses them only
 * when they are written; if they came later, the files before them would have to be put back.
 */
function scopesWithoutFileFirst(scopes: readonly SettingsScope[]): readonly SettingsScope[] {
  const withoutFile = scopes.filter(({ file }) => !file);
  const withFile = scopes.filter(({ file }) => file);
  return [...withoutFile, ...withFile];
}

/** Returns the scopes that none of these refusals is about. */
function scopesWithoutRefusal(
  scopes: readonly SettingsScope[],
  refusals: readonly Refusal[],
): readonly SettingsScope[] {
  return scopes.filter(({ uniqueName }) =>
    refusals.every(({ scope }) => scope.uniqueName !== uniqueName),
  );
}

/**
 * A setting whose values in all scopes count together. Each scope has a value of its own, a list or
 * an object (`ScopeValue`), of which `Part` is what could be read; `Merged` is what the parts say
 * together. Reads the setting at each change, and writes one change at a time.
 */
export abstract class ScopedSetting<Merged, ScopeValue, Part = unknown> extends DisposableOwner {
  private readonly changed = this.own(new vscode.EventEmitter<void>());
  readonly onDidChange = this.changed.event;
  /** Two writes at the same time would both start from the same value, and one would be lost. */
  private readonly writes = new Serial();
  /**
   * The malformed values that were logged, as JSON with the name of their scope, but not with their
   * positions, which change with every entry before them.
   */
  private readonly loggedValues = new Set<string>();
  /** What the scopes say together, as they were read last. */
  protected merged: Merged;
  /** The values of all scopes when `merged` was read, with the scopes' names. */
  private valuesRead: readonly unknown[];

  constructor(
    private readonly key: ScopedKey,
    protected readonly log: Pick<Log, 'warn' | 'redactValue'>,
    protected readonly setTimer: SetTimer = realTimer,
    /** Returns epoch ms. */
    protected readonly now: () => number = Date.now,
  ) {
    super();
    this.merged = this.read();
    this.valuesRead = this.currentValues();
    this.own(onScopesChange(() => this.scopesChanged()));
  }

  private scopesChanged(): void {
    const before = this.valuesRead;
    this.valuesRead = this.currentValues();
    // The change may be a change of another setting.
    if (isDeepStrictEqual(this.valuesRead, before)) return;
    this.merged = this.read();
    this.changed.fire();
  }

  /** Returns all on which `read` depends. */
  protected currentValues(): readonly unknown[] {
    return this.scopes.map(({ uniqueName, value }) => [uniqueName, value]);
  }

  /** Reads the setting once more secrets are known, because known secrets in it are redacted. */
  readAgain(): void {
    const before = this.merged;
    this.merged = this.read();
    if (!isDeepStrictEqual(this.merged, before)) this.changed.fire();
  }

  private read(): Merged {
    const scopes = this.scopes.map((scope) => ({ scope, ...this.readScope(scope) }));
    this.reportMalformed(scopes);
    return this.merge(scopes.map(({ part }) => part));
  }

  protected abstract readScope(scope: SettingsScope): ReadScope<Part>;

  /** Returns what the parts of all scopes say together. `parts`: in the order of `scopes`. */
  protected abstract merge(parts: readonly Part[]): Merged;

  /** Returns the value of this scope alone. Throws a `RefusedChange` if it has another type. */
  protected abstract valueIn(scope: SettingsScope): ScopeValue;

  /**
   * Changes all of the scopes that `scopesToWrite` returns or, rejecting with a `RefusedChange`,
   * none of them. Rejects with a `UserError` if a scope refused, and a changed one could not be
   * undone.
   * @param scopesToWrite is called when all earlier writes have ended.
   */
  protected write(
    scopesToWrite: () => readonly SettingsScope[],
    valueChange: ValueChange<ScopeValue>,
  ): Promise<SettingChange> {
    return this.writes.run(() => this.writeAll(scopesToWrite(), valueChange));
  }

  private async writeAll(
    scopes: readonly SettingsScope[],
    valueChange: ValueChange<ScopeValue>,
  ): Promise<SettingChange> {
    // A single scope is not checked before its write, which is refused for the same reasons.
    const refusals = scopes.length > 1 ? await refusalsBeforeWrite(scopes, this.setTimer) : [];
    if (refusals.length > 0)
      throw new RefusedChange(refusals, scopesWithoutRefusal(scopes, refusals));

    const undos: Undos = new Map();
    for (const scope of scopesWithoutFileFirst(scopes)) {
      try {
        undos.set(scope, await this.writeScope(scope, valueChange));
      } catch (error) {
        const undone = await undoEach(undos);
        if (undone.refusals.length > 0)
          throw partlyMadeError(asRefusedChange(scope, error), undone.refusals);
        if (!(error instanceof RefusedChange)) throw error;
        throw new RefusedChange(error.refusals, scopesWithoutRefusal(scopes, error.refusals));
      }
    }
    return { scopes, undo: () => this.writes.run(() => undoEach(undos)) };
  }

  /** Resolves with a function that undoes the write. */
  private async writeScope(
    scope: SettingsScope,
    { change, undo }: ValueChange<ScopeValue>,
  ): Promise<() => Promise<void>> {
    let before = this.valueIn(scope);
    const newValue = () => {
      // VS Code may have read the file since.
      before = this.valueIn(scope);
      return change(before, scope);
    };
    const revert = await writeValue(scope, newValue, this.setTimer);
    return async () => {
      const isReverted = await revert?.();
      if (isReverted) return;
      await writeValue(scope, () => undo(this.valueIn(scope), before, scope), this.setTimer);
    };
  }

  protected get scopes(): readonly SettingsScope[] {
    return listScopes(this.key);
  }

  /**
   * Warns the user if a scope has a malformed value that was not logged before:
   * "automationPlatform.deployments in user settings has invalid values, which are ignored."
   */
  private reportMalformed(
    scopes: readonly (ReadScope<unknown> & { readonly scope: SettingsScope })[],
  ): void {
    const reported = scopes.filter(({ scope, malformed }) => this.logMalformed(scope, malformed));
    const [first] = reported;
    if (!first) return;
    const { setting, openAction } = first.scope;
    const places = listText(reported.map(({ scope }) => scope.name));
    const sentence = vscode.l10n.t('{setting} in {places} has invalid values, which are ignored.', {
      setting,
      places,
    });
    showWarning(sentence, [openAction, showLogAction]);
  }

  /** Logs the values that were not logged before. Returns whether there were any. */
  protected logMalformed(
    { uniqueName, logName }: SettingsScope,
    malformed: readonly Malformed[],
  ): boolean {
    let hasNew = false;
    for (const { value, text } of malformed) {
      const valueKey = JSON.stringify([uniqueName, value]);
      if (this.loggedValues.has(valueKey)) continue;
      this.loggedValues.add(valueKey);
      this.log.warn(`Ignored in ${logName}: ${text}.`);
      hasNew = true;
    }
    return hasNew;
  }
}

/**
 * A setting whose value in each scope is a list of entries that have keys. A change keeps its
 * malformed entries, which have none.
 */
export abstract class ListSetting<Merged, Part> extends ScopedSetting<
  Merged,
  readonly unknown[],
  Part
> {
  /** Returns what an entry is recognized by; `undefined` if it is malformed. */
  protected abstract keyOf(entry: unknown): string | undefined;

  /** Returns the scopes that have at least one entry with one of these keys. */
  scopesWith(keys: readonly string[]): readonly SettingsScope[] {
    const wanted = new Set(keys);
    const keyOf = (entry: unknown) => this.keyOf(entry);
    return this.scopes.filter(({ value }) =>
      entriesIn(value).some((entry) => hasKey(entry, wanted, keyOf)),
    );
  }

  /**
   * Removes the entries with these keys from all scopes that have some, except those of `refusals`.
   */
  protected removeKeys(
    keys: readonly string[],
    refusals: readonly Refusal[] = [],
  ): Promise<SettingChange> {
    const removed = new Set(keys);
    const keyOf = (entry: unknown) => this.keyOf(entry);
    return this.write(() => scopesWithoutRefusal(this.scopesWith(keys), refusals), {
      change: (list) => withoutKeys(list, removed, keyOf),
      undo: (list, before) => withRestored(list, before, removed, keyOf),
    });
  }

  protected override valueIn(scope: SettingsScope): readonly unknown[] {
    const { value = [] } = scope;
    if (Array.isArray(value)) return value;
    throw notListError(scope);
  }
}

/**
 * For the log: "entry 2 of automationPlatform.deployments mutes nothing"; for a whole value, which
 * has no index, "automationPlatform.deployments is not a list". `complaint`: "mutes nothing".
 */
export function malformedInList(
  { setting }: SettingsScope,
  { index, value }: MalformedValue,
  complaint: string,
): Malformed {
  const text =
    index === undefined
      ? `${setting} is not a list`
      : `entry ${index + 1} of ${setting} ${complaint}`;
  return { value, text };
}
