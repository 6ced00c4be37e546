import { mergeEntries, withRestored } from '../../model/entered/listEntries.js';
import {
  keyOfEntry,
  keyOfSubject,
  type MuteEntry,
  readMuteEntries,
  toJson,
  withoutMutes,
} from '../../model/entered/muteEntries.js';
import { MutesForEveryone, type MutesInScope } from '../../model/problems/mutes.js';
import { settingKeys } from '../ids.js';
import type { Log } from '../log.js';
import { ListSetting, type SettingChange } from './scopedSetting.js';
import { type SettingsScope, scopeForNewEntries } from './settingsScope.js';

function keysOf(entries: readonly Pick<MuteEntry, 'subject'>[]): ReadonlySet<string> {
  return new Set(entries.map(({ subject }) => keyOfSubject(subject)));
}

/**
 * The setting `mutes`: which problems are muted for everyone who opens the workspace, until when,
 * and why. The problem memory asks it for the mute of a problem; Mute Problem and Unmute Problem
 * write it.
 */
export class MuteEntries extends ListSetting<MutesForEveryone> {
  /** `now`: returns epoch ms. */
  constructor(log: Pick<Log, 'warn' | 'redactValue'>, now?: () => number) {
    super(settingKeys.mutes, log, undefined, now);
  }

  get current(): MutesForEveryone {
    return this.merged;
  }

  /** Returns the scopes that have entries which name the same as these. */
  scopesWith(entries: readonly MuteEntry[]): readonly SettingsScope[] {
    const keys = keysOf(entries);
    return this.scopes.filter(({ value }) =>
      Array.isArray(value) ? value.some((entry) => keys.has(keyOfEntry(entry) ?? '')) : false,
    );
  }

  /**
   * Adds entries where new ones are written, in place of those there that name the same account or
   * requirement.
   */
  add(entries: readonly Omit<MuteEntry, 'endsAt'>[]): Promise<SettingChange> {
    const keys = keysOf(entries);
    return this.write(() => [scopeForNewEntries(settingKeys.mutes)], {
      change: (list) => [...withoutMutes(list, keys), ...entries.map(toJson)],
      undo: (list, before) => withRestored(withoutMutes(list, keys), before, keys, keyOfEntry),
    });
  }

  /** Removes all entries that name the same account or requirement as one of these. */
  remove(entries: readonly MuteEntry[]): Promise<SettingChange> {
    const keys = keysOf(entries);
    return this.write(() => this.scopesWith(entries), {
      change: (list) => withoutMutes(list, keys),
      undo: (list, before) => withRestored(list, before, keys, keyOfEntry),
    });
  }

  /** The setting is not read from user settings, which would silence the problems of all teams. */
  protected override get scopes(): readonly SettingsScope[] {
    return super.scopes.filter(({ isUserScope }) => !isUserScope);
  }

  protected override currentValues(): readonly unknown[] {
    const lists = this.scopes.map((scope) => scope.withKey(settingKeys.deployments).value);
    return [...super.currentValues(), ...lists];
  }

  protected override read(): MutesForEveryone {
    this.reportMalformed((scope) =>
      this.readScope(scope).malformed.map(({ index, value, reason }) => ({
        value,
        text:
          index === undefined
            ? `${scope.setting} is not a list`
            : `entry ${index + 1} of ${scope.setting} mutes nothing, because ${reason}`,
      })),
    );
    return new MutesForEveryone(this.scopes.map((scope) => this.mutesIn(scope)));
  }

  private mutesIn(scope: SettingsScope): MutesInScope {
    const entries = this.readScope(scope).entries.map(({ entry }) => entry);
    const deploymentIds = scope.isFolderScope ? this.idsForFolder(scope) : undefined;
    return { entries, deploymentIds };
  }

  private readScope({ value }: SettingsScope) {
    const hasToken = (text: string): boolean => this.log.redactValue(text) !== text;
    return readMuteEntries(value, { now: this.now(), hasToken });
  }

  /** Returns the IDs of the deployments that the folder of this scope or the workspace lists. */
  private idsForFolder(scope: SettingsScope): ReadonlySet<string> {
    const workspaceScopes = this.scopes.filter(({ isFolderScope }) => !isFolderScope);
    const lists = [scope, ...workspaceScopes].map(
      (listing) => listing.withKey(settingKeys.deployments).value,
    );
    return new Set(mergeEntries(lists).map(({ id }) => id));
  }
}
