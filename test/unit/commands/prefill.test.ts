import { strict as assert } from 'node:assert';
import { addDeploymentPrefill, signInPrefill, textPrefill } from '../../../src/model/input.js';

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
    assert.deepEqual(signInPrefill({ baseUrl: 'https://a.example/api/v1', name: 'Acme', token: 'tok_1' }), {
      baseUrl: 'https://a.example/api/v1',
      name: 'Acme',
    });
    assert.deepEqual(signInPrefill({ baseUrl: 1, name: 'Acme' }), { name: 'Acme' });
    assert.deepEqual(addDeploymentPrefill({ id: 'dep_1', label: {} }), { id: 'dep_1' });
    assert.deepEqual(addDeploymentPrefill('dep_1'), {});
    assert.deepEqual(addDeploymentPrefill(undefined), {});
    assert.deepEqual(addDeploymentPrefill(null), {});
  });
});
