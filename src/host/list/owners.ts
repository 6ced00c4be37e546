import { isRecord } from '../../api/decode.js';
import { type Owned, ownerIn, readOwners } from '../../model/entered/owners.js';
import { settingKeys } from '../ids.js';
import type { Log } from '../log.js';
import { ownersNotObjectError } from './refusedChange.js';
import { type Malformed, ScopedSetting, type SettingChange } from './scopedSetting.js';
import { type SettingsScope, scopeForNewEntries } from './settingsScope.js';

/**
 * The value of the setting in one scope: owners by the ID of an account, deployment, or service.
 */
type OwnersTable = Readonly<Record<string, unknown>>;

/** The owners in one scope, by the same IDs. */
type OwnersById = ReadonlyMap<string, string>;

/**
 * The setting `owners`: who can fix an account, by the ID of the account, of a deployment, or of a
 * service. Views and commands ask it for an owner, and Set Owner writes it.
 */
export class Owners extends ScopedSetting<readonly OwnersById[], OwnersTable, OwnersById> {
  constructor(log: Pick<Log, 'warn' | 'redactValue'>) {
    super(settingKeys.owners, log);
  }

  ownerOf(owned: Owned): string | undefined {
    return ownerIn(this.merged, owned);
  }

  /** Returns the scope of the owner that counts for this ID, else the scope for new entries. */
  scopeOf(id: string): SettingsScope {
    const scope = this.scopes.find(({ value }) => readOwners(value).owners.has(id));
    return scope ?? scopeForNewEntries(settingKeys.owners);
  }

  /** `owner`: `undefined` removes the owner. */
  set(id: string, owner: string | undefined): Promise<SettingChange> {
    return this.write(() => [this.scopeOf(id)], {
      change: (table) => withOwner(table, id, owner),
      undo: (table, before) => {
        const ownerBefore = Object.hasOwn(before, id) ? before[id] : undefined;
        return withOwner(table, id, ownerBefore);
      },
    });
  }

  /** Keeps malformed entries, so that a write does not delete them. */
  protected override valueIn(scope: SettingsScope): OwnersTable {
    const { value = {} } = scope;
    if (isRecord(value)) return value;
    throw ownersNotObjectError(scope);
  }

  protected override readScope({ setting, value }: SettingsScope) {
    const { owners, malformed } = readOwners(value);
    const redacted = Array.from(
      owners,
      ([id, owner]) => [id, this.log.redactValue(owner)] as const,
    );
    return {
      part: new Map(redacted),
      malformed: malformed.map((id) => malformedOwner(setting, value, id)),
    };
  }

  protected override merge(parts: readonly OwnersById[]): readonly OwnersById[] {
    return parts;
  }
}

/** `id`: the key of the malformed entry; `undefined` if the whole value is malformed. */
function malformedOwner(setting: string, value: unknown, id: string | undefined): Malformed {
  if (id === undefined) return { value, text: `${setting} is not an object` };
  const text = `an entry of ${setting} is not an ID with a text of at most 200 characters`;
  return { value: id, text };
}

/** Returns the table with this owner; `undefined` removes the entry. */
function withOwner(table: OwnersTable, id: string, owner: unknown): OwnersTable {
  if (owner !== undefined) return { ...table, [id]: owner };
  const { [id]: _removed, ...others } = table;
  return others;
}
