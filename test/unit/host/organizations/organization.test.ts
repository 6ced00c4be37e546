import { strict as assert } from 'node:assert';
import {
  chooseOrganization,
  decodeIndex,
  decodeOrganization,
  encodeOrganization,
  holdsToken,
  inOrder,
  nameProblem,
  type Organization,
  sameName,
  withoutTokens,
} from '../../../../src/host/organizations/organization.js';

const here = 'https://here.example/api/v1';
const there = 'https://there.example/api/v1';
const organization = (id: string, name = id, source: Organization['source'] = 'keyring'): Organization => ({
  id,
  name,
  baseUrl: here,
  source,
  hasSessionToken: false,
});

describe('the current organization of a workspace', () => {
  const environment = organization('environment', 'environment', 'environment');
  const a = organization('a');
  const b = organization('b');

  it('is the chosen one', () => {
    assert.deepEqual(chooseOrganization('b', [environment, a, b], 'read'), { current: b });
    assert.deepEqual(chooseOrganization('environment', [environment, a], 'read'), { current: environment });
  });

  it('is none, never another, if the chosen one is gone', () => {
    assert.deepEqual(chooseOrganization('gone', [environment, a], 'read'), { missing: 'chooseOne' });
    assert.deepEqual(chooseOrganization('gone', [a], 'read'), { missing: 'chooseOne' });
    assert.deepEqual(chooseOrganization('gone', [], 'read'), { missing: 'notSignedIn' });
    assert.deepEqual(chooseOrganization('environment', [a], 'read'), { missing: 'chooseOne' });
  });

  it("is, if none was chosen, the environment's, else the only one, else none", () => {
    assert.deepEqual(chooseOrganization(undefined, [environment, a], 'read'), { current: environment });
    assert.deepEqual(chooseOrganization(undefined, [a], 'read'), { current: a });
    assert.deepEqual(chooseOrganization(undefined, [a, b], 'read'), { missing: 'chooseOne' });
    assert.deepEqual(chooseOrganization(undefined, [], 'read'), { missing: 'notSignedIn' });
  });

  it('does not wait for the keyring if the environment decides', () => {
    assert.deepEqual(chooseOrganization(undefined, [environment], 'loading'), { current: environment });
    assert.deepEqual(chooseOrganization('environment', [environment], 'loading'), { current: environment });
    assert.deepEqual(chooseOrganization('a', [environment], 'loading'), { missing: 'loading' });
    assert.deepEqual(chooseOrganization(undefined, [], 'loading'), { missing: 'loading' });
  });

  it('is, while the keyring cannot be read, the chosen one or none', () => {
    assert.deepEqual(chooseOrganization('a', [a], 'unreadable'), { current: a });
    assert.deepEqual(chooseOrganization(undefined, [a], 'unreadable'), { missing: 'unreadable' });
  });
});

describe('names of organizations', () => {
  it('are the same regardless of case and of how a character is composed', () => {
    assert.ok(sameName('Acme', ' aCME '));
    assert.ok(sameName('Straße', 'STRASSE'));
    assert.ok(sameName('caf\u00e9', 'CAFE\u0301'));
    assert.ok(!sameName('Acme', 'Acme 2'));
  });

  it('are refused if empty, too long, reserved, or taken by another base URL', () => {
    const acme = organization('1', 'Acme');
    assert.deepEqual(nameProblem('  ', here, []), { kind: 'empty' });
    assert.deepEqual(nameProblem('x'.repeat(101), here, []), { kind: 'tooLong' });
    assert.deepEqual(nameProblem('Environment', here, []), { kind: 'reserved' });
    assert.deepEqual(nameProblem('ACME', there, [acme]), { kind: 'taken', organization: acme });
    assert.equal(nameProblem('ACME', here, [acme]), undefined);
    assert.equal(nameProblem('Other', there, [acme]), undefined);
  });

  it('are in order, the environment first, and never twice the same', () => {
    const names = inOrder([
      organization('2', 'beta'),
      organization('9', 'Environment'),
      organization('4', 'ACME'),
      organization('3', 'Acme'),
      organization('environment', 'environment', 'environment'),
    ]).map(({ id, name }) => `${id} ${name}`);
    assert.deepEqual(names, ['environment environment', '3 Acme', '4 ACME (2)', '2 beta', '9 Environment (2)']);
  });
});

describe('an organization as a secret', () => {
  const stored = { id: '1', name: 'Acme', baseUrl: 'https://host.example/api/v1', token: 'tok', sessionToken: 'ses' };

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
