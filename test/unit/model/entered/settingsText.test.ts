import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { findSetting } from '../../../../src/model/entered/settingsText.js';

const name = { section: 'automationPlatform', key: 'deployments' };
const dotted = '"automationPlatform.deployments"';

describe('a setting in the text of a settings file', () => {
  for (const [what, text, expected] of [
    ['is found dotted', `{ ${dotted}: ["a"], }`, [['a'], 'automationPlatform.deployments']],
    [
      'is found nested',
      '{ "automationPlatform": { "deployments": ["a"] } }',
      [['a'], 'automationPlatform/deployments'],
    ],
    ['is absent from an empty text', '', [undefined]],
    ['is absent from a text of comments', '// none', [undefined]],
    [
      'is absent where its section is no object',
      `{ "automationPlatform": 5, ${dotted}: ["a"] }`,
      [undefined],
    ],
  ] as const) {
    it(what, () => {
      const found = findSetting(text, false, name);
      assert.ok(found && found.duplicateKey === undefined && found.replacedBy === undefined);
      assert.deepEqual(
        [found.value, found.path?.join('/')].filter(Boolean),
        expected.filter(Boolean),
      );
    });
  }

  it('is found below the settings of a workspace file, and not beside them', () => {
    const found = findSetting(`{ "settings": { ${dotted}: ["a"] }, ${dotted}: ["b"] }`, true, name);
    assert.deepEqual(
      [found?.value, found?.path],
      [['a'], ['settings', 'automationPlatform.deployments']],
    );
  });

  it('is not looked for in what is not valid JSON', () => {
    assert.equal(findSetting(`{ ${dotted}: ["a"] <<<<<<< }`, false, name), undefined);
  });

  it('is there twice exactly when it has two values, dotted or nested, in whatever order', () => {
    const part = fc.constantFrom(
      { text: `${dotted}: []`, values: 1 },
      { text: '"automationPlatform": { "deployments": [] }', values: 1 },
      { text: '"automationPlatform": { "deployments": [], "deployments": [1] }', values: 2 },
      { text: '"automationPlatform": { "owners": {} }', values: 0 },
      { text: '"other": {}', values: 0 },
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), fc.boolean(), (parts, isWorkspaceFile) => {
        const settings = `{ ${parts.map(({ text }) => text).join(', ')} }`;
        const text = isWorkspaceFile ? `{ "settings": ${settings} }` : settings;
        const count = parts.reduce((sum, { values }) => sum + values, 0);
        const { duplicateKey } = findSetting(text, isWorkspaceFile, name)!;
        assert.equal(duplicateKey, count > 1 ? 'automationPlatform.deployments' : undefined, text);
      }),
    );
  });

  for (const [what, text, replacedBy] of [
    [
      'replaced by a later section that lacks it',
      `${dotted}: ["a"], "automationPlatform": {}`,
      'automationPlatform',
    ],
    ['not replaced by an earlier section', `"automationPlatform": {}, ${dotted}: ["a"]`, undefined],
    ['not replaced where only the section is there', '"automationPlatform": {}', undefined],
    [
      'not movable into a section that is no object',
      `${dotted}: ["a"], "automationPlatform": 5`,
      undefined,
    ],
  ] as const) {
    it(`is ${what}`, () => {
      assert.equal(findSetting(`{ ${text} }`, false, name)?.replacedBy, replacedBy);
      assert.equal(findSetting(`{ "settings": { ${text} } }`, true, name)?.replacedBy, replacedBy);
    });
  }

  it('is not told where a workspace file has its settings twice', () => {
    const text = `{ "settings": { ${dotted}: ["a"] }, "settings": {} }`;
    assert.deepEqual(findSetting(text, true, name), { value: undefined, duplicateKey: 'settings' });
  });
});
