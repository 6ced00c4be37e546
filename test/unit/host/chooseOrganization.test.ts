import { strict as assert } from 'node:assert';
import { chooseOrganization } from '../../../src/host/chooseOrganization.js';
import type { Organization } from '../../../src/host/organization.js';

const organization = (id: string, source: Organization['source'] = 'keyring'): Organization => ({
  id,
  name: id,
  baseUrl: 'https://host.example/api/v1',
  source,
  hasSessionToken: false,
});
const environment = organization('environment', 'environment');
const a = organization('a');
const b = organization('b');

describe('the current organization of a workspace', () => {
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
