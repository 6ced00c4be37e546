import { type Owned, ownerIn, readOwners } from '../../model/entered/owners.js';
import { settingKeys } from '../ids.js';
import type { Log } from '../log.js';
import { ScopedSetting } from './scopedSetting.js';
import { addScope, type SettingsScope } from './settingsScope.js';
import { writeValue } from './writeValue.js';

export class Owners extends ScopedSetting<readonly ReadonlyMap<string, string>[]> {
  constructor(log: Pick<Log, 'warn' | 'redactData'>) {
    super(settingKeys.owners, log);
  }

  of(owned: Owned): string | undefined {
    return ownerIn(this.merged, owned);
  }

  /** Where the value that counts for this id stands, else where Add writes. `undefined` takes it away. @returns where it was written. */
  set(id: string, owner: string | undefined): Promise<SettingsScope> {
    return this.writes.run(async () => {
      const own = this.scopes.find(({ value }) => readOwners(value).owners.has(id));
      const scope = own ?? addScope(settingKeys.owners);
      const { [id]: _, ...others } = scope.table;
      const changed = owner === undefined ? others : { ...scope.table, [id]: owner };
      await writeValue(scope, changed, this.setTimer);
      return scope;
    });
  }

  protected override read(): readonly ReadonlyMap<string, string>[] {
    this.report(({ setting, value }) =>
      readOwners(value).malformed.map((id) =>
        id === undefined
          ? { value, text: `${setting} is not an object` }
          : { value: id, text: `an entry of ${setting} is not an ID with a text of at most 200 characters` },
      ),
    );
    return this.scopes.map(({ value }) => {
      const owners = Array.from(readOwners(value).owners, ([id, owner]) => [id, this.log.redactData(owner)] as const);
      return new Map(owners);
    });
  }
}
