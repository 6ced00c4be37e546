import { strict as assert } from 'node:assert';
import type { Organization } from '../../../../src/host/organizations/organization.js';
import type { Deployment } from '../../../../src/model/deployment.js';
import { Impact } from '../../../../src/model/problems/impact.js';
import type { TreeElement } from '../../../../src/model/tree/elements.js';
import { DeploymentsProvider, type TreeSource } from '../../../../src/views/tree/provider.js';
import { ManualClock } from '../../../unit/model/manualClock.js';
import { billing, deployment, organization, satisfied } from '../fixtures.js';

/** What a test changes as it goes. */
interface Situation extends TreeSource {
  readonly store: { -readonly [Key in keyof TreeSource['store']]: TreeSource['store'][Key] };
  readonly organizations: { current: Organization | undefined };
  readonly deploymentList: { untrusted: boolean };
  readonly filter: { onlyProblems: boolean };
}

function sourceOf(...listed: readonly Deployment[]): Situation {
  const store: Situation['store'] = {
    deployments: listed,
    cause: undefined,
    progress: undefined,
    get: (id: string) => store.deployments.find((one) => one.id === id),
  };
  return {
    store,
    impact: new Impact(store),
    grouping: { byAccount: false },
    organizations: { current: organization },
    deploymentList: { untrusted: false },
    filter: { onlyProblems: false },
    watches: { has: () => false },
  };
}

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

  /** How many rows the events so far named. */
  const named = () => events.splice(0).map((event) => event?.length ?? 'all');
  const labels = () => provider.getChildren().map((element) => provider.getTreeItem(element).label);

  it('are the deployments in the store’s order, all but healthy ones while these are hidden', () => {
    assert.deepEqual(labels(), ['bad', 'gone', 'good', 'new']);
    source.filter.onlyProblems = true;
    assert.deepEqual(labels(), ['bad', 'gone', 'new']);
    assert.equal(provider.hasRows, true);
    source.store.deployments = source.store.deployments.slice(2, 3);
    assert.deepEqual(labels(), []);
    assert.equal(provider.hasRows, false);
    source.deploymentList.untrusted = true;
    assert.equal(provider.hasRows, true);
  });

  it('are none when nobody is signed in, whatever the store still holds', () => {
    source.organizations.current = undefined;
    source.deploymentList.untrusted = true;
    assert.deepEqual(labels(), []);
    assert.equal(provider.hasRows, false);
  });

  it('are refreshed one by one, and stay the objects that VS Code knows', () => {
    const before = provider.getChildren();
    source.store.deployments = source.store.deployments.map((one) => ({ ...one, activity: 'reading' }));
    provider.refresh(new Set(['good', 'not listed']));
    assert.equal(events[0]?.[0], before[2]);
    assert.deepEqual(named(), [1]);
    assert.equal(provider.getTreeItem(before[2]!).description, '2 of 2 satisfied · reading');
  });

  it('are all refreshed after a change of all, and none after a change of none', () => {
    provider.refresh(new Set());
    assert.deepEqual(named(), []);
    provider.refresh('all');
    assert.deepEqual(named(), ['all']);
  });

  it('are all refreshed when a first row comes or goes', () => {
    for (const cause of [{ kind: 'paused', until: 0 } as const, undefined]) {
      source.store.cause = cause;
      provider.refresh(new Set());
      assert.deepEqual(named(), ['all']);
      assert.equal(labels().length, cause ? 5 : 4);
      provider.refresh(new Set());
      assert.deepEqual(named(), []);
    }
  });

  it('are all refreshed when one becomes or ceases to be healthy while healthy ones are hidden', () => {
    source.filter.onlyProblems = true;
    const before = source.store.deployments;
    labels();
    provider.refresh(new Set(['bad', 'good']));
    assert.equal(events[0]?.[0]?.id, 'deployment:bad');
    assert.deepEqual(named(), [1]);
    provider.refresh(new Set(['good']));
    assert.deepEqual(named(), [], 'VS Code does not have it');
    source.store.deployments = before.with(2, deployment({ id: 'good', authorization: billing }));
    provider.refresh(new Set(['good']));
    assert.deepEqual(named(), ['all']);
    assert.deepEqual(labels(), ['bad', 'gone', 'good', 'new']);
    source.store.deployments = before;
    provider.refresh(new Set(['good']));
    assert.deepEqual(named(), ['all']);
  });

  describe('of thousands', () => {
    const ids = Array.from({ length: 10_000 }, (_, at) => `dep_${at}`);
    let clock: ManualClock;
    let sight: { visible: boolean; selection: TreeElement[] };

    beforeEach(() => {
      source = sourceOf(...ids.map((id) => deployment({ id, authorization: satisfied })));
      source.store.progress = { done: 0, total: ids.length };
      const byId = new Map(source.store.deployments.map((one) => [one.id, one]));
      source.store.get = (id) => byId.get(id);
      clock = new ManualClock();
      sight = { visible: true, selection: [] };
      provider.dispose();
      provider = new DeploymentsProvider(source, sight, clock);
      provider.onDidChangeTreeData((event) => events.push(event));
      provider.getChildren();
    });

    it('are named a few at a time, also while nothing else changes, and wait while nobody looks', () => {
      provider.refresh(new Set(ids.slice(0, 100)));
      sight.visible = false;
      clock.pass(1000);
      assert.deepEqual(named(), [40]);
      assert.equal(clock.waiting, 0);
      sight.visible = true;
      provider.refresh(new Set());
      clock.pass(1000);
      assert.deepEqual(named(), [40, 20]);
      assert.equal(clock.waiting, 0);
    });

    it('are named at once where somebody has selected them, or asks to', () => {
      sight.selection = [provider.rowOf('dep_9000')!];
      provider.refresh(new Set(ids));
      assert.equal(events.splice(0)[0]?.[0], sight.selection[0]);
      const row = provider.rowOf('dep_9999')!;
      provider.refreshRow(row);
      assert.deepEqual(events, [[row]]);
    });
  });
});
