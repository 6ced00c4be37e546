import assert from 'node:assert/strict';
import { type SeenRecord, SeenSince } from '../../../../src/model/problems/seenSince.js';

function create(initial: SeenRecord = {}, limit?: number) {
  const saved: SeenRecord[] = [];
  const seen = new SeenSince({ initial, save: (record) => saved.push(record), limit });
  /** The keys that were remembered, and since when each is seen. */
  const see = (deploymentId: string, keys: string, now: number, organizationId = 'org') => {
    const answer = seen.answer(organizationId, deploymentId, now);
    const times = Array.from(keys, (key) => answer.see(key));
    const unremembered = answer.end();
    return [keys.replace(/./g, (key) => (unremembered.has(key) ? '' : key)), ...times];
  };
  return { seen, see, saved, times: () => saved.map(Object.values) as unknown[], next: () => create(saved.at(-1)) };
}

describe('SeenSince', () => {
  it('remembers the first time, in this session and the next', () => {
    const { seen, see, next } = create();
    assert.deepEqual(see('d', 'k', 1), ['', 1]);
    assert.deepEqual(see('d', 'kl', 2), ['k', 1, 2]);
    seen.flush();
    assert.deepEqual(next().see('d', 'lk', 9), ['lk', 2, 1]);
  });

  it('forgets what a good answer no longer has, also from before a restart', () => {
    const before = create();
    before.see('d', 'kl', 1);
    before.see('e', 'k', 1);
    before.seen.flush();
    const { seen, see, times } = before.next();
    see('d', 'l', 2);
    seen.flush();
    assert.deepEqual(times(), [[1, 1]]);
    assert.deepEqual([...see('d', 'k', 3), ...see('e', 'k', 3)], ['', 3, 'k', 1]);
  });

  it('keeps organizations apart, and forgets one that is signed out at once', () => {
    const { seen, see, times } = create();
    see('d', 'k', 1, 'org_a');
    assert.deepEqual(see('d', 'k', 2, 'org_b'), ['', 2]);
    seen.flush();
    seen.keepOrganizations(['org_b', 'org_c']);
    assert.deepEqual(times(), [[1, 2], [2]]);
    assert.deepEqual(see('d', 'k', 3, 'org_a'), ['', 3]);
  });

  it('writes no id, and only when something changed', () => {
    const { seen, see, saved } = create();
    for (const now of [1, 2]) {
      see('dep_secretive', 'k', now, 'org_1');
      seen.flush();
    }
    assert.equal(saved.length, 1);
    assert.doesNotMatch(JSON.stringify(saved), /dep|org/);
  });

  it('stays within its limit, least recently confirmed first', () => {
    const { seen, see, times } = create({}, 3);
    for (const [id, now] of Object.entries({ a: 0, b: 1, c: 2 })) see(id, 'k', now);
    see('a', 'k', 10);
    see('d', 'k', 11);
    seen.flush();
    assert.deepEqual(times(), [[2, 0, 11]]);
    assert.deepEqual(see('b', 'k', 12), ['', 12]);
  });

  it('takes nothing but times from a state that somebody else wrote', () => {
    const { seen, see, times } = create({ ['x'.repeat(22)]: Number.NaN, ['y'.repeat(22)]: 5 });
    see('d', 'k', 1);
    seen.flush();
    assert.deepEqual(times(), [[5, 1]]);
  });
});
