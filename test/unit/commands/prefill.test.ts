import { strict as assert } from 'node:assert';
import { prefills, textPrefill } from '../../../src/model/input.js';

describe('arguments of other programs', () => {
  it('prefill with text', () => {
    assert.equal(textPrefill(' key_1 '), 'key_1');
  });

  it('of another kind prefill nothing', () => {
    for (const argument of [undefined, null, 1, true, {}, [], ['key_1'], () => 'key_1', '', '  ']) {
      assert.equal(textPrefill(argument), undefined);
    }
    assert.equal(textPrefill('a'.repeat(2001)), undefined);
  });

  it('prefill field by field', () => {
    const argument = { baseUrl: ' https://a.example/api/v1', name: 1, token: 'tok_1' };
    assert.deepEqual(prefills(argument, 'baseUrl', 'name'), { baseUrl: 'https://a.example/api/v1' });
    for (const other of ['dep_1', undefined, null]) assert.deepEqual(prefills(other, 'id'), {});
  });
});
