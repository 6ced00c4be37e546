import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { findSetting } from '../../../../src/model/entered/settingsText.js';

const name = { section: 'automationPlatform', key: 'deployments' };
const dotted = '"automationPlatform.deployments"';

describe('a setting in a file', () => {
  for (const [how, text, path] of [
    ['dotted', `{ ${dotted}: ["a"], }`, 'automationPlatform.deployments'],
    [
      'nested',
      '{ "automationPlatform": { "deployments": ["a"] } }',
      'automationPlatform/deployments',
    ],
  ] as const) {
    it(`has its value and path when it is ${how}`, () => {
      const found = findSetting(text, false, name);
      assert.deepEqual(found?.value, ['a']);
      assert.equal(found?.path?.join('/'), path);
    });

    it(`is neither duplicated nor replaced when it is ${how} once`, () => {
      const found = findSetting(text, false, name);
      assert.equal(found?.duplicateKey, undefined);
      assert.equal(found?.replacedBy, undefined);
    });
  }

  for (const [when, text] of [
    ['the text is empty', ''],
    ['the text has only comments', '// none'],
    ['its section is not an object', `{ "automationPlatform": 5, ${dotted}: ["a"] }`],
  ] as const) {
    it(`is absent when ${when}`, () => {
      const found = findSetting(text, false, name);
      assert.notEqual(found, undefined);
      assert.equal(found?.value, undefined);
      assert.equal(found?.path, undefined);
    });

    it(`is neither duplicated nor replaced when ${when}`, () => {
      const found = findSetting(text, false, name);
      assert.equal(found?.duplicateKey, undefined);
      assert.equal(found?.replacedBy, undefined);
    });
  }

  it('is found only below "settings" in a workspace file', () => {
    const found = findSetting(`{ "settings": { ${dotted}: ["a"] }, ${dotted}: ["b"] }`, true, name);
    assert.deepEqual(found?.value, ['a']);
    assert.deepEqual(found?.path, ['settings', 'automationPlatform.deployments']);
  });

  it('is not looked for when the text is not valid JSON', () => {
    assert.equal(findSetting(`{ ${dotted}: ["a"] <<<<<<< }`, false, name), undefined);
  });

  it('is duplicated exactly when it has two values', () => {
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
      'is replaced by a later section that lacks it',
      `${dotted}: ["a"], "automationPlatform": {}`,
      'automationPlatform',
    ],
    [
      'is not replaced by an earlier section',
      `"automationPlatform": {}, ${dotted}: ["a"]`,
      undefined,
    ],
    ['is not replaced when there is only its section', '"automationPlatform": {}', undefined],
    [
      'is not replaced by a section that is not an object',
      `${dotted}: ["a"], "automationPlatform": 5`,
      undefined,
    ],
  ] as const) {
    it(what, () => {
      assert.equal(findSetting(`{ ${text} }`, false, name)?.replacedBy, replacedBy);
    });

    it(`${what} in a workspace file`, () => {
      assert.equal(findSetting(`{ "settings": { ${text} } }`, true, name)?.replacedBy, replacedBy);
    });
  }

  it('is not looked for when a workspace file has two "settings"', () => {
    const text = `{ "settings": { ${dotted}: ["a"] }, "settings": {} }`;
    assert.deepEqual(findSetting(text, true, name), { value: undefined, duplicateKey: 'settings' });
  });
});
