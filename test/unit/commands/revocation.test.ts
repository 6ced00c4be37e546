import { strict as assert } from 'node:assert';
import type { Target } from '../../../src/api/send.js';
import { isStillMeant, type Known, revocationTarget } from '../../../src/commands/meant.js';
import type { Organization } from '../../../src/host/organizations/organization.js';

const baseUrl = 'https://host.example/api/v1';
const acme: Organization = { id: 'a', name: 'Acme', baseUrl, source: 'keyring', hasSessionToken: false };
const other: Organization = { ...acme, id: 'b', name: 'Other' };

function organizations(current: Organization | undefined, target: Target | undefined): Known {
  return { current, target: () => target };
}

describe('a revocation', () => {
  const target: Target = { organizationId: 'a', baseUrl, token: 'tok_1' };
  const meant = revocationTarget(organizations(acme, target), acme);

  it('is still meant if nothing changed', () => {
    assert.ok(meant);
    assert.equal(isStillMeant(meant, organizations({ ...acme }, { ...target })), true);
  });

  it('is not meant any more after a switch, a sign-out, another token, URL or name', () => {
    assert.ok(meant);
    const cases: readonly (readonly [string, Known])[] = [
      ['switched', organizations(other, target)],
      ['none', organizations(undefined, target)],
      ['signed out', organizations(acme, undefined)],
      ['token', organizations(acme, { ...target, token: 'tok_2' })],
      ['url', organizations(acme, { ...target, baseUrl: 'https://other.example/api/v1' })],
      ['name', organizations({ ...acme, name: 'Acme 2' }, target)],
    ];
    for (const [what, now] of cases) assert.equal(isStillMeant(meant, now), false, what);
  });

  it('has no target if the secret is gone', () => {
    assert.equal(revocationTarget(organizations(acme, undefined), acme), undefined);
  });
});
