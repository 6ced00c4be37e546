import { strict as assert } from 'node:assert';
import type { Target } from '../../../src/api/send.js';
import { isStillMeant, type Known } from '../../../src/commands/meant.js';
import type { Organization } from '../../../src/host/organizations/organization.js';

const baseUrl = 'https://host.example/api/v1';
const acme: Organization = { id: 'a', name: 'Acme', baseUrl, source: 'keyring', hasSessionToken: false };
const target: Target = { organizationId: 'a', baseUrl, token: 'tok_1' };

const now = (current: Organization | undefined, of: Target | undefined): Known => ({ current, target: () => of });

describe('a revocation', () => {
  for (const [what, known] of [
    ['a switch', now({ ...acme, id: 'b' }, target)],
    ['none being left', now(undefined, target)],
    ['a sign-out', now(acme, undefined)],
    ['another token', now(acme, { ...target, token: 'tok_2' })],
    ['another base URL', now(acme, { ...target, baseUrl: 'https://other.example/api/v1' })],
    ['another name', now({ ...acme, name: 'Acme 2' }, target)],
  ] as const) {
    it(`is not meant any more after ${what}`, () => {
      assert.equal(isStillMeant({ organization: acme, target }, known), false);
    });
  }

  it('is still meant if nothing changed', () => {
    assert.equal(isStillMeant({ organization: acme, target }, now({ ...acme }, { ...target })), true);
  });
});
