import { strict as assert } from 'node:assert';
import { addDeploymentPrefill, signInPrefill, textPrefill } from '../../../src/model/input.js';

describe('arguments of other programs', () => {
  it('prefill with text, and of another kind with nothing', () => {
    assert.equal(textPrefill(' key_1 '), 'key_1');
    for (const argument of [undefined, 1, {}, ['key_1'], () => 'key_1', '  ', 'a'.repeat(2001)]) {
      assert.equal(textPrefill(argument), undefined);
    }
  });

  it('prefill field by field, and never a token', () => {
    const baseUrl = 'https://a.example/api/v1';
    assert.deepEqual(signInPrefill({ baseUrl, name: 'Acme', token: 'tok_1' }), { baseUrl, name: 'Acme' });
    assert.deepEqual(signInPrefill({ baseUrl: 1, name: 'Acme' }), { name: 'Acme' });
    assert.deepEqual(addDeploymentPrefill({ id: 'dep_1', label: {} }), { id: 'dep_1' });
    for (const argument of ['dep_1', undefined, null]) assert.deepEqual(addDeploymentPrefill(argument), {});
  });
});
