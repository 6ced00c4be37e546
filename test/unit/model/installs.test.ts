import assert from 'node:assert/strict';
import { Installs } from '../../../src/model/installs.js';
import { answerOf } from '../../support/answers.js';

const now = Date.UTC(2026, 10, 20, 12);

function create() {
  const store = new Installs(() => now);
  const add = (token: string, label: string, organizationId = 'org', expiresAt?: string) => {
    const value = { label, ...(expiresAt !== undefined && { expiresAt }) };
    return store.add(token, organizationId, answerOf(value));
  };
  const labels = () => store.installs.map((install) => install.answer.value.label).join(', ');
  return { store, add, labels };
}

describe('Installs', () => {
  it('puts the soonest to expire first and the expired last', () => {
    const { store, add, labels } = create();
    for (const [label, expiresAt] of Object.entries({
      'expired long ago': '2026-11-20T10:00:00Z',
      'no date': 'tomorrow',
      later: '2026-11-20T14:00:00Z',
      'just expired': '2026-11-20T12:00:00Z',
      soon: '2026-11-20T14:30:00+02:00',
    })) {
      add(label, label, 'org', expiresAt);
    }
    assert.equal(labels(), 'soon, later, no date, just expired, expired long ago');
    assert.equal(store.installs[0]?.expiresAt, Date.UTC(2026, 10, 20, 12, 30));
  });

  it('replaces the entry of the same token, and keeps the token to itself', () => {
    const { store, add, labels } = create();
    const { id } = add('TOKEN-1', 'old');
    assert.equal(add('token-1', 'new').id, id);
    assert.equal(labels(), 'new');
    assert.doesNotMatch(JSON.stringify(store.installs), /token/i);
  });

  it('forgets one, and all of an organization, and tells only then', () => {
    const { store, add, labels } = create();
    const one = add('t1', 'one');
    add('t2', 'two');
    add('t2', 'three', 'other');
    let events = 0;
    store.onDidChange(() => events++);
    store.forget('unknown');
    store.forgetOrganization('nobody');
    assert.equal(events, 0);
    store.forget(one.id);
    assert.deepEqual([events, labels()], [1, 'two, three']);
    store.forgetOrganization('org');
    assert.deepEqual([events, labels()], [2, 'three']);
  });

  it('puts those of platforms with other clocks in the order in which they expire', () => {
    const { store, add, labels } = create();
    add('t1', 'in an hour', 'org', '2026-11-20T13:00:00Z');
    const value = { label: 'in half an hour', expiresAt: '2026-11-20T14:30:00Z' };
    store.add('t2', 'other', answerOf(value, { clockOffsetMs: 2 * 60 * 60_000 }));
    assert.equal(labels(), 'in half an hour, in an hour');
  });
});
