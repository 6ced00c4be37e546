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

/** The IDs outside of our own settings, in the order of the text. */
function idsOutside(text: string, path = folderFile): readonly string[] {
  const references = referencesInLines(index.scan(text, 'jsonc'), text);
  return outsideOwnSettings(references, path, () => text).map(({ id }) => id);
}

/** Stands in for a text that must not be read. */
const failOnRead = () => assert.fail('the text was read');

const list = '"automationPlatform.deployments": ["own_1", { "id": "own_2", "label": "own_1" }]';
const nested = '"automationPlatform": { "deployments": ["own_1"], "owners": { "own_2": "Maria" } }';

describe('settingsFileKind()', () => {
  for (const [kind, ...paths] of [
    [
      'settings',
      folderFile,
      '/c:/work/web/.vscode/settings.json',
      '/home/me/.config/Code/User/settings.json',
      '/c:/Users/me/AppData/Roaming/Cursor/User/profiles/-3b5f/settings.json',
      '/User/settings.json',
      '/home/me/.vscode-server/data/Machine/settings.json',
    ],
    ['workspace', workspaceFile, '/home/me/.config/Code/Workspaces/1764155122/workspace.json'],
    [
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
    for (const path of paths) {
      it(`is ${kind ?? 'none'} for ${path}`, () => assert.equal(settingsFileKind(path), kind));
    }
  }
});

describe('the IDs outside of our own settings', () => {
  const table: Readonly<Record<string, readonly [text: string, expected: string, path?: string]>> =
    {
      'include comments and other settings': [
        `{ // out_1\n${list}, // out_2\n"other": "out_3" }`,
        'out_1 out_2 out_3',
      ],
      'exclude the list with its comments and labels': [
        '{ "automationPlatform.deployments": [ // own_1\n "own_2" /* own_1 */ ] }',
        '',
      ],
      'exclude owners and mutes': [
        '{ "automationPlatform.owners": { "own_1": "Maria" }, "automationPlatform.mutes": [{ "account": "own_2" }] }',
        '',
      ],
      'exclude our settings when they are nested': [
        `{ "a": "out_1", ${nested}, "b": "out_2" }`,
        'out_1 out_2',
      ],
      'include other settings of our section': [
        '{ "automationPlatform": { "x": "out_1", "deployments": ["own_1"], "y": "out_2" }, "automationPlatform.z": "out_3" }',
        'out_1 out_2 out_3',
      ],
      'exclude a setting that stands twice': [
        `{ ${list}, "a": "out_1", ${nested}, ${list} }`,
        'out_1',
      ],
      'exclude a value that is no list': [
        '{ "automationPlatform.deployments": "own_1", "a": "out_1" }',
        'out_1',
      ],
      'exclude a setting whose name is written with an escape': [
        '{ "automationPlatform.\\u0064eployments": ["own_1"], "a": "out_1" }',
        'out_1',
      ],
      'include our names at other depths': [
        '{ "terminal": { "automationPlatform.deployments": "out_1" }, "deployments": "out_2", "a": { "automationPlatform": { "owners": "out_3" } } }',
        'out_1 out_2 out_3',
      ],
      'exclude our settings below the settings of a workspace file': [
        `{ "folders": ["out_1"], "settings": { ${list}, "a": "out_2" }, "launch": { "env": "out_3" } }`,
        'out_1 out_2 out_3',
        workspaceFile,
      ],
      'include our names at the top level of a workspace file': [
        '{ "automationPlatform.deployments": ["out_1"], "settings": {} }',
        'out_1',
        workspaceFile,
      ],
      'include our names below “settings” of a folder’s file': [
        '{ "settings": { "automationPlatform.deployments": ["out_1"] } }',
        'out_1',
      ],
      'include our names in the settings file of an application': [
        '{ "automationPlatform": { "deployments": ["out_1"] } }',
        'out_1',
        '/home/me/web/src/settings.json',
      ],
    };
  for (const [title, [text, expected, path]] of Object.entries(table)) {
    it(title, () => assert.equal(idsOutside(text, path).join(' '), expected));
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
    it(`exclude the whole file while it has ${what}`, () => assert.deepEqual(idsOutside(text), []));
  }

  it('include invalid JSON that holds none of our settings', () => {
    assert.deepEqual(idsOutside('{ "a": "out_1" "b": ["out_2" }'), ['out_1', 'out_2']);
  });

  it('exclude a file with brackets nested too deeply for a parser', () => {
    const deep = `{ "a": ${'['.repeat(100_000)}${']'.repeat(100_000)}, ${list}, "b": "out_1" }`;
    assert.deepEqual(idsOutside(deep), []);
  });

  it('include a text with comments and a trailing comma', () => {
    const text = `{ // out_1\n${list}, "b": ["out_2",], }`;
    assert.deepEqual(idsOutside(text), ['out_1', 'out_2']);
  });

  describe('at a size of 2 MB', () => {
    const text = '"out_1"'.padEnd(2 * 1024 * 1024);

    it('include a settings file', () => assert.deepEqual(idsOutside(text), ['out_1']));

    it('exclude a settings file that is larger', () => {
      assert.deepEqual(idsOutside(`${text} `), []);
    });

    it('include another file that is larger', () => {
      assert.deepEqual(idsOutside(`${text} `, '/src/settings.json'), ['out_1']);
    });
  });

  it('are found without the text of a file that is no settings file', () => {
    const references = referencesInLines(index.scan('out_1', 'jsonc'), 'out_1');
    assert.deepEqual(outsideOwnSettings(references, '/a.json', failOnRead), references);
  });

  it('are found without the text of a file that mentions no ID', () => {
    assert.deepEqual(outsideOwnSettings([], folderFile, failOnRead), []);
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

  it('lack exactly our own settings in any settings file', () => {
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
          assert.deepEqual(
            idsOutside(text, isWorkspace ? workspaceFile : folderFile),
            expected,
            text,
          );
        },
      ),
    );
  });
});

describe('the list in an unfinished file', () => {
  const settings = {
    a: [{ b: 'x' }],
    'automationPlatform.deployments': ['own_1', { id: 'own_2' }, 'own_1'],
    c: { d: [] },
  };
  const text = JSON.stringify(settings, undefined, 2);
  const nameStart = text.indexOf('"automationPlatform');
  const nameEnd = text.indexOf(':', nameStart);

  it('is excluded while a character outside of its name is missing', () => {
    for (let at = 0; at < text.length; at++) {
      if (at >= nameStart && at <= nameEnd) continue;
      const withoutCharacter = text.slice(0, at) + text.slice(at + 1);
      assert.deepEqual(idsOutside(withoutCharacter), [], withoutCharacter);
    }
  });

  it('is excluded while the text ends anywhere behind its name', () => {
    for (let end = nameEnd + 1; end <= text.length; end++) {
      const beginning = text.slice(0, end);
      assert.deepEqual(idsOutside(beginning), [], beginning);
    }
  });
});
