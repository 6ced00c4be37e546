import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { ignoredEntries } from '../../../../src/model/entered/ignoredEntries.js';
import { rightEntry } from './muteEntryCases.js';

const section = 'automationPlatform';
const name = '.vscode/settings.json';
const deployments = `"${section}.deployments"`;

const notInUse = () => false;

function inSettings(text: string | undefined, isInUse: (id: string) => boolean = notInUse) {
  return ignoredEntries([{ name, text, isWorkspaceFile: false }], section, isInUse);
}

/** "2 of 1 file", or how else the deployments are counted. */
function counted(text: string): string {
  const { deployments: found } = inSettings(text);
  return found ? `${found.count ?? 'unknown'} of ${found.files.length} file` : 'none';
}

function listing(ids: readonly string[]): string {
  return `{ ${deployments}: ${JSON.stringify(ids)} }`;
}

describe('ignored entries', () => {
  const tenThousand = JSON.stringify(Array.from({ length: 10_000 }, (_, at) => `dep_${at}`));
  const cases: readonly [when: string, text: string, expected: string][] = [
    ['the list is dotted', `{ ${deployments}: ["a", "b"] }`, '2 of 1 file'],
    ['the list is nested', `{ "${section}": { "deployments": ["a", "b"] } }`, '2 of 1 file'],
    [
      'the list has comments and a last comma',
      `{ // own\n ${deployments}: ["a", /* b */ "c",], }`,
      '2 of 1 file',
    ],
    [
      'entries are duplicated or malformed',
      `{ ${deployments}: ["a", { "id": "a" }, { "id": "b" }, 5, "", {}] }`,
      '2 of 1 file',
    ],
    [
      'there are two lists, of which VS Code reads the last',
      `{ ${deployments}: ["a"], ${deployments}: ["b", "c"] }`,
      '2 of 1 file',
    ],
    ['there are 10,000 entries', `{ ${deployments}: ${tenThousand} }`, '10000 of 1 file'],
    ['the file is not valid JSON', `{ ${deployments}: ["a", "b"] <<<<<<< }`, 'unknown of 1 file'],
    ['the file lacks its end', `{ ${deployments}: ["a", "b"`, 'unknown of 1 file'],
    ['the file is empty', '', 'none'],
    ['the list is in a comment', `{ // ${deployments}: ["a"]\n }`, 'none'],
    ['the list is empty', `{ ${deployments}: [] }`, 'none'],
    ['the list has no usable entry', `{ ${deployments}: [5, {}] }`, 'none'],
    ['the value is not a list', `{ ${deployments}: { "id": "a" } }`, 'none'],
    ['a later section replaces the list', `{ ${deployments}: ["a"], "${section}": {} }`, 'none'],
    ['the text is nested too deep', `{ ${deployments}: ${'['.repeat(1_000_000)}`, 'none'],
  ];
  for (const [when, text, expected] of cases) {
    it(`are ${expected} when ${when}`, () => assert.equal(counted(text), expected));
  }

  const owners = '{ "slack": "Maria", "acc_1": "Bob", "bad": 5 }';

  it('are the owners when a file only lists owners', () => {
    const ignored = inSettings(`{ "${section}.owners": ${owners} }`);
    assert.deepEqual(ignored, { owners: { count: 2, files: [name] } });
  });

  it('are owners and deployments apart when a file lists both', () => {
    const text = `{ "${section}": { "owners": ${owners}, "deployments": ["a"] } }`;
    assert.deepEqual(inSettings(text), {
      deployments: { count: 1, files: [name] },
      owners: { count: 2, files: [name] },
    });
  });

  const { account, requirement } = rightEntry;
  const mutesIn = (...entries: readonly unknown[]) =>
    inSettings(JSON.stringify({ [`${section}.mutes`]: entries })).mutes;

  it('are the mutes when a file only mutes', () => {
    assert.deepEqual(mutesIn(account, requirement), { count: 2, files: [name] });
  });

  it('are the mutes without malformed ones', () => {
    const malformed = [5, {}, { ...account, until: 'never' }, { ...account, note: '' }];
    assert.equal(mutesIn(account, ...malformed)?.count, 1);
  });

  it('are no mutes when all are malformed', () => {
    assert.equal(mutesIn({ ...account, reason: '' }), undefined);
  });

  it('are mutes that begin on a later day', () => {
    const later = { ...account, since: '9999-01-01', until: '9999-12-31' };
    assert.equal(mutesIn(later)?.count, 1);
  });

  it('are only those below "settings" in a workspace file', () => {
    const text = `{ "settings": { ${deployments}: ["a"] }, ${deployments}: ["b", "c"] }`;
    const file = { name: 'team.code-workspace', text, isWorkspaceFile: true };
    const ignored = ignoredEntries([file], section, notInUse);
    assert.deepEqual(ignored, { deployments: { count: 1, files: [file.name] } });
  });

  describe('in several files', () => {
    const files = {
      'web/settings.json': ['a', 'b'],
      'docs/settings.json': [],
      'api/settings.json': ['b', 'c'],
    };
    const texts = Object.entries(files).map(([file, ids]) => ({
      name: file,
      text: listing(ids),
      isWorkspaceFile: false,
    }));

    it('are counted once when two files list the same', () => {
      assert.equal(ignoredEntries(texts, section, notInUse).deployments?.count, 3);
    });

    it('are named with the files that list any', () => {
      const named = ignoredEntries(texts, section, notInUse).deployments?.files;
      assert.deepEqual(named, ['web/settings.json', 'api/settings.json']);
    });

    it('are named without files whose deployments are all in use', () => {
      const { deployments: named } = ignoredEntries(texts, section, (id) => id !== 'a');
      assert.deepEqual(named, { count: 1, files: ['web/settings.json'] });
    });

    it('have an unknown count when one of the files is too large to read', () => {
      const large = { name: 'large/settings.json', text: undefined, isWorkspaceFile: false };
      const small = { name, text: listing(['a']), isWorkspaceFile: false };
      assert.deepEqual(ignoredEntries([small, large], section, notInUse), {
        deployments: { count: undefined, files: [name, 'large/settings.json'] },
      });
    });
  });

  it('leave out deployments that are in use', () => {
    const ignored = inSettings(listing(['a', 'b', 'c']), (id) => id !== 'b');
    assert.deepEqual(ignored, { deployments: { count: 1, files: [name] } });
  });

  it('are none when all deployments are in use', () => {
    const ignored = inSettings(listing(['a', 'b', 'c']), () => true);
    assert.deepEqual(ignored, {});
  });

  it('are counted without any of their texts', () => {
    const secret = fc.stringMatching(/^Q[a-z]{5,10}$/);
    const entry = fc.oneof(
      secret,
      fc.record({ id: secret, label: secret }),
      fc.constantFrom<unknown>(5, null, {}, [], ''),
    );
    const sameDay = { since: fc.constant('2026-11-25'), until: fc.constant('2026-11-25') };
    const setting = fc.oneof(
      fc.record({ [`${section}.deployments`]: fc.array(entry) }),
      fc.record({
        [section]: fc.record({
          deployments: fc.array(entry),
          owners: fc.dictionary(secret, secret),
          mutes: fc.array(
            fc.record({ account: secret, error: secret, reason: secret, ...sameDay }),
          ),
        }),
      }),
    );
    fc.assert(
      fc.property(setting, fc.nat(), fc.boolean(), (settings, cut, isCut) => {
        const whole = JSON.stringify(settings);
        const text = isCut ? whole.slice(0, cut % whole.length) : whole;
        assert.doesNotMatch(JSON.stringify(inSettings(text)), /Q[a-z]/);
      }),
    );
  });

  it('are counted without an error, whatever the text is', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      deployments,
      `"${section}"`,
      '"owners"',
      '"a"',
      '//',
      '5',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const { deployments: found } = inSettings(pieces.join(''));
        if (found) assert.deepEqual(found.files, [name]);
      }),
    );
  });
});
