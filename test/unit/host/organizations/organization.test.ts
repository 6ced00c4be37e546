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
const organization = (id: string, name = id): Organization =>
  withoutTokens({ id, name, baseUrl, token: 'tok' });

describe('the current organization of a workspace', () => {
  const environment = organization('environment');
  const a = organization('a');
  const b = organization('b');

  for (const [name, chosen, organizations, state, expected] of [
    ['the chosen one', 'b', [environment, a, b], 'read', b],
    ['none, never another, if the chosen one is gone', 'gone', [a], 'read', 'chosenGone'],
    ['none if the only one, which was chosen, is gone', 'gone', [], 'read', 'chosenGone'],
    ['none if the chosen one of the environment is gone', 'environment', [a], 'read', 'chooseOne'],
    ["the environment's if none was chosen", undefined, [environment, a], 'read', environment],
    ['the only one if none was chosen', undefined, [a], 'read', a],
    ['none of several if none was chosen', undefined, [a, b], 'read', 'chooseOne'],
    ['none if there is none', undefined, [], 'read', 'notSignedIn'],
    [
      "the environment's before the keyring is read",
      undefined,
      [environment],
      'loading',
      environment,
    ],
    ['not known yet if it is in the keyring', 'a', [environment], 'loading', 'loading'],
    ["the environment's while the keyring waits", undefined, [environment], 'waiting', environment],
    ['in a keyring that waits', 'a', [environment], 'waiting', 'waiting'],
    ['the chosen one in a keyring that is read in part', 'a', [a], 'unreadable', a],
    ['not the only one that could be read', undefined, [a], 'unreadable', 'unreadable'],
  ] as const) {
    it(`is ${name}`, () =>
      assert.deepEqual(chooseOrganization(chosen, organizations, state), expected));
  }
});

describe('organizations', () => {
  it('have names that are the same regardless of case and of how a character is composed', () => {
    for (const [one, other] of [
      ['Acme', ' aCME '],
      ['Straße', 'STRASSE'],
      ['Acme', 'Ａｃｍｅ'],
      ['caf\u00e9', 'CAFE\u0301'],
    ] as const) {
      assert.ok(isSameName(one, other), other);
    }
    assert.ok(!isSameName('Acme', 'Acme 2'));
  });

  it('are in order, the environment first', () => {
    const named = [organization('2', 'beta'), organization('4', 'ACME'), organization('3', 'Acme')];
    const ids = sortOrganizations([...named, organization('environment')]).map(({ id }) => id);
    assert.deepEqual(ids, ['environment', '3', '4', '2']);
  });

  it('come back as they were written as a secret, or not at all, and give out no token', () => {
    const shown = { id: '1', name: 'Acme', baseUrl };
    const stored = { ...shown, token: 'tok', sessionToken: 'ses' };
    const { sessionToken: _, ...without } = stored;
    for (const one of [stored, without])
      assert.deepEqual(decodeOrganization('1', encodeOrganization(one)), one);
    const wrong = [
      '',
      'null',
      '[]',
      '{',
      JSON.stringify(shown),
      '{"name":1,"baseUrl":"x","token":"y"}',
    ];
    wrong.push(...['', 'with space', 'ü'].map((token) => JSON.stringify({ ...shown, token })));
    for (const text of wrong) assert.equal(decodeOrganization('1', text), undefined, text);
    assert.deepEqual(withoutTokens(stored), { ...shown, source: 'keyring', hasSessionToken: true });
  });
});
