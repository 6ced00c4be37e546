import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import {
  outsideOwnSettings,
  settingsFileKind,
} from '../../../../src/model/references/ownSettings.js';
import { ReferenceIndex } from '../../../../src/model/references/referenceIndex.js';
import { referencesInLines } from '../../../../src/model/references/textPositions.js';

const folderFile = '/home/me/web/.vscode/settings.json';
const workspaceFile = '/home/me/acme.code-workspace';

const index = new ReferenceIndex();
for (const id of ['own_1', 'own_2', 'out_1', 'out_2', 'out_3']) index.add(id);

/** The IDs that stand outside, in the order of the text. */
function outside(text: string, path = folderFile): readonly string[] {
  const references = referencesInLines(index.scan(text, 'jsonc'), text);
  return outsideOwnSettings(references, path, () => text).map(({ id }) => id);
}

/** In place of a text that must not be asked for. */
const unread = () => assert.fail('read');

const list = '"automationPlatform.deployments": ["own_1", { "id": "own_2", "label": "own_1" }]';
const nested = '"automationPlatform": { "deployments": ["own_1"], "owners": { "own_2": "Maria" } }';

describe('a settings file', () => {
  for (const [what, kind, ...paths] of [
    [
      'is that of a folder, a user, a profile, or a remote machine',
      'settings',
      folderFile,
      '/c:/work/web/.vscode/settings.json',
      '/home/me/.config/Code/User/settings.json',
      '/c:/Users/me/AppData/Roaming/Cursor/User/profiles/-3b5f/settings.json',
      '/User/settings.json',
      '/home/me/.vscode-server/data/Machine/settings.json',
    ],
    [
      'is that of a workspace, saved or not',
      'workspace',
      workspaceFile,
      '/home/me/.config/Code/Workspaces/1764155122/workspace.json',
    ],
    [
      'is none that an application calls so',
      undefined,
      '/home/me/web/src/settings.json',
      '/home/me/web/settings.json',
      '/home/me/web/local.settings.json',
      '/home/me/web/.vscode/launch.json',
      '/home/me/web/src/.vscode/my-settings.json',
      '/home/me/web/Workspaces/workspace.json',
      '/home/me/web/acme.code-workspace.md',
    ],
  ] as const) {
    it(what, () => {
      for (const path of paths) assert.equal(settingsFileKind(path), kind, path);
    });
  }
});

describe('IDs outside of our own settings', () => {
  const table: Readonly<Record<string, readonly [text: string, expected: string, path?: string]>> =
    {
      'are those in comments and other settings': [
        `{ // out_1\n${list}, // out_2\n"other": "out_3" }`,
        'out_1 out_2 out_3',
      ],
      'are none in the list, its comments, and its labels': [
        '{ "automationPlatform.deployments": [ // own_1\n "own_2" /* own_1 */ ] }',
        '',
      ],
      'are none among owners and mutes': [
        '{ "automationPlatform.owners": { "own_1": "Maria" }, "automationPlatform.mutes": [{ "account": "own_2" }] }',
        '',
      ],
      'are none in nested settings': [`{ "a": "out_1", ${nested}, "b": "out_2" }`, 'out_1 out_2'],
      'are those in other settings of the section': [
        '{ "automationPlatform": { "x": "out_1", "deployments": ["own_1"], "y": "out_2" }, "automationPlatform.z": "out_3" }',
        'out_1 out_2 out_3',
      ],
      'are none in a setting that stands twice': [
        `{ ${list}, "a": "out_1", ${nested}, ${list} }`,
        'out_1',
      ],
      'are none in a value that is no list': [
        '{ "automationPlatform.deployments": "own_1", "a": "out_1" }',
        'out_1',
      ],
      'are none in a name with escapes, which VS Code reads': [
        '{ "automationPlatform.\\u0064eployments": ["own_1"], "a": "out_1" }',
        'out_1',
      ],
      'are those under our names at other depths': [
        '{ "terminal": { "automationPlatform.deployments": "out_1" }, "deployments": "out_2", "a": { "automationPlatform": { "owners": "out_3" } } }',
        'out_1 out_2 out_3',
      ],
      'are none below the settings of a workspace, and those beside them': [
        `{ "folders": ["out_1"], "settings": { ${list}, "a": "out_2" }, "launch": { "env": "out_3" } }`,
        'out_1 out_2 out_3',
        workspaceFile,
      ],
      'are those of a workspace’s own top level, where VS Code reads no settings': [
        '{ "automationPlatform.deployments": ["out_1"], "settings": {} }',
        'out_1',
        workspaceFile,
      ],
      'are all in a folder’s `settings`, where VS Code reads none': [
        '{ "settings": { "automationPlatform.deployments": ["out_1"] } }',
        'out_1',
      ],
      'are all in a file of an application': [
        '{ "automationPlatform": { "deployments": ["out_1"] } }',
        'out_1',
        '/home/me/web/src/settings.json',
      ],
    };
  for (const [title, [text, expected, path]] of Object.entries(table)) {
    it(title, () => assert.equal(outside(text, path).join(' '), expected));
  }

  const edited: Readonly<Record<string, string>> = {
    'a list without its end':
      '{ "a": "out_1", "automationPlatform.deployments": [ "own_1", { "id": "own_2" } }',
    'an entry without its end':
      '{ "automationPlatform.deployments": ["own_1", { "id": "own_2" ], "b": "out_2" }',
    'a missing comma': `{ "a": "out_1" ${list} "b": "out_2" }`,
    'a string without its end': '{ "automationPlatform.deployments": [ "own_1, ], "b": "out_2" }',
    'a bracket too many before it': `{ "a": { "c": "out_1" } },\n${list}, "b": "out_2" }`,
    'a merge conflict': `{\n<<<<<<< HEAD\n${list},\n=======\n${list},\n>>>>>>> main\n"b": "out_2" }`,
  };
  for (const [what, text] of Object.entries(edited)) {
    it(`are none while the text has ${what}, so that where our settings end is unknown`, () =>
      assert.deepEqual(outside(text), []));
  }

  it('are those of a text that is not valid JSON and holds nothing of ours', () => {
    assert.deepEqual(outside('{ "a": "out_1" "b": ["out_2" }'), ['out_1', 'out_2']);
  });

  it('are none in a text whose brackets are nested deeper than a parser can follow', () => {
    const deep = `{ "a": ${'['.repeat(100_000)}${']'.repeat(100_000)}, ${list}, "b": "out_1" }`;
    assert.deepEqual(outside(deep), []);
  });

  it('are found in a text with comments and a trailing comma, as VS Code reads it', () => {
    assert.deepEqual(outside(`{ // out_1\n${list}, "b": ["out_2",], }`), ['out_1', 'out_2']);
  });

  it('are none in a settings file of more than 2 MB, and those of any other', () => {
    const text = '"out_1"'.padEnd(2 * 1024 * 1024 + 1);
    assert.deepEqual([outside(text), outside(text, '/src/settings.json')], [[], ['out_1']]);
    assert.deepEqual(outside(text.slice(1)), ['out_1']);
  });

  it('are found without the text of a file that is no settings file or mentions no ID', () => {
    const [reference] = referencesInLines(index.scan('out_1', 'jsonc'), 'out_1');
    assert.deepEqual(outsideOwnSettings([reference!], '/a.json', unread), [reference]);
    assert.deepEqual(outsideOwnSettings([], folderFile, unread), []);
  });

  const json = fc.jsonValue({ maxDepth: 3 });
  const other = fc.record({
    name: fc.oneof(
      fc.constantFrom('a', 'deployments', 'automationPlatform.x', 'settings', '[jsonc]'),
      fc.string(),
    ),
    value: json,
  });
  const ownName = fc.constantFrom('deployments', 'owners', 'mutes');
  const own = fc.oneof(
    fc
      .record({ key: ownName, value: json })
      .map(({ key, value }) => ({ name: `automationPlatform.${key}`, value })),
    fc.record({ key: ownName, value: json }).map(({ key, value }) => ({
      name: 'automationPlatform',
      value: { [key]: value },
    })),
  );

  it('of any settings are all that stand in no setting of ours', () => {
    const property = fc.oneof(
      fc.record({ isOwn: fc.constant(true), setting: own }),
      fc.record({ isOwn: fc.constant(false), setting: other }),
    );
    fc.assert(
      fc.property(
        fc.array(property),
        fc.boolean(),
        fc.constantFrom(undefined, 2),
        (all, isWorkspace, indent) => {
          // In a text, because an object has no name twice.
          const texts = all.map(({ isOwn, setting: { name, value } }) => {
            const id = isOwn ? 'own_1' : 'out_1';
            const isSection =
              name === 'automationPlatform' && typeof value === 'object' && value !== null;
            const marked = isSection
              ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, [part, id]]))
              : [id, value];
            return `${JSON.stringify(name)}: ${JSON.stringify(marked, undefined, indent)} // out_2\n`;
          });
          const settings = `{${texts.join(',')}}`;
          const text = isWorkspace ? `{ "settings": ${settings}, "launch": "out_3" }` : settings;
          const expected = all.flatMap(({ isOwn }) => (isOwn ? ['out_2'] : ['out_1', 'out_2']));
          if (isWorkspace) expected.push('out_3');
          assert.deepEqual(outside(text, isWorkspace ? workspaceFile : folderFile), expected, text);
        },
      ),
    );
  });

  it('are never those of our list while any character outside of its name is missing or the end is', () => {
    const settings = {
      a: [{ b: 'x' }],
      'automationPlatform.deployments': ['own_1', { id: 'own_2' }, 'own_1'],
      c: { d: [] },
    };
    const text = JSON.stringify(settings, undefined, 2);
    const nameAt = text.indexOf('"automationPlatform');
    const nameEnd = text.indexOf(':', nameAt);
    for (let at = 0; at < text.length; at++) {
      if (at >= nameAt && at <= nameEnd) continue;
      for (const changed of [
        text.slice(0, at) + text.slice(at + 1),
        at > nameEnd ? text.slice(0, at) : text,
      ]) {
        assert.deepEqual(outside(changed), [], changed);
      }
    }
  });
});
