import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { setTimer as realTimer, type SetTimer } from '../../api/timers.js';
import { DisposableOwner } from '../../model/base/disposableOwner.js';
import { showLogAction } from '../actions.js';
import type { Log } from '../log.js';
import { showWarning } from '../messages.js';
import { Serial } from '../serial.js';
import { listText } from '../text/format.js';
import { listScopes, onScopesChange, type ScopedKey, type SettingsScope } from './settingsScope.js';

interface Malformed {
  readonly value: unknown;
  /** "entry 2 of automationPlatform.deployments is not …" */
  readonly text: string;
}

/** A setting whose values in all scopes count together, as `T`. */
export abstract class ScopedSetting<T> extends DisposableOwner {
  private readonly changed = this.own(new vscode.EventEmitter<void>());
  readonly onDidChange = this.changed.event;
  /** Two writes at the same time would both start from the same value, and one would be lost. */
  protected readonly writes = new Serial();
  /** With their scopes, but not with their positions, which change with every entry before them. */
  private readonly reported = new Set<string>();
  protected merged: T;

  constructor(
    private readonly key: ScopedKey,
    protected readonly log: Pick<Log, 'warn' | 'redactData'>,
    protected readonly setTimer: SetTimer = realTimer,
  ) {
    super();
    this.merged = this.read();
    const reread = () => {
      this.merged = this.read();
      this.changed.fire();
    };
    this.own(onScopesChange(key, reread));
  }

  /** What stands in settings is redacted, so it is read anew once more secrets are known. */
  readAgain(): void {
    const before = this.merged;
    this.merged = this.read();
    if (!isDeepStrictEqual(this.merged, before)) this.changed.fire();
  }

  protected abstract read(): T;

  protected get scopes(): readonly SettingsScope[] {
    return listScopes(this.key);
  }

  protected report(malformedIn: (scope: SettingsScope) => readonly Malformed[]): void {
    const malformed = this.scopes.filter((scope) => this.isNew(scope, malformedIn(scope)));
    const [first] = malformed;
    if (!first) return;
    const words = { setting: first.setting, places: listText(malformed.map(({ name }) => name)) };
    const sentence = vscode.l10n.t('{setting} in {places} has invalid entries, which are ignored.', words);
    showWarning(sentence, [first.openAction, showLogAction]);
  }

  private isNew({ logName }: SettingsScope, malformed: readonly Malformed[]): boolean {
    const before = this.reported.size;
    for (const { value, text } of malformed) {
      const key = JSON.stringify([logName, value]);
      if (this.reported.has(key)) continue;
      this.reported.add(key);
      this.log.warn(`Ignored in ${logName}: ${text}.`);
    }
    return this.reported.size > before;
  }
}
