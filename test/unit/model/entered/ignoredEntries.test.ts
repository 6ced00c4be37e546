import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { ignoredEntries } from '../../../../src/model/entered/ignoredEntries.js';

const section = 'automationPlatform';
const name = '.vscode/settings.json';
const deployments = `"${section}.deployments"`;

const notInUse = () => false;

function inSettings(text: string | undefined, isInUse: (id: string) => boolean = notInUse) {
  return ignoredEntries([{ name, text, isWorkspaceFile: false }], section, isInUse);
}

/** How many deployments are counted, and of how many files. */
function counted(text: string) {
  const { deployments: found } = inSettings(text);
  return found && [found.count, found.files.length];
}

function listing(ids: readonly string[]): string {
  return `{ ${deployments}: ${JSON.stringify(ids)} }`;
}

describe('the restricted settings of an untrusted workspace', () => {
  const tenThousand = JSON.stringify(Array.from({ length: 10_000 }, (_, at) => `dep_${at}`));
  const cases: readonly [string, string, ReturnType<typeof counted>][] = [
    ['counted where the list is dotted', `{ ${deployments}: ["a", "b"] }`, [2, 1]],
    ['counted where the list is nested', `{ "${section}": { "deployments": ["a", "b"] } }`, [2, 1]],
    [
      'counted behind comments and commas',
      `{ // own\n ${deployments}: ["a", /* b */ "c",], }`,
      [2, 1],
    ],
    [
      'counted by usable IDs, each once',
      `{ ${deployments}: ["a", { "id": "a" }, { "id": "b" }, 5, "", {}] }`,
      [2, 1],
    ],
    [
      'counted in the value that VS Code reads, the last',
      `{ ${deployments}: ["a"], ${deployments}: ["b", "c"] }`,
      [2, 1],
    ],
    ['counted where there are 10,000', `{ ${deployments}: ${tenThousand} }`, [10_000, 1]],
    [
      'not numbered in a file that is not valid',
      `{ ${deployments}: ["a", "b"] <<<<<<< }`,
      [undefined, 1],
    ],
    ['not numbered in a file that lacks its end', `{ ${deployments}: ["a", "b"`, [undefined, 1]],
    ['absent from an empty text', '', undefined],
    ['absent from a comment', `{ // ${deployments}: ["a"]\n }`, undefined],
    ['absent where the list is empty', `{ ${deployments}: [] }`, undefined],
    ['absent where the list has no usable entry', `{ ${deployments}: [5, {}] }`, undefined],
    ['absent where the value is no list', `{ ${deployments}: { "id": "a" } }`, undefined],
    [
      'absent where a later section replaces the list',
      `{ ${deployments}: ["a"], "${section}": {} }`,
      undefined,
    ],
    [
      'absent from a text that is nested too deep',
      `{ ${deployments}: ${'['.repeat(1_000_000)}`,
      undefined,
    ],
  ];
  for (const [what, text, expected] of cases) {
    it(`are ${what}`, () => {
      assert.deepEqual(counted(text), expected);
    });
  }

  it('are owners and deployments, each for itself', () => {
    const owners = '{ "slack": "Maria", "acc_1": "Bob", "bad": 5 }';
    assert.deepEqual(inSettings(`{ "${section}.owners": ${owners} }`), {
      owners: { count: 2, files: [name] },
    });
    assert.deepEqual(
      inSettings(`{ "${section}": { "owners": ${owners}, "deployments": ["a"] } }`),
      {
        deployments: { count: 1, files: [name] },
        owners: { count: 2, files: [name] },
      },
    );
  });

  it('are below the settings of a workspace file, and not beside them', () => {
    const text = `{ "settings": { ${deployments}: ["a"] }, ${deployments}: ["b", "c"] }`;
    const ignored = ignoredEntries(
      [{ name: 'team.code-workspace', text, isWorkspaceFile: true }],
      section,
      notInUse,
    );
    assert.deepEqual(ignored, { deployments: { count: 1, files: ['team.code-workspace'] } });
  });

  it('are counted once where several files list the same, and named by those that list any', () => {
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
    const expected = { count: 3, files: ['web/settings.json', 'api/settings.json'] };
    assert.deepEqual(ignoredEntries(texts, section, notInUse), { deployments: expected });
    const used = { count: 1, files: ['web/settings.json'] };
    assert.deepEqual(
      ignoredEntries(texts, section, (id) => id !== 'a'),
      { deployments: used },
    );
  });

  it('are without deployments that are in use, and none where all of them are', () => {
    const text = listing(['a', 'b', 'c']);
    assert.deepEqual(
      inSettings(text, (id) => id !== 'b'),
      { deployments: { count: 1, files: [name] } },
    );
    assert.deepEqual(
      inSettings(text, () => true),
      {},
    );
  });

  it('may be in a file that is too large, so that it counts as a list without a number', () => {
    const unknown = { name: 'large/settings.json', text: undefined, isWorkspaceFile: false };
    const small = { name, text: listing(['a']), isWorkspaceFile: false };
    assert.deepEqual(ignoredEntries([small, unknown], section, notInUse), {
      deployments: { count: undefined, files: [name, 'large/settings.json'] },
    });
  });

  it('leave nothing of their entries, whatever stands in the file', () => {
    const secret = fc.stringMatching(/^Q[a-z]{5,10}$/);
    const entry = fc.oneof(
      secret,
      fc.record({ id: secret, label: secret }),
      fc.constantFrom<unknown>(5, null, {}, [], ''),
    );
    const setting = fc.oneof(
      fc.record({ [`${section}.deployments`]: fc.array(entry) }),
      fc.record({
        [section]: fc.record({
          deployments: fc.array(entry),
          owners: fc.dictionary(secret, secret),
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

  it('are never the reason for an error, whatever the text', () => {
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
        assert.ok(found === undefined || found.files.length === 1);
      }),
    );
  });
});
