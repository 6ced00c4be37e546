import { strict as assert } from 'node:assert';
import { holdsToken } from '../../../src/host/holdsToken.js';
import {
  decodeIndex,
  decodeOrganization,
  encodeOrganization,
  withoutTokens,
} from '../../../src/host/storedOrganization.js';

const stored = { id: '1', name: 'Acme', baseUrl: 'https://host.example/api/v1', token: 'tok', sessionToken: 'ses' };

describe('an organization as a secret', () => {
  it('comes back as it was written', () => {
    const { sessionToken: _, ...without } = stored;
    assert.deepEqual(decodeOrganization('1', encodeOrganization(stored)), stored);
    assert.deepEqual(decodeOrganization('1', encodeOrganization(without)), without);
  });

  it('is nothing if it is not what was written', () => {
    for (const text of [
      '',
      'null',
      '[]',
      '{',
      '"tok"',
      '{"name":"Acme","baseUrl":"https://host.example/api/v1"}',
      '{"name":1,"baseUrl":"x","token":"y"}',
    ]) {
      assert.equal(decodeOrganization('1', text), undefined, text);
    }
  });

  it('gives out no token', () => {
    assert.deepEqual(withoutTokens(stored, 'keyring'), {
      id: '1',
      name: 'Acme',
      baseUrl: 'https://host.example/api/v1',
      source: 'keyring',
      hasSessionToken: true,
    });
  });

  it('is listed in an index of ids, each once', () => {
    assert.deepEqual(decodeIndex('["a","b","a",5,""]'), ['a', 'b']);
    assert.equal(decodeIndex('{}'), undefined);
    assert.equal(decodeIndex('['), undefined);
  });
});

describe('a text that holds a token', () => {
  it('is, or contains, one, also percent-encoded', () => {
    const tokens = ['tok/1', ''];
    assert.ok(holdsToken('tok/1', tokens));
    assert.ok(holdsToken('Bearer tok/1\n', tokens));
    assert.ok(holdsToken('https://host.example/tok%2F1', tokens));
    assert.ok(!holdsToken('tok', tokens));
    assert.ok(!holdsToken('100 %', tokens));
  });
});
