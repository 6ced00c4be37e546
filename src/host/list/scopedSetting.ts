import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { setTimer as realTimer, type SetTimer } from '../../api/timers.js';
import { DisposableOwner } from '../../model/base/disposableOwner.js';
import { showLogAction } from '../actions.js';
import type { Log } from '../log.js';
import { showWarning } from '../messages.js';
import { Serial } from '../serial.js';
import { listText } from '../text/format.js';
import { asRefused, partlyMade, type Refusal, RefusedChange } from './refusedChange.js';
import { listScopes, onScopesChange, type ScopedKey, type SettingsScope } from './settingsScope.js';
import { refusalsOf, writeValue } from './writeValue.js';

interface Malformed {
  readonly value: unknown;
  /** "entry 2 of automationPlatform.deployments is not …" */
  readonly text: string;
}

/** What was written: where, and the way back, which leaves alone what others changed since. */
export interface SettingChange {
  readonly scopes: readonly SettingsScope[];
  /** Goes back in each scope that allows it. Called once more, in those that are left. */
  undo(): Promise<Undone>;
}

export interface Undone {
  readonly scopes: readonly SettingsScope[];
  readonly refusals: readonly Refusal[];
}

/** How a write makes the new value of a scope, and how its Undo does. */
interface Writing<Own> {
  readonly change: (value: Own) => Own;
  /** `before`: what the scope had before the change. */
  readonly undo: (value: Own, before: Own) => Own;
}

type Undos = Map<SettingsScope, () => Promise<void>>;

/** Takes out of the map what is undone. What goes wrong in one scope keeps none of the others from being undone. */
async function undoEach(undos: Undos): Promise<Undone> {
  const scopes: SettingsScope[] = [];
  const refusals: Refusal[] = [];
  for (const [scope, undo] of undos) {
    try {
      await undo();
      undos.delete(scope);
      scopes.push(scope);
    } catch (error) {
      refusals.push(...asRefused(scope, error).refusals);
    }
  }
  return { scopes, refusals };
}

/** VS Code refuses user settings only when they are written. They come first, so that no other file is written and put back for it. */
function unaskedFirst(scopes: readonly SettingsScope[]): readonly SettingsScope[] {
  return [...scopes.filter(({ file }) => !file), ...scopes.filter(({ file }) => file)];
}

export function without(
  scopes: readonly SettingsScope[],
  refusals: readonly Refusal[],
): readonly SettingsScope[] {
  return scopes.filter(({ address }) => refusals.every(({ scope }) => scope.address !== address));
}

/** A setting whose values in all scopes count together, as `T`. Each scope has an `Own` value, a list or an object. */
export abstract class ScopedSetting<T, Own> extends DisposableOwner {
  private readonly changed = this.own(new vscode.EventEmitter<void>());
  readonly onDidChange = this.changed.event;
  /** Two writes at the same time would both start from the same value, and one would be lost. */
  private readonly writes = new Serial();
  /** With their scopes, but not with their positions, which change with every entry before them. */
  private readonly reported = new Set<string>();
  protected merged: T;
  /** The scopes with their values, as they were read last. */
  private valuesRead: readonly unknown[];

  constructor(
    private readonly key: ScopedKey,
    protected readonly log: Pick<Log, 'warn' | 'redactData'>,
    protected readonly setTimer: SetTimer = realTimer,
  ) {
    super();
    this.merged = this.read();
    this.valuesRead = this.values;
    this.own(onScopesChange(() => this.scopesChanged()));
  }

  private scopesChanged(): void {
    const before = this.valuesRead;
    this.valuesRead = this.values;
    // The change may be one of another setting.
    if (isDeepStrictEqual(this.valuesRead, before)) return;
    this.merged = this.read();
    this.changed.fire();
  }

  private get values(): readonly unknown[] {
    return this.scopes.map(({ address, value }) => [address, value]);
  }

  /** What stands in settings is redacted, so it is read anew once more secrets are known. */
  readAgain(): void {
    const before = this.merged;
    this.merged = this.read();
    if (!isDeepStrictEqual(this.merged, before)) this.changed.fire();
  }

  protected abstract read(): T;

  /** The scope's own value, to be changed. Throws if it has another type: it may still be needed. */
  protected abstract ownValue(scope: SettingsScope): Own;

  /**
   * Changes all of these scopes or, rejecting with a `RefusedChange`, none. They are asked for when the writes before this
   * one are done.
   */
  protected write(
    scopesToWrite: () => readonly SettingsScope[],
    writing: Writing<Own>,
  ): Promise<SettingChange> {
    return this.writes.run(async () => {
      const scopes = scopesToWrite();
      const othersThan = (refusals: readonly Refusal[]) => without(scopes, refusals);
      // A single scope is not asked beforehand, since its write is refused for the same reasons.
      const refusals = scopes.length > 1 ? await refusalsOf(scopes, this.setTimer) : [];
      if (refusals.length > 0) throw new RefusedChange(refusals, othersThan(refusals));
      const undos: Undos = new Map();
      const inOrder = unaskedFirst(scopes);
      try {
        for (const scope of inOrder) undos.set(scope, await this.writeScope(scope, writing));
      } catch (error) {
        const failed = inOrder[undos.size]!;
        const stuck = (await undoEach(undos)).refusals;
        if (stuck.length > 0) throw partlyMade(asRefused(failed, error), stuck);
        if (!(error instanceof RefusedChange)) throw error;
        throw new RefusedChange(error.refusals, othersThan(error.refusals));
      }
      return { scopes, undo: () => this.writes.run(() => undoEach(undos)) };
    });
  }

  /** @returns how to undo it. */
  private async writeScope(
    scope: SettingsScope,
    { change, undo }: Writing<Own>,
  ): Promise<() => Promise<void>> {
    let before = this.ownValue(scope);
    const changed = () => {
      // VS Code may have read the file again since.
      before = this.ownValue(scope);
      return change(before);
    };
    const revert = await writeValue(scope, changed, this.setTimer);
    return async () => {
      if (await revert?.()) return;
      await writeValue(scope, () => undo(this.ownValue(scope), before), this.setTimer);
    };
  }

  protected get scopes(): readonly SettingsScope[] {
    return listScopes(this.key);
  }

  protected report(malformedIn: (scope: SettingsScope) => readonly Malformed[]): void {
    const malformed = this.scopes.filter((scope) => this.isNew(scope, malformedIn(scope)));
    const [first] = malformed;
    if (!first) return;
    const words = { setting: first.setting, places: listText(malformed.map(({ name }) => name)) };
    const sentence = vscode.l10n.t(
      '{setting} in {places} has invalid entries, which are ignored.',
      words,
    );
    showWarning(sentence, [first.openAction, showLogAction]);
  }

  private isNew({ address, logName }: SettingsScope, malformed: readonly Malformed[]): boolean {
    const before = this.reported.size;
    for (const { value, text } of malformed) {
      const key = JSON.stringify([address, value]);
      if (this.reported.has(key)) continue;
      this.reported.add(key);
      this.log.warn(`Ignored in ${logName}: ${text}.`);
    }
    return this.reported.size > before;
  }
}
