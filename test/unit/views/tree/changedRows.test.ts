import { strict as assert } from 'node:assert';
import type { Deployment } from '../../../../src/model/deployment.js';
import type { DeploymentElement } from '../../../../src/model/tree/elements.js';
import { ChangedRows } from '../../../../src/views/tree/changedRows.js';

function rowOf(id: string): DeploymentElement {
  const deployment: Deployment = { id, name: id, state: 'satisfied', activity: 'idle' };
  return { kind: 'deployment', id: `deployment:${id}`, copyId: id, deployment };
}

const ids = Array.from({ length: 10_000 }, (_, at) => `dep_${at}`);
/** Of ten thousand. */
const most = 40;

describe('changed rows', () => {
  const rows = new Map(ids.map((id) => [id, rowOf(id)]));
  let count: number;
  let more: boolean;
  let news: Set<string>;
  let selection: DeploymentElement[];
  let changed: ChangedRows;

  beforeEach(() => {
    count = ids.length;
    more = true;
    news = new Set();
    selection = [];
    changed = new ChangedRows({
      rowOf: (id) => rows.get(id),
      count: () => count,
      more: () => more,
      selection: () => selection,
      isNews: ({ deployment }) => news.has(deployment.id),
    });
  });

  const take = () => {
    const taken = changed.take();
    return taken === 'all' ? taken : taken.map(({ deployment }) => deployment.id);
  };

  it('are named as they come where they are few among few', () => {
    count = 100;
    changed.add(ids.slice(0, 100));
    assert.deepEqual(take(), ids.slice(0, 100));
    assert.deepEqual(take(), []);
  });

  it('are no more than a hundred at a time, however few are beside them', () => {
    count = 101;
    changed.add(ids.slice(0, 101));
    assert.deepEqual(take(), ids.slice(0, 100));
    assert.deepEqual(take(), ['dep_100']);
  });

  it('are left out where they are not listed', () => {
    changed.add(['dep_1', 'gone']);
    assert.deepEqual(take(), ['dep_1']);
  });

  it('wait while more is coming, news before the rest, each once', () => {
    changed.add(ids.slice(0, 100));
    news = new Set(['dep_70', 'dep_99']);
    const first = take();
    assert.deepEqual(first, ['dep_70', 'dep_99', ...ids.slice(0, most - 2)]);
    const second = take();
    // Number 70 was named before.
    assert.deepEqual(
      second,
      ids.slice(most - 2, 2 * most - 1).filter((id) => id !== 'dep_70'),
    );
  });

  it('are named first where somebody has selected them', () => {
    changed.add(ids);
    news = new Set(ids.slice(0, 100));
    selection = [rows.get('dep_9000')!, rows.get('dep_8000')!];
    assert.deepEqual(take(), ['dep_8000', 'dep_9000', ...ids.slice(0, most - 2)]);
  });

  it('say whether some of them wait', () => {
    changed.add(ids.slice(0, most + 1));
    assert.equal(changed.waiting, true);
    take();
    assert.equal(changed.waiting, true);
    take();
    assert.equal(changed.waiting, false);
  });

  it('wait even if all of them are news', () => {
    news = new Set(ids);
    changed.add(ids);
    assert.deepEqual(take(), ids.slice(0, most));
  });

  it('become a question for everything when nothing more is coming', () => {
    changed.add(ids);
    take();
    more = false;
    assert.equal(take(), 'all');
    assert.deepEqual(take(), []);
  });

  it('are forgotten when everything is asked for anyway', () => {
    changed.add(ids);
    changed.clear();
    assert.deepEqual(take(), []);
  });

  it('come one by one among more than anybody has', () => {
    count = 10_000_000;
    changed.add(['dep_1', 'dep_2']);
    assert.deepEqual(take(), ['dep_1']);
  });
});
