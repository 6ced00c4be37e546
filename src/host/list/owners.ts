import * as vscode from 'vscode';
import { Owner } from '../../model/owner.js';
import { type Owned, ownerIn, readOwners } from '../../model/owners.js';
import { configurationSection, settingKeys } from '../ids.js';
import { Serial } from '../serial.js';
import { addScope, listScopes, MalformedEntries, onScopesChange, type SettingsScope } from './settingsScope.js';
import { writeProperty } from './writeList.js';

const setting = `${configurationSection}.${settingKeys.owners}`;

/** The `owners` setting of all scopes together: who can repair what. */
export class Owners extends Owner {
  private readonly changed = this.own(new vscode.EventEmitter<void>());
  readonly onDidChange = this.changed.event;
  private readonly writes = new Serial();
  private readonly malformed: MalformedEntries;
  private scopes: readonly ReadonlyMap<string, string>[];

  constructor(log: Pick<vscode.LogOutputChannel, 'warn'>) {
    super();
    this.malformed = new MalformedEntries(settingKeys.owners, log);
    this.scopes = this.read();
    const reread = () => {
      this.scopes = this.read();
      this.changed.fire();
    };
    this.own(onScopesChange(settingKeys.owners, reread));
  }

  /** As the user wrote it. */
  of(owned: Owned): string | undefined {
    return ownerIn(this.scopes, owned);
  }

  /** Where the value that counts for this id stands, else where Add writes. `undefined` takes it away. @returns where it was written. */
  set(id: string, owner: string | undefined): Promise<SettingsScope> {
    return this.writes.run(async () => {
      const own = listScopes(settingKeys.owners).find(({ value }) => readOwners(value).owners.has(id));
      const scope = own ?? addScope(settingKeys.owners);
      await writeProperty(scope, id, owner);
      return scope;
    });
  }

  private read(): readonly ReadonlyMap<string, string>[] {
    const scopes = listScopes(settingKeys.owners);
    this.malformed.report(scopes, (value) =>
      readOwners(value).malformed.map((id) =>
        id === undefined
          ? { value, what: setting, expected: 'not an object' }
          : { value: id, what: `An entry of ${setting}`, expected: 'no text of at most 200 characters for an ID' },
      ),
    );
    return scopes.map(({ value }) => readOwners(value).owners);
  }
}
