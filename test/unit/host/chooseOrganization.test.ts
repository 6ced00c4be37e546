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
    assert.deepEqual(chooseOrganization('b', [environment, a, b], true), { current: b });
    assert.deepEqual(chooseOrganization('environment', [environment, a], true), { current: environment });
  });

  it('is none, never another, if the chosen one is gone', () => {
    assert.deepEqual(chooseOrganization('gone', [environment, a], true), { missing: 'chooseOne' });
    assert.deepEqual(chooseOrganization('gone', [a], true), { missing: 'chooseOne' });
    assert.deepEqual(chooseOrganization('gone', [], true), { missing: 'notSignedIn' });
    assert.deepEqual(chooseOrganization('environment', [a], true), { missing: 'chooseOne' });
  });

  it("is, if none was chosen, the environment's, else the only one, else none", () => {
    assert.deepEqual(chooseOrganization(undefined, [environment, a], true), { current: environment });
    assert.deepEqual(chooseOrganization(undefined, [a], true), { current: a });
    assert.deepEqual(chooseOrganization(undefined, [a, b], true), { missing: 'chooseOne' });
    assert.deepEqual(chooseOrganization(undefined, [], true), { missing: 'notSignedIn' });
  });

  it('does not wait for the keyring if the environment decides', () => {
    assert.deepEqual(chooseOrganization(undefined, [environment], false), { current: environment });
    assert.deepEqual(chooseOrganization('environment', [environment], false), { current: environment });
    assert.deepEqual(chooseOrganization('a', [environment], false), { missing: 'loading' });
    assert.deepEqual(chooseOrganization(undefined, [], false), { missing: 'loading' });
  });
});
