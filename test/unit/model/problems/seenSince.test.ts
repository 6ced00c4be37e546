import assert from 'node:assert/strict';
import { type SeenRecord, SeenSince } from '../../../../src/model/problems/seenSince.js';

function see(seen: SeenSince, deploymentId: string, keys: readonly string[], now: number, organizationId = 'org') {
  const answer = seen.answer(organizationId, deploymentId, now);
  const times = keys.map((key) => answer.see(key));
  const unremembered = answer.end();
  return keys.map((key, index) => ({ at: times[index], known: !unremembered.has(key) }));
}

function create(initial: SeenRecord = {}, limit?: number) {
  const saved: SeenRecord[] = [];
  const seen = new SeenSince({
    initial,
    save: (record) => saved.push(record),
    ...(limit !== undefined && { limit }),
  });
  return { seen, saved };
}

describe('SeenSince', () => {
  it('remembers the first time, in this session and the next', () => {
    const { seen, saved } = create();
    assert.deepEqual(see(seen, 'd', ['k'], 1), [{ at: 1, known: false }]);
    assert.deepEqual(see(seen, 'd', ['k', 'l'], 2), [
      { at: 1, known: true },
      { at: 2, known: false },
    ]);
    seen.flush();
    const next = create(saved[0]).seen;
    assert.deepEqual(see(next, 'd', ['l', 'k'], 9), [
      { at: 2, known: true },
      { at: 1, known: true },
    ]);
  });

  it('forgets what a good answer no longer has, also from before a restart', () => {
    const { seen, saved } = create();
    see(seen, 'd', ['k', 'l'], 1);
    see(seen, 'e', ['k'], 1);
    seen.flush();
    const next = create(saved[0]);
    see(next.seen, 'd', ['l'], 2);
    next.seen.flush();
    assert.equal(Object.keys(next.saved[0] ?? {}).length, 2);
    assert.deepEqual(see(next.seen, 'd', ['k'], 3), [{ at: 3, known: false }]);
    assert.deepEqual(see(next.seen, 'e', ['k'], 3), [{ at: 1, known: true }]);
  });

  it('keeps organizations apart, and forgets one that is signed out', () => {
    const { seen } = create();
    see(seen, 'd', ['k'], 1, 'org_a');
    assert.deepEqual(see(seen, 'd', ['k'], 2, 'org_b'), [{ at: 2, known: false }]);
    seen.keepOrganizations(['org_b', 'org_c']);
    assert.deepEqual(see(seen, 'd', ['k'], 3, 'org_b'), [{ at: 2, known: true }]);
    assert.deepEqual(see(seen, 'd', ['k'], 3, 'org_a'), [{ at: 3, known: false }]);
  });

  it('writes no id, and only when something changed', () => {
    const { seen, saved } = create();
    see(seen, 'dep_secretive', ['dep_secretive account acc_1'], 1, 'org_1');
    seen.flush();
    seen.flush();
    see(seen, 'dep_secretive', ['dep_secretive account acc_1'], 2, 'org_1');
    seen.flush();
    assert.equal(saved.length, 1);
    assert.doesNotMatch(JSON.stringify(saved), /dep|acc|org/);
  });

  it('stays within its limit, least recently confirmed first', () => {
    const { seen, saved } = create({}, 3);
    for (const [index, id] of ['a', 'b', 'c'].entries()) see(seen, id, ['k'], index);
    see(seen, 'a', ['k'], 10);
    see(seen, 'd', ['k'], 11);
    seen.flush();
    assert.equal(Object.keys(saved[0] ?? {}).length, 3);
    assert.deepEqual(see(seen, 'a', ['k'], 12), [{ at: 0, known: true }]);
    assert.deepEqual(see(seen, 'b', ['k'], 12), [{ at: 12, known: false }]);
  });

  it('takes nothing but times from a state that somebody else wrote', () => {
    const { seen, saved } = create({ ['x'.repeat(22)]: Number.NaN, ['y'.repeat(22)]: 5 });
    see(seen, 'd', ['k'], 1);
    seen.flush();
    assert.deepEqual(Object.values(saved[0] ?? {}), [5, 1]);
  });
});
