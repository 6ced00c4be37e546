import { strict as assert } from 'node:assert';
import {
  chooseOrganization,
  decodeOrganization,
  encodeOrganization,
  isSameName,
  type Organization,
  sortOrganizations,
  withoutTokens,
} from '../../../../src/host/organizations/organization.js';

const baseUrl = 'https://here.example/api/v1';
/** An organization without its tokens, as the rest of the extension gets it. */
const organization = (id: string, name = id): Organization =>
  withoutTokens({ id, name, baseUrl, token: 'tok' });

describe('the current organization of a workspace', () => {
  const environment = organization('environment');
  const a = organization('a');
  const b = organization('b');

  for (const [title, chosenId, organizations, keyring, expected] of [
    ['is the chosen one', 'b', [environment, a, b], 'read', b],
    ['is never another one when the chosen one is gone', 'gone', [a], 'read', 'chosenGone'],
    ['is none when the only one was chosen and is gone', 'gone', [], 'read', 'chosenGone'],
    [
      'is none when the chosen one of the environment is gone',
      'environment',
      [a],
      'read',
      'chooseOne',
    ],
    [
      'is the one of the environment when none was chosen',
      undefined,
      [environment, a],
      'read',
      environment,
    ],
    ['is the only one when none was chosen', undefined, [a], 'read', a],
    ['is none of several when none was chosen', undefined, [a, b], 'read', 'chooseOne'],
    ['is none when there is none', undefined, [], 'read', 'notSignedIn'],
    [
      'is the one of the environment before the keyring is read',
      undefined,
      [environment],
      'loading',
      environment,
    ],
    ['is unknown before the keyring is read', 'a', [environment], 'loading', 'loading'],
    [
      'is the one of the environment while the keyring waits',
      undefined,
      [environment],
      'waiting',
      environment,
    ],
    ['is unknown while the keyring waits', 'a', [environment], 'waiting', 'waiting'],
    ['is the chosen one when the keyring is read in part', 'a', [a], 'unreadable', a],
    [
      'is not the only one when the keyring is read in part',
      undefined,
      [a],
      'unreadable',
      'unreadable',
    ],
  ] as const) {
    it(title, () => {
      assert.deepEqual(chooseOrganization(chosenId, organizations, keyring), expected);
    });
  }
});

describe('the names of two organizations', () => {
  for (const [one, other] of [
    ['Acme', ' aCME '],
    ['Straße', 'STRASSE'],
    ['Acme', 'Ａｃｍｅ'],
    ['caf\u00e9', 'CAFE\u0301'],
  ] as const) {
    it(`are the same when they are “${one}” and “${other}”`, () => {
      assert.equal(isSameName(one, other), true);
    });
  }

  it('differ when one has a number more', () => {
    assert.equal(isSameName('Acme', 'Acme 2'), false);
  });
});

it('organizations are sorted by name behind the environment', () => {
  const named = [organization('2', 'beta'), organization('4', 'ACME'), organization('3', 'Acme')];
  const sortedIds = sortOrganizations([...named, organization('environment')]).map(({ id }) => id);
  assert.deepEqual(sortedIds, ['environment', '3', '4', '2']);
});

describe('an organization in the keyring', () => {
  const shown = { id: '1', name: 'Acme', baseUrl };

  for (const [what, stored] of [
    ['both tokens', { ...shown, token: 'tok', sessionToken: 'ses' }],
    ['an API token only', { ...shown, token: 'tok' }],
  ] as const) {
    it(`is read as it was written with ${what}`, () => {
      assert.deepEqual(decodeOrganization('1', encodeOrganization(stored)), stored);
    });
  }

  const withToken = (token: string) => JSON.stringify({ ...shown, token });
  for (const [what, secret] of [
    ['is empty', ''],
    ['is null', 'null'],
    ['is a list', '[]'],
    ['is no JSON', '{'],
    ['has no token', JSON.stringify(shown)],
    ['has a number as the name', '{"name":1,"baseUrl":"x","token":"y"}'],
    ['has an empty token', withToken('')],
    ['has a space in its token', withToken('with space')],
    ['has a “ü” in its token', withToken('ü')],
  ] as const) {
    it(`is none when the secret ${what}`, () => {
      assert.equal(decodeOrganization('1', secret), undefined);
    });
  }

  it('gives out no token', () => {
    const stored = { ...shown, token: 'tok', sessionToken: 'ses' };
    const expected = { ...shown, source: 'keyring', hasSessionToken: true };
    assert.deepEqual(withoutTokens(stored), expected);
  });
});
