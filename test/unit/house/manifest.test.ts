import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import {
  commandIds,
  contextKeys,
  contextValues,
  extensionId,
  settingKeys,
  toolNames,
  viewIds,
} from '../../../src/host/ids.js';

interface Manifest {
  readonly name: string;
  readonly publisher: string;
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly submenus: readonly { readonly id: string }[];
    readonly configuration: readonly { readonly properties: Readonly<Record<string, unknown>> }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly languageModelTools: readonly { readonly name: string }[];
    readonly menus: Readonly<Record<string, readonly { readonly command?: string; readonly submenu?: string }[]>>;
  };
}

const text = readFileSync('package.json', 'utf8');
const manifest: Manifest = JSON.parse(text);
const readme = readFileSync('README.md', 'utf8');
const nls: Record<string, string> = JSON.parse(readFileSync('package.nls.json', 'utf8'));
const c = manifest.contributes;

const sameSet = (have: Iterable<string>, want: Iterable<string>) =>
  assert.deepEqual([...have].toSorted(), [...want].toSorted());

describe('ids', () => {
  it('name the extension', () => assert.equal(extensionId, `${manifest.publisher}.${manifest.name}`));
  it('name every command of the manifest, and no other', () =>
    sameSet(
      Object.values(commandIds),
      c.commands.map((x) => x.command),
    ));
  it('name every setting of the manifest, and no other', () =>
    sameSet(
      Object.values(settingKeys).map((k) => `automationPlatform.${k}`),
      c.configuration.flatMap((group) => Object.keys(group.properties)),
    ));
  it('name every view of the manifest, and no other', () =>
    sameSet(
      Object.values(viewIds),
      Object.values(c.views)
        .flat()
        .map((v) => v.id),
    ));
  it('name every language-model tool of the manifest, and no other', () =>
    sameSet(
      Object.values(toolNames),
      c.languageModelTools.map((t) => t.name),
    ));

  const clauses = [...text.matchAll(/"when": "([^"]*)"/g)].map((m) => m[1]!);
  it('name every context key that the manifest reads, and no other', () => {
    const events = [...text.matchAll(/"onContext:([^"]+)"/g)].map((m) => m[1]!);
    const read = [...clauses, ...events].flatMap((w) => [...w.matchAll(/automationPlatform\.\w+/g)].map((m) => m[0]));
    const keys = new Set(read);
    for (const view of Object.values(viewIds)) keys.delete(view);
    sameSet(keys, Object.values(contextKeys));
  });
  it('name every context value that a menu matches', () => {
    const read = clauses.flatMap((w) =>
      [...w.matchAll(/viewItem (?:== |=~ \/\^\(?)([\w|]+)/g)].flatMap((m) => m[1]!.split('|')),
    );
    sameSet(new Set(read), Object.values(contextValues));
  });
});

describe('manifest texts', () => {
  const used = new Set([...text.matchAll(/"%([\w.-]+)%"/g)].map((m) => m[1]!));
  it('are all in package.nls.json, and none is left over', () => sameSet(used, Object.keys(nls)));
  it('every menu names a contributed command or submenu', () => {
    const known = new Set([...c.commands.map((x) => x.command), ...c.submenus.map((x) => x.id)]);
    for (const { command, submenu } of Object.values(c.menus).flat()) {
      const name = command ?? submenu ?? '';
      assert.ok(known.has(name), name);
    }
  });
  it('README names every setting', () => {
    for (const key of Object.values(settingKeys)) assert.ok(readme.includes(`automationPlatform.${key}`), key);
  });
  it('README names every command of the palette by its title', () => {
    const hidden = new Set([...text.matchAll(/"command": "([^"]+)",\s*"when": "false"/g)].map((m) => m[1]));
    const names = Object.entries(commandIds).flatMap(([name, id]) => (hidden.has(id) ? [] : [name]));
    for (const name of names) assert.ok(readme.includes(nls[`command.${name}`]!), name);
  });
});
