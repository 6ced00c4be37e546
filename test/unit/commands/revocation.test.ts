import { strict as assert } from 'node:assert';
import type { Target } from '../../../src/api/send.js';
import { isStillMeant } from '../../../src/commands/meant.js';
import type { Organization } from '../../../src/host/organizations/organization.js';

const baseUrl = 'https://host.example/api/v1';
const acme: Organization = { id: 'a', name: 'Acme', baseUrl, source: 'keyring', hasSessionToken: false };
const target: Target = { organizationId: 'a', baseUrl, token: 'tok_1' };

describe('a revocation', () => {
  for (const [what, current, now] of [
    ['nothing changed', { ...acme }, { ...target }],
    ['a switch', { ...acme, id: 'b' }, target],
    ['none being left', undefined, target],
    ['a sign-out', acme, undefined],
    ['another token', acme, { ...target, token: 'tok_2' }],
    ['another base URL', acme, { ...target, baseUrl: 'https://other.example/api/v1' }],
    ['another name', { ...acme, name: 'Acme 2' }, target],
  ] as const) {
    const isMeant = what === 'nothing changed';
    it(`is ${isMeant ? 'still' : 'not'} meant after ${what}`, () => {
      assert.equal(isStillMeant({ organization: acme, target }, { current, target: () => now }), isMeant);
    });
  }
});
