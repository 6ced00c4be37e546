import assert from 'node:assert/strict';
import { Installs } from '../../../src/model/installs.js';
import { answerOf } from '../../support/answers.js';

const now = Date.UTC(2026, 10, 20, 12);

/** Creates a list of installs; `add` adds one of a token, and `labels` lists them in their order. */
function create() {
  const store = new Installs(() => now);
  const add = (token: string, label: string, organizationId = 'org', expiresAt?: string) => {
    const value = { label, ...(expiresAt !== undefined && { expiresAt }) };
    return store.add(token, organizationId, answerOf(value));
  };
  const labels = () => store.installs.map((install) => install.answer.value.label);
  return { store, add, labels };
}

/** Creates a list with two installs of the organization `org` and one of `other`. */
function createWithThree() {
  const { store, add, labels } = create();
  const { id } = add('t1', 'one');
  add('t2', 'two');
  add('t2', 'three', 'other');
  let changes = 0;
  store.onDidChange(() => {
    changes += 1;
  });
  return { store, labels, firstId: id, changeCount: () => changes };
}

describe('the list of installs', () => {
  it('is sorted by expiry with the expired installs last', () => {
    const { add, labels } = create();
    for (const [label, expiresAt] of Object.entries({
      'expired long ago': '2026-11-20T10:00:00Z',
      'no date': 'tomorrow',
      later: '2026-11-20T14:00:00Z',
      'just expired': '2026-11-20T12:00:00Z',
      soon: '2026-11-20T14:30:00+02:00',
    })) {
      add(label, label, 'org', expiresAt);
    }
    assert.deepEqual(labels(), ['soon', 'later', 'no date', 'just expired', 'expired long ago']);
  });

  it('is sorted by expiry when the platforms have other clocks', () => {
    const { store, add, labels } = create();
    add('t1', 'in an hour', 'org', '2026-11-20T13:00:00Z');
    const value = { label: 'in half an hour', expiresAt: '2026-11-20T14:30:00Z' };
    store.add('t2', 'other', answerOf(value, { clockOffsetMs: 2 * 60 * 60_000 }));
    assert.deepEqual(labels(), ['in half an hour', 'in an hour']);
  });

  it('has the expiry as a moment whatever the offset of its text', () => {
    const { store, add } = create();
    add('t1', 'soon', 'org', '2026-11-20T14:30:00+02:00');
    assert.equal(store.installs[0]?.expiresAt, Date.UTC(2026, 10, 20, 12, 30));
  });

  it('has only the newest answer for a token', () => {
    const { add, labels } = create();
    add('TOKEN-1', 'old');
    add('token-1', 'new');
    assert.deepEqual(labels(), ['new']);
  });

  it('keeps the ID of an install when its token is looked up again', () => {
    const { add } = create();
    const { id } = add('TOKEN-1', 'old');
    assert.equal(add('token-1', 'new').id, id);
  });

  it('contains no token', () => {
    const { store, add } = create();
    add('TOKEN-1', 'old');
    assert.doesNotMatch(JSON.stringify(store.installs), /token/i);
  });

  it('loses one install when that is forgotten', () => {
    const { store, labels, firstId } = createWithThree();
    store.forget(firstId);
    assert.deepEqual(labels(), ['two', 'three']);
  });

  it('reports a change when an install is forgotten', () => {
    const { store, firstId, changeCount } = createWithThree();
    store.forget(firstId);
    assert.equal(changeCount(), 1);
  });

  it('loses all installs of an organization that is forgotten', () => {
    const { store, labels } = createWithThree();
    store.forgetOrganization('org');
    assert.deepEqual(labels(), ['three']);
  });

  it('reports a change when an organization with one install is forgotten', () => {
    const { store, changeCount } = createWithThree();
    store.forgetOrganization('other');
    assert.equal(changeCount(), 1);
  });

  it('reports no change when an unknown install is forgotten', () => {
    const { store, changeCount } = createWithThree();
    store.forget('unknown');
    assert.equal(changeCount(), 0);
  });

  it('reports no change when an unknown organization is forgotten', () => {
    const { store, changeCount } = createWithThree();
    store.forgetOrganization('unknown');
    assert.equal(changeCount(), 0);
  });
});
