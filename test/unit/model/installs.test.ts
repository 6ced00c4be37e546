import assert from 'node:assert/strict';
import type { Answer } from '../../../src/api/answer.js';
import type { IntegrationInstall } from '../../../src/api/install.js';
import { KnownSecrets } from '../../../src/api/secrets.js';
import { Installs } from '../../../src/model/installs.js';
import { ManualClock } from './manualClock.js';

const clock = new ManualClock(Date.UTC(2026, 10, 20, 12));

function answer(label: string, expiresAt?: string): Answer<IntegrationInstall> {
  return { value: { label, ...(expiresAt !== undefined && { expiresAt }) }, decodeIssues: [], receivedAt: 0 };
}

function create() {
  let events = 0;
  const secrets = new KnownSecrets();
  const store = new Installs(secrets, clock.now);
  store.onDidChange(() => events++);
  return {
    store,
    secrets,
    events: () => events,
    labels: () => store.installs.map((install) => install.answer.value.label),
  };
}

describe('Installs', () => {
  it('puts the soonest to expire first and the expired last', () => {
    const { store, labels } = create();
    store.add('t1', 'org', answer('expired long ago', '2026-11-20T10:00:00Z'));
    store.add('t2', 'org', answer('no date', 'tomorrow'));
    store.add('t3', 'org', answer('later', '2026-11-20T14:00:00Z'));
    store.add('t4', 'org', answer('just expired', '2026-11-20T11:59:00Z'));
    store.add('t5', 'org', answer('soon', '2026-11-20T14:30:00+02:00'));
    assert.deepEqual(labels(), ['soon', 'later', 'no date', 'just expired', 'expired long ago']);
    const soon = store.installs.find((install) => install.answer.value.label === 'soon');
    assert.equal(soon?.expiresAt, Date.UTC(2026, 10, 20, 12, 30));
  });

  it('replaces the entry of the same token, and keeps the token to itself', () => {
    const { store, labels } = create();
    const first = store.add('TOKEN-1', 'org', answer('old'));
    const second = store.add('token-1', 'org', answer('new'));
    assert.equal(second.id, first.id);
    assert.deepEqual(labels(), ['new']);
    assert.equal(store.tokenOf(first.id), 'token-1');
    assert.doesNotMatch(JSON.stringify(store.installs), /token/i);
  });

  it('has tokens that no answer shows as long as they are listed', () => {
    const { store, secrets } = create();
    const token = '0a1b2c3d-0000-4000-8000-00000000000f';
    const shown = () => secrets.redactData(`<${token.toUpperCase()}>`) !== '<[redacted]>';
    const first = store.add(token, 'org', answer('one'));
    store.add(token.toUpperCase(), 'org', answer('one again'));
    const second = store.add(token, 'other', answer('two'));
    assert.ok(!shown());
    store.forget(first.id);
    assert.ok(!shown());
    store.forget(second.id);
    assert.ok(shown());
    store.add(token, 'org', answer('three'));
    assert.ok(!shown());
    store.forgetOrganization('org');
    assert.ok(shown());
  });

  it('forgets one, and all of an organization, and tells only then', () => {
    const { store, events, labels } = create();
    const one = store.add('t1', 'org', answer('one'));
    store.add('t2', 'org', answer('two'));
    store.add('t2', 'other', answer('three'));
    store.forget('unknown');
    store.forgetOrganization('nobody');
    assert.equal(events(), 3);
    store.forget(one.id);
    assert.equal(store.tokenOf(one.id), undefined);
    store.forgetOrganization('org');
    assert.equal(events(), 5);
    assert.deepEqual(labels(), ['three']);
  });
});
