import { strict as assert } from 'node:assert';
import type { Deployment } from '../../../../src/model/deployment.js';
import type { TreeElement } from '../../../../src/model/tree/elements.js';
import { DeploymentsProvider } from '../../../../src/views/tree/provider.js';
import { ManualClock } from '../../../unit/model/manualClock.js';
import { billing, deployment, type Situation, satisfied, sourceOf } from '../fixtures.js';

const good = deployment({ id: 'good', authorization: satisfied });
const three = [deployment({ id: 'bad', authorization: billing }), good, deployment({ id: 'new' })];

describe('the rows of the Deployments view', () => {
  let source: Situation;
  let provider: DeploymentsProvider;
  let clock: ManualClock;
  let sight: { visible: boolean; selection: readonly TreeElement[] };
  let events: (TreeElement[] | undefined)[];

  function list(...deployments: readonly Deployment[]): void {
    source = sourceOf(...deployments);
    clock = new ManualClock();
    sight = { visible: true, selection: [] };
    provider = new DeploymentsProvider(source, sight, clock);
    events = [];
    provider.onDidChangeTreeData((event) => events.push(event));
    provider.getChildren();
  }
  afterEach(() => provider.dispose());

  /** What the events so far named. */
  const named = () => events.splice(0).map((event) => event?.map(({ copyId }) => copyId) ?? 'all');
  const labels = () => provider.getChildren().map((element) => provider.getTreeItem(element).label);

  it('are those that the filter shows, and none when nobody is signed in', () => {
    list(...three);
    source.filter = { onlyProblems: true };
    assert.deepEqual(labels(), ['bad', 'new']);
    source.deploymentList = { untrusted: true };
    assert.equal(labels().length, 3);
    source.organizations = { current: undefined };
    assert.deepEqual(labels(), []);
  });

  it('are refreshed one by one', () => {
    list(...three);
    const [, row] = provider.getChildren();
    source.store.deployments = source.store.deployments.map((one) => ({ ...one, activity: 'reading' }));
    provider.refresh(new Set(['good', 'not listed']));
    assert.deepEqual(events, [[row]]);
    assert.equal(provider.getTreeItem(row!).description, '2 of 2 satisfied · reading');
  });

  it('are all refreshed when a first row comes or goes, and after a change of all', () => {
    list(...three);
    for (const cause of [{ kind: 'paused', until: 0 } as const, undefined]) {
      source.store.cause = cause;
      provider.refresh(new Set());
      assert.deepEqual(named(), ['all']);
      assert.equal(labels().length, cause ? 4 : 3);
      provider.refresh(new Set());
      assert.deepEqual(named(), []);
    }
    provider.refresh('all');
    assert.deepEqual(named(), ['all']);
  });

  it('are all refreshed when the filter lets one in, which VS Code does not have', () => {
    list(...three);
    source.filter = { onlyProblems: true };
    provider.getChildren();
    provider.refresh(new Set(['bad', 'good']));
    assert.deepEqual(named(), [['bad']]);
    source.store.deployments = three.with(1, { ...good, state: 'failed' });
    provider.refresh(new Set(['good']));
    assert.deepEqual(named(), ['all']);
  });

  it('are made anew only when they may say something else', () => {
    const shared = { accounts: [{ id: 'acc_1', error: {} }], requirements: [] };
    const failing = deployment({ id: 'bad', authorization: shared });
    list(failing, deployment({ id: 'stale', authorization: satisfied, failure: { kind: 'cancelled' } }));
    const items = () => provider.getChildren().map((element) => provider.getTreeItem(element));
    let before = items();
    const madeAnew = () => {
      const [ours, theirs] = before;
      before = items();
      assert.notEqual(before[1], theirs, 'a stale row says how old it is');
      return before[0] !== ours;
    };
    assert.equal(madeAnew(), false);
    const [row] = provider.getChildren();
    assert.ok(provider.resolveTreeItem(before[0]!, row!).tooltip);
    assert.equal(before[0]?.tooltip, undefined, 'the next hover may say something else');
    source.watches = { has: () => true };
    assert.equal(madeAnew(), true);
    clock.pass(60_000);
    assert.equal(madeAnew(), true);
    source.store.deployments = [...source.store.deployments, deployment({ id: 'too', authorization: shared })];
    assert.equal(madeAnew(), true, 'an account is in one more deployment');
    source.store.deployments = source.store.deployments.with(0, { ...failing, activity: 'reading' });
    assert.equal(madeAnew(), true);
    assert.equal(madeAnew(), false);
    provider.refresh(new Set(['bad']));
    assert.equal(madeAnew(), true, 'it is named alone');
  });

  describe('of many, while they are read', () => {
    let ids: readonly string[];

    function listMany(count: number): void {
      ids = Array.from({ length: count }, (_, at) => `dep_${at}`);
      list(...ids.map((id) => ({ ...good, id })));
      source.store.progress = { done: 0, total: count };
      provider.refresh(new Set(ids));
    }

    it('are named forty at a time, also while nothing else changes', () => {
      listMany(75);
      assert.deepEqual(named(), [ids.slice(0, 40)]);
      clock.pass(250);
      assert.deepEqual(named(), [], 'the store may tell of more now');
      provider.refresh(new Set(ids));
      assert.deepEqual(named(), [[...ids.slice(40), ...ids.slice(0, 5)]]);
      clock.pass(299);
      assert.deepEqual(named(), []);
      clock.pass(1);
      assert.deepEqual(named(), [ids.slice(5, 40)]);
      assert.equal(clock.waiting, 0);
    });

    it('are named selected ones first, and wait while nobody looks', () => {
      listMany(5000);
      assert.deepEqual(named(), [ids.slice(0, 40)]);
      sight.selection = [provider.rowOf('dep_4000')!];
      provider.refresh(new Set());
      assert.deepEqual(named(), [['dep_4000', ...ids.slice(40, 79)]]);
      sight.visible = false;
      clock.pass(1000);
      assert.deepEqual(named(), []);
      assert.equal(clock.waiting, 0);
      provider.refreshRow(provider.rowOf('dep_3000')!);
      assert.deepEqual(named(), [['dep_3000']], 'somebody asks for it');
    });

    it('are all asked for once when no more changes are coming', () => {
      listMany(75);
      source.store.progress = undefined;
      provider.refresh(new Set());
      assert.deepEqual(named(), [ids.slice(0, 40), ids.slice(40)]);
      provider.refresh(new Set(ids));
      assert.deepEqual(named(), ['all']);
    });
  });
});
