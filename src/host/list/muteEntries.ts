import { mergeEntries, withoutKeys, withRestored } from '../../model/entered/listEntries.js';
import {
  dayText,
  keyOfEntry,
  keyOfSubject,
  type MuteEntry,
  type MuteSubject,
  type ReadMuteEntries,
  readMuteEntries,
  toJson,
} from '../../model/entered/muteEntries.js';
import { MutesForEveryone, type MutesInScope } from '../../model/problems/mutes.js';
import { settingKeys } from '../ids.js';
import type { Log } from '../log.js';
import { ListSetting, malformedInList, type SettingChange } from './scopedSetting.js';
import { onScopesChange, type SettingsScope, scopeForNewEntries } from './settingsScope.js';

/** How long new entries mute, and why. */
interface MuteTerms {
  /** The last day, by UTC: "2026-12-31". */
  readonly until: string;
  readonly reason: string;
}

/**
 * The setting `mutes`: which problems are muted for everyone who opens the workspace, until when,
 * and why. The problem memory asks it for the mute of a problem; Mute Problem and Unmute Problem
 * write it.
 */
export class MuteEntries extends ListSetting<MutesForEveryone, MutesInScope> {
  /** `now`: returns epoch ms. */
  constructor(log: Pick<Log, 'warn' | 'redactValue'>, now?: () => number) {
    super(settingKeys.mutes, log, undefined, now);
    this.logUserSettings();
    this.own(onScopesChange(() => this.logUserSettings()));
  }

  get current(): MutesForEveryone {
    return this.merged;
  }

  /** "2026-11-28", the day in UTC. */
  get today(): string {
    return dayText(this.now());
  }

  /**
   * The scope to which new entries are written; `undefined` if there is no workspace, or it is not
   * trusted.
   */
  get scopeOfNewEntries(): SettingsScope | undefined {
    const scope = scopeForNewEntries(settingKeys.mutes);
    return scope.isUserScope ? undefined : scope;
  }

  /**
   * Adds an entry for each of these, in place of usable entries of the same scope that name the
   * same account or requirement.
   */
  add(subjects: readonly MuteSubject[], terms: MuteTerms): Promise<SettingChange> {
    const entries = subjects.map((subject) => ({ subject, since: this.today, ...terms }));
    const addedKeys = new Set(entries.map(keyOfUsable));
    const subjectKeys = new Set(subjects.map(keyOfSubject));
    const keyOfNamed = (entry: unknown): string | undefined => keyOfEntry(entry, this.readOptions);
    return this.write(() => [scopeForNewEntries(settingKeys.mutes)], {
      change: (list) => [...withoutKeys(list, subjectKeys, keyOfNamed), ...entries.map(toJson)],
      undo: (list, before) => {
        const withoutAdded = withoutKeys(list, addedKeys, (entry) => this.keyOf(entry));
        return withRestored(withoutAdded, before, subjectKeys, keyOfNamed);
      },
    });
  }

  /** Returns the scopes that have one of these entries. */
  scopesOf(entries: readonly MuteEntry[]): readonly SettingsScope[] {
    return this.scopesWith(entries.map(keyOfUsable));
  }

  /** Removes these entries from all scopes that have them. */
  remove(entries: readonly MuteEntry[]): Promise<SettingChange> {
    return this.removeKeys(entries.map(keyOfUsable));
  }

  /** Whether the text contains a token, which makes an entry malformed. */
  hasToken(text: string): boolean {
    return this.log.redactValue(text) !== text;
  }

  /** The setting is not read from user settings, which would silence the problems of all teams. */
  protected override get scopes(): readonly SettingsScope[] {
    return super.scopes.filter(({ isUserScope }) => !isUserScope);
  }

  /** Logs that the value of user settings is ignored, once for each value. */
  private logUserSettings(): void {
    const user = super.scopes.find(({ isUserScope }) => isUserScope);
    if (user?.value === undefined) return;
    const { setting, value } = user;
    const text = `${setting} counts only in the settings of a folder or a workspace`;
    this.logMalformed(user, [{ value, text }]);
  }

  protected override currentValues(): readonly unknown[] {
    const lists = this.scopes.map((scope) => scope.withKey(settingKeys.deployments).value);
    return [...super.currentValues(), ...lists];
  }

  /** Equal for entries that say the same of the same. */
  protected override keyOf(entry: unknown): string | undefined {
    const [usable] = this.readList([entry]).entries;
    return usable && keyOfUsable(usable.entry);
  }

  protected override readScope(scope: SettingsScope) {
    const { entries, malformed } = this.readList(scope.value);
    return {
      part: {
        entries: entries.map(({ entry }) => entry),
        deploymentIds: scope.isFolderScope ? this.idsForFolder(scope) : undefined,
      },
      malformed: malformed.map((value) =>
        malformedInList(scope, value, `mutes nothing, because ${value.reason}`),
      ),
    };
  }

  protected override merge(parts: readonly MutesInScope[]): MutesForEveryone {
    return new MutesForEveryone(parts);
  }

  private get readOptions() {
    return { now: this.now(), hasToken: (text: string) => this.hasToken(text) };
  }

  private readList(value: unknown): ReadMuteEntries {
    return readMuteEntries(value, this.readOptions);
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

function keyOfUsable(entry: Omit<MuteEntry, 'endsAt'>): string {
  return JSON.stringify(toJson(entry));
}
