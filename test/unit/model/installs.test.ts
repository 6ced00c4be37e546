import assert from 'node:assert/strict';
import type { Answer } from '../../../src/api/answer.js';
import type { IntegrationInstall } from '../../../src/api/install.js';
import { KnownSecrets } from '../../../src/api/secrets.js';
import { Installs } from '../../../src/model/installs.js';

const now = Date.UTC(2026, 10, 20, 12);

function answer(label: string, expiresAt?: string): Answer<IntegrationInstall> {
  return { value: { label, ...(expiresAt !== undefined && { expiresAt }) }, decodeIssues: [], receivedAt: 0 };
}

describe('Installs', () => {
  let secrets: KnownSecrets;
  let store: Installs;
  let events: number;
  beforeEach(() => {
    secrets = new KnownSecrets();
    store = new Installs(secrets, () => now);
    events = 0;
    store.onDidChange(() => events++);
  });

  const labels = () => store.installs.map((install) => install.answer.value.label);

  it('puts the soonest to expire first and the expired last', () => {
    for (const [label, expiresAt] of [
      ['expired long ago', '2026-11-20T10:00:00Z'],
      ['no date', 'tomorrow'],
      ['later', '2026-11-20T14:00:00Z'],
      ['just expired', '2026-11-20T12:00:00Z'],
      ['soon', '2026-11-20T14:30:00+02:00'],
    ] as const) {
      store.add(label, 'org', answer(label, expiresAt));
    }
    assert.deepEqual(labels(), ['soon', 'later', 'no date', 'just expired', 'expired long ago']);
    assert.equal(store.installs[0]?.expiresAt, Date.UTC(2026, 10, 20, 12, 30));
  });

  it('replaces the entry of the same token, and keeps the token to itself', () => {
    const first = store.add('TOKEN-1', 'org', answer('old'));
    const second = store.add('token-1', 'org', answer('new'));
    assert.equal(second.id, first.id);
    assert.deepEqual(labels(), ['new']);
    assert.equal(store.tokenOf(first.id), 'token-1');
    assert.doesNotMatch(JSON.stringify(store.installs), /token/i);
  });

  it('has tokens that no answer shows as long as they are listed', () => {
    const token = '0a1b2c3d-0000-4000-8000-00000000000f';
    const isShown = () => secrets.redactData(`<${token.toUpperCase()}>`) !== '<[redacted]>';
    const first = store.add(token, 'org', answer('one'));
    store.add(token.toUpperCase(), 'org', answer('one again'));
    const second = store.add(token, 'other', answer('two'));
    store.forget(first.id);
    assert.ok(!isShown());
    store.forget(second.id);
    assert.ok(isShown());
    store.add(token, 'org', answer('three'));
    store.dispose();
    assert.ok(isShown());
  });

  it('forgets one, and all of an organization, and tells only then', () => {
    const one = store.add('t1', 'org', answer('one'));
    store.add('t2', 'org', answer('two'));
    store.add('t2', 'other', answer('three'));
    store.forget('unknown');
    store.forgetOrganization('nobody');
    assert.equal(events, 3);
    store.forget(one.id);
    assert.equal(store.tokenOf(one.id), undefined);
    store.forgetOrganization('org');
    assert.equal(events, 5);
    assert.deepEqual(labels(), ['three']);
  });
});
