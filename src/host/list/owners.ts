import { isRecord } from '../../api/decode.js';
import { type Owned, ownerIn, readOwners } from '../../model/entered/owners.js';
import { settingKeys } from '../ids.js';
import type { Log } from '../log.js';
import { notTable } from './refusedChange.js';
import { ScopedSetting, type SettingChange } from './scopedSetting.js';
import { addScope, type SettingsScope } from './settingsScope.js';

type Table = Readonly<Record<string, unknown>>;

/** The setting `owners`: who can fix an account, by its ID, that of a deployment, or that of a service. */
export class Owners extends ScopedSetting<readonly ReadonlyMap<string, string>[], Table> {
  constructor(log: Pick<Log, 'warn' | 'redactData'>) {
    super(settingKeys.owners, log);
  }

  of(owned: Owned): string | undefined {
    return ownerIn(this.merged, owned);
  }

  /** Where the owner that counts for this id stands, else where Add writes. */
  scopeOf(id: string): SettingsScope {
    return (
      this.scopes.find(({ value }) => readOwners(value).owners.has(id)) ??
      addScope(settingKeys.owners)
    );
  }

  /** `undefined` takes it away. */
  set(id: string, owner: string | undefined): Promise<SettingChange> {
    return this.write(() => [this.scopeOf(id)], {
      change: (table) => withOwner(table, id, owner),
      undo: (table, before) =>
        withOwner(table, id, Object.hasOwn(before, id) ? before[id] : undefined),
    });
  }

  protected override ownValue(scope: SettingsScope): Table {
    const { value = {} } = scope;
    if (isRecord(value)) return value;
    throw notTable(scope);
  }

  protected override read(): readonly ReadonlyMap<string, string>[] {
    this.report(({ setting, value }) =>
      readOwners(value).malformed.map((id) =>
        id === undefined
          ? { value, text: `${setting} is not an object` }
          : {
              value: id,
              text: `an entry of ${setting} is not an ID with a text of at most 200 characters`,
            },
      ),
    );
    return this.scopes.map(({ value }) => {
      const owners = Array.from(
        readOwners(value).owners,
        ([id, owner]) => [id, this.log.redactData(owner)] as const,
      );
      return new Map(owners);
    });
  }
}

function withOwner(table: Table, id: string, owner: unknown): Table {
  const { [id]: _, ...others } = table;
  return owner === undefined ? others : { ...table, [id]: owner };
}
