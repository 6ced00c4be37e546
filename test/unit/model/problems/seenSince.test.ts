import assert from 'node:assert/strict';
import { type SeenRecord, SeenSince } from '../../../../src/model/problems/seenSince.js';

/** Those that were remembered, and since when each is seen. */
function see(seen: SeenSince, deploymentId: string, keys: string, now: number, organizationId = 'org') {
  const answer = seen.answer(organizationId, deploymentId, now);
  const times = Array.from(keys, (key) => answer.see(key));
  const unremembered = answer.end();
  return [
    Array.from(keys)
      .filter((key) => !unremembered.has(key))
      .join(''),
    ...times,
  ];
}

function create(initial: SeenRecord = {}, limit?: number) {
  const saved: SeenRecord[] = [];
  return { seen: new SeenSince({ initial, save: (record) => saved.push(record), limit }), saved };
}

describe('SeenSince', () => {
  it('remembers the first time, in this session and the next', () => {
    const { seen, saved } = create();
    assert.deepEqual(see(seen, 'd', 'k', 1), ['', 1]);
    assert.deepEqual(see(seen, 'd', 'kl', 2), ['k', 1, 2]);
    seen.flush();
    assert.deepEqual(see(create(saved[0]).seen, 'd', 'lk', 9), ['lk', 2, 1]);
  });

  it('forgets what a good answer no longer has, also from before a restart', () => {
    const { seen, saved } = create();
    see(seen, 'd', 'kl', 1);
    see(seen, 'e', 'k', 1);
    seen.flush();
    const next = create(saved[0]);
    see(next.seen, 'd', 'l', 2);
    next.seen.flush();
    assert.equal(Object.keys(next.saved[0] ?? {}).length, 2);
    assert.deepEqual(see(next.seen, 'd', 'k', 3), ['', 3]);
    assert.deepEqual(see(next.seen, 'e', 'k', 3), ['k', 1]);
  });

  it('keeps organizations apart, and forgets one that is signed out at once', () => {
    const { seen, saved } = create();
    see(seen, 'd', 'k', 1, 'org_a');
    assert.deepEqual(see(seen, 'd', 'k', 2, 'org_b'), ['', 2]);
    seen.flush();
    seen.keepOrganizations(['org_b', 'org_c']);
    assert.deepEqual(saved.map(Object.values), [[1, 2], [2]]);
    assert.deepEqual(see(seen, 'd', 'k', 3, 'org_b'), ['k', 2]);
    assert.deepEqual(see(seen, 'd', 'k', 3, 'org_a'), ['', 3]);
  });

  it('writes no id, and only when something changed', () => {
    const { seen, saved } = create();
    for (const now of [1, 2]) {
      see(seen, 'dep_secretive', 'k', now, 'org_1');
      seen.flush();
      seen.flush();
    }
    assert.equal(saved.length, 1);
    assert.doesNotMatch(JSON.stringify(saved), /dep|org/);
  });

  it('stays within its limit, least recently confirmed first', () => {
    const { seen, saved } = create({}, 3);
    for (const [index, id] of ['a', 'b', 'c'].entries()) see(seen, id, 'k', index);
    see(seen, 'a', 'k', 10);
    see(seen, 'd', 'k', 11);
    seen.flush();
    assert.deepEqual(saved.map(Object.values), [[2, 0, 11]]);
    assert.deepEqual(see(seen, 'b', 'k', 12), ['', 12]);
  });

  it('takes nothing but times from a state that somebody else wrote', () => {
    const { seen, saved } = create({ ['x'.repeat(22)]: Number.NaN, ['y'.repeat(22)]: 5 });
    see(seen, 'd', 'k', 1);
    seen.flush();
    assert.deepEqual(saved.map(Object.values), [[5, 1]]);
  });
});
