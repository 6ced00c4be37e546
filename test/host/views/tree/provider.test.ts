import { strict as assert } from 'node:assert';
import type { TreeElement } from '../../../../src/model/tree/elements.js';
import { DeploymentsProvider } from '../../../../src/views/tree/provider.js';
import { ManualClock } from '../../../unit/model/manualClock.js';
import { billing, deployment, type Situation, satisfied, sourceOf } from '../fixtures.js';

describe('the rows of the Deployments view', () => {
  let source: Situation;
  let provider: DeploymentsProvider;
  let events: (TreeElement[] | undefined)[];

  beforeEach(() => {
    source = sourceOf(
      deployment({ id: 'bad', authorization: billing }),
      deployment({ id: 'gone', failure: { kind: 'notFound', status: 404 } }),
      deployment({ id: 'good', authorization: satisfied }),
      deployment({ id: 'new' }),
    );
    provider = new DeploymentsProvider(source);
    events = [];
    provider.onDidChangeTreeData((event) => events.push(event));
  });
  afterEach(() => provider.dispose());

  /** What the events so far named. */
  const named = () => events.splice(0).map((event) => event?.map(({ copyId }) => copyId) ?? 'all');
  const labels = () => provider.getChildren().map((element) => provider.getTreeItem(element).label);

  it('are the deployments in the store’s order, all but healthy ones while these are hidden', () => {
    assert.deepEqual(labels(), ['bad', 'gone', 'good', 'new']);
    source.filter = { onlyProblems: true };
    assert.deepEqual(labels(), ['bad', 'gone', 'new']);
    assert.equal(provider.hasRows, true);
    source.store.deployments = source.store.deployments.slice(2, 3);
    assert.deepEqual(labels(), []);
    assert.equal(provider.hasRows, false);
    source.deploymentList = { untrusted: true };
    assert.equal(provider.hasRows, true);
  });

  it('are none when nobody is signed in, whatever the store still holds', () => {
    source.organizations = { current: undefined };
    source.deploymentList = { untrusted: true };
    assert.deepEqual(labels(), []);
    assert.equal(provider.hasRows, false);
  });

  it('are refreshed one by one, and stay the objects that VS Code knows', () => {
    const before = provider.getChildren();
    source.store.deployments = source.store.deployments.map((one) => ({ ...one, activity: 'reading' }));
    provider.refresh(new Set(['good', 'not listed']));
    assert.equal(events[0]?.[0], before[2]);
    assert.deepEqual(named(), [['good']]);
    assert.equal(provider.getTreeItem(before[2]!).description, '2 of 2 satisfied · reading');
  });

  it('are all refreshed when a first row comes or goes, and after a change of all', () => {
    for (const cause of [{ kind: 'paused', until: 0 } as const, undefined]) {
      source.store.cause = cause;
      provider.refresh(new Set());
      assert.deepEqual(named(), ['all']);
      assert.equal(labels().length, cause ? 5 : 4);
      provider.refresh(new Set());
      assert.deepEqual(named(), []);
    }
    provider.refresh('all');
    assert.deepEqual(named(), ['all']);
  });

  it('are all refreshed when one becomes or ceases to be healthy while healthy ones are hidden', () => {
    source.filter = { onlyProblems: true };
    const before = source.store.deployments;
    labels();
    provider.refresh(new Set(['bad', 'good']));
    assert.deepEqual(named(), [['bad']], 'VS Code does not have the other');
    source.store.deployments = before.with(2, deployment({ id: 'good', authorization: billing }));
    provider.refresh(new Set(['good']));
    assert.deepEqual(named(), ['all']);
    assert.deepEqual(labels(), ['bad', 'gone', 'good', 'new']);
    source.store.deployments = before;
    provider.refresh(new Set(['good']));
    assert.deepEqual(named(), ['all']);
  });

  describe('of thousands', () => {
    let ids: readonly string[];
    let clock: ManualClock;
    let sight: { visible: boolean; selection: readonly TreeElement[] };

    function list(count: number): void {
      ids = Array.from({ length: count }, (_, at) => `dep_${at}`);
      const byId = new Map(ids.map((id) => [id, deployment({ id, authorization: satisfied })]));
      source = sourceOf(...byId.values());
      source.store.get = (id) => byId.get(id);
      source.store.progress = { done: 0, total: count };
      clock = new ManualClock();
      sight = { visible: true, selection: [] };
      provider.dispose();
      provider = new DeploymentsProvider(source, sight, clock);
      provider.onDidChangeTreeData((event) => events.push(event));
      provider.getChildren();
    }

    it('are named a hundred at a time, also while nothing else changes', () => {
      list(150);
      provider.refresh(new Set(ids));
      assert.deepEqual(named(), [ids.slice(0, 100)]);
      clock.pass(250);
      assert.deepEqual(named(), [], 'the store may tell of more now');
      provider.refresh(new Set(ids));
      assert.deepEqual(named(), [[...ids.slice(100), ...ids.slice(0, 50)]]);
      clock.pass(250);
      assert.deepEqual(named(), []);
      clock.pass(50);
      assert.deepEqual(named(), [ids.slice(50, 100)]);
      assert.equal(clock.waiting, 0);
    });

    it('are fewer at a time where there are more, selected ones first, and wait while nobody looks', () => {
      list(10_000);
      sight.selection = [provider.rowOf('dep_9000')!];
      provider.refresh(new Set(ids));
      assert.deepEqual(named(), [['dep_9000', ...ids.slice(0, 39)]]);
      sight.visible = false;
      clock.pass(1000);
      assert.deepEqual(named(), []);
      assert.equal(clock.waiting, 0);
      provider.refreshRow(provider.rowOf('dep_9999')!);
      assert.deepEqual(named(), [['dep_9999']], 'somebody asks for it');
      sight.visible = true;
      provider.refresh(new Set());
      assert.deepEqual(named(), [ids.slice(39, 79)]);
    });

    it('are all asked for once when no more changes are coming', () => {
      list(150);
      provider.refresh(new Set(ids));
      source.store.progress = undefined;
      provider.refresh(new Set());
      assert.deepEqual(named(), [ids.slice(0, 100), ids.slice(100)]);
      provider.refresh(new Set(ids));
      assert.deepEqual(named(), ['all']);
    });
  });
});
