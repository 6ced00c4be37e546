import assert from 'node:assert/strict';
import { prefills, textPrefill } from '../../../src/commands/arguments.js';

describe('arguments of other extensions', () => {
  it('prefill with text, and of another kind with nothing', () => {
    assert.equal(textPrefill(' key_1 '), 'key_1');
    const wrong = [undefined, 1, {}, ['key_1'], () => 'key_1', '  ', 'a'.repeat(2001)];
    for (const argument of wrong) assert.equal(textPrefill(argument), undefined);
  });

  it('prefill field by field', () => {
    const argument = { baseUrl: ' https://a.example/api/v1', name: 1, token: 'tok_1' };
    assert.deepEqual(prefills(argument, 'baseUrl', 'name'), { baseUrl: 'https://a.example/api/v1' });
    for (const other of ['dep_1', undefined, null]) assert.deepEqual(prefills(other, 'id'), {});
  });
});
