import { strict as assert } from 'node:assert';
import { prefills, textPrefill } from '../../../src/model/input.js';

describe('arguments of other programs', () => {
  it('prefill with text, and of another kind with nothing', () => {
    assert.equal(textPrefill(' key_1 '), 'key_1');
    for (const argument of [undefined, 1, {}, ['key_1'], () => 'key_1', '  ', 'a'.repeat(2001)]) {
      assert.equal(textPrefill(argument), undefined);
    }
  });

  it('prefill field by field', () => {
    const argument = { baseUrl: ' https://a.example/api/v1', name: 1, token: 'tok_1' };
    assert.deepEqual(prefills(argument, 'baseUrl', 'name'), { baseUrl: 'https://a.example/api/v1' });
    for (const other of ['dep_1', undefined, null]) assert.deepEqual(prefills(other, 'id'), {});
  });
});
