import { strict as assert } from 'node:assert';
import type { DeploymentElement } from '../../../../src/model/tree/elements.js';
import { takeChangedRows } from '../../../../src/views/tree/changedRows.js';

const ids = Array.from({ length: 10_000 }, (_, at) => `dep_${at}`);
const rows = new Map(
  ids.map((id): [string, DeploymentElement] => {
    const deployment = { id, name: id, state: 'satisfied', activity: 'idle' } as const;
    return [id, { kind: 'deployment', id: `deployment:${id}`, copyId: id, deployment }];
  }),
);
/** Of ten thousand. */
const most = 40;

describe('changed rows', () => {
  let changed: Set<string>;

  const take = (situation: Partial<Parameters<typeof takeChangedRows>[1]> = {}) => {
    const taken = takeChangedRows(changed, {
      rowOf: (id) => rows.get(id),
      count: ids.length,
      more: true,
      selection: [],
      ...situation,
    });
    return taken === 'all' ? taken : taken.map(({ deployment }) => deployment.id);
  };

  it('are at most a hundred at a time, fewer among many, and only those that are listed', () => {
    changed = new Set(['gone', ...ids.slice(0, 101)]);
    assert.deepEqual(take({ count: 101 }), ids.slice(0, 100));
    assert.deepEqual(take({ count: 101 }), ['dep_100']);
    changed = new Set(ids.slice(0, most + 2));
    assert.deepEqual(take(), ids.slice(0, most));
    assert.deepEqual(take({ count: 10_000_000 }), [ids[most]]);
    assert.equal(changed.size, 1);
    assert.deepEqual(take(), [ids[most + 1]]);
    assert.equal(changed.size, 0);
  });

  it('are named first, and once, where somebody has selected them', () => {
    changed = new Set(ids);
    const selection = [rows.get('dep_9000')!, rows.get('dep_8000')!];
    assert.deepEqual(take({ selection }), ['dep_8000', 'dep_9000', ...ids.slice(0, most - 2)]);
    assert.deepEqual(take({ selection }), ids.slice(most - 2, 2 * most - 2));
  });

  it('become a question for everything when nothing more is coming', () => {
    changed = new Set(ids);
    take();
    assert.equal(take({ more: false }), 'all');
  });
});
