import { strict as assert } from 'node:assert';
import type { Organization } from '../../../src/host/organization.js';
import { nameProblem, sameName } from '../../../src/host/organizationName.js';
import { inOrder } from '../../../src/host/organizationOrder.js';

const here = 'https://here.example/api/v1';
const there = 'https://there.example/api/v1';
const organization = (id: string, name: string, source: Organization['source'] = 'keyring'): Organization => ({
  id,
  name,
  baseUrl: here,
  source,
  hasSessionToken: false,
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
