import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import type { Deployment } from '../../../../src/model/deployment.js';
import { Impact } from '../../../../src/model/problems/impact.js';
import type { TreeElement } from '../../../../src/model/tree/elements.js';
import { DeploymentsProvider, type TreeSource } from '../../../../src/views/tree/provider.js';
import { ManualClock } from '../../../unit/model/manualClock.js';
import { billing, deployment, organization, satisfied } from '../fixtures.js';
import { labelOf } from '../look.js';

interface Situation {
  deployments: Deployment[];
  /** Of a refresh of all, while one is under way. */
  progress: { done: number; total: number } | undefined;
  signedIn: boolean;
  onlyProblems: boolean;
  untrusted: boolean;
  byAccount: boolean;
}

function sourceOf(situation: Situation): TreeSource {
  const store = {
    get deployments() {
      return situation.deployments;
    },
    cause: undefined,
    get progress() {
      return situation.progress;
    },
    get: (id: string) => situation.deployments.find((one) => one.id === id),
  };
  return {
    store,
    impact: new Impact(store),
    grouping: {
      get byAccount() {
        return situation.byAccount;
      },
    },
    organizations: {
      get current() {
        return situation.signedIn ? organization : undefined;
      },
    },
    deploymentList: { untrusted: situation.untrusted },
    filter: {
      get onlyProblems() {
        return situation.onlyProblems;
      },
    },
    watches: { has: () => false },
  };
}

describe('the rows of the Deployments view', () => {
  let situation: Situation;
  let source: TreeSource;
  let provider: DeploymentsProvider;
  let events: (TreeElement[] | undefined)[];

  beforeEach(() => {
    situation = {
      deployments: [
        deployment({ id: 'bad', authorization: billing }),
        deployment({ id: 'gone', failure: { kind: 'notFound', status: 404 } }),
        deployment({ id: 'good', authorization: satisfied }),
        deployment({ id: 'new' }),
      ],
      progress: undefined,
      signedIn: true,
      onlyProblems: false,
      untrusted: false,
      byAccount: false,
    };
    source = sourceOf(situation);
    provider = new DeploymentsProvider(source);
    events = [];
    provider.onDidChangeTreeData((event) => events.push(event));
  });
  afterEach(() => provider.dispose());

  /** How many rows the events so far named. */
  const named = () => events.splice(0).map((event) => event?.length ?? 'all');
  const labels = () => provider.getChildren().map((element) => labelOf(provider.getTreeItem(element)));

  it('are the deployments in the store’s order', () => {
    assert.deepEqual(labels(), ['bad', 'gone', 'good', 'new']);
    assert.equal(provider.hasRows, true);
  });

  it('are none when nobody is signed in, whatever the store still holds', () => {
    situation.signedIn = false;
    situation.untrusted = true;
    assert.deepEqual(labels(), []);
    assert.equal(provider.hasRows, false);
  });

  it('are all but healthy ones while these are hidden', () => {
    situation.onlyProblems = true;
    assert.deepEqual(labels(), ['bad', 'gone', 'new']);
    situation.deployments = situation.deployments.slice(2, 3);
    assert.deepEqual(labels(), []);
    assert.equal(provider.hasRows, false);
  });

  it('know their parents', () => {
    const root = provider.getChildren()[0]!;
    assert.equal(root.parent, undefined);
    for (const child of provider.getChildren(root)) assert.equal(child.parent, root);
  });

  it('are refreshed one by one, and stay the objects that VS Code knows', () => {
    const before = provider.getChildren();
    situation.deployments = situation.deployments.map((one) => ({ ...one, activity: 'reading' }));
    provider.refresh(new Set(['good', 'not listed']));
    assert.deepEqual(
      events.map((event) => event?.map(({ id }) => id)),
      [[before[2]?.id]],
    );
    assert.equal(events[0]?.[0], before[2]);
    assert.equal(provider.getTreeItem(before[2]!).description, '2 of 2 satisfied · reading');
  });

  it('are all refreshed after a change of all, and none after a change of none', () => {
    provider.refresh(new Set());
    assert.deepEqual(events, []);
    provider.refresh('all');
    assert.deepEqual(events, [undefined]);
  });

  it('are all refreshed when one becomes or ceases to be healthy while healthy ones are hidden', () => {
    situation.onlyProblems = true;
    const before = situation.deployments;
    labels();
    provider.refresh(new Set(['bad', 'good']));
    assert.deepEqual(
      events.splice(0).map((event) => event?.map((element) => labelOf(provider.getTreeItem(element)))),
      [['bad']],
    );
    situation.deployments = before.with(2, deployment({ id: 'good', authorization: billing }));
    provider.refresh(new Set(['good']));
    assert.deepEqual(events, [undefined]);
    assert.deepEqual(labels(), ['bad', 'gone', 'good', 'new']);
    situation.deployments = before;
    provider.refresh(new Set(['good']));
    assert.deepEqual(events, [undefined, undefined]);
    assert.deepEqual(labels(), ['bad', 'gone', 'new']);
  });

  it('are refreshed only where VS Code has them: those that the filter hides are not named', () => {
    situation.onlyProblems = true;
    labels();
    provider.refresh(new Set(['good']));
    assert.deepEqual(events, []);
  });

  describe('of thousands', () => {
    const ids = Array.from({ length: 10_000 }, (_, at) => `dep_${at}`);
    let clock: ManualClock;
    let sight: { visible: boolean; selection: TreeElement[] };

    beforeEach(() => {
      situation.deployments = ids.map((id) => deployment({ id, authorization: satisfied }));
      situation.progress = { done: 0, total: ids.length };
      const byId = new Map(situation.deployments.map((one) => [one.id, one]));
      source = { ...source, store: { ...source.store, deployments: situation.deployments, get: (id) => byId.get(id) } };
      clock = new ManualClock();
      sight = { visible: true, selection: [] };
      provider.dispose();
      provider = new DeploymentsProvider(source, sight, clock);
      provider.onDidChangeTreeData((event) => events.push(event));
      provider.getChildren();
    });

    it('are named a few at a time, also while nothing else changes', () => {
      provider.refresh(new Set(ids.slice(0, 100)));
      clock.pass(1000);
      assert.deepEqual(named(), [40, 40, 20]);
      assert.equal(clock.waiting, 0);
    });

    it('wait while nobody looks', () => {
      provider.refresh(new Set(ids.slice(0, 100)));
      sight.visible = false;
      clock.pass(1000);
      assert.deepEqual(named(), [40]);
      assert.equal(clock.waiting, 0);
      sight.visible = true;
      provider.refresh(new Set());
      clock.pass(1000);
      assert.deepEqual(named(), [40, 20]);
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

  it('make a hover when VS Code asks for it', () => {
    const root = provider.getChildren()[0]!;
    const item = provider.getTreeItem(root);
    assert.equal(item.tooltip, undefined);
    const resolved = provider.resolveTreeItem(item, root);
    assert.ok(resolved.tooltip instanceof vscode.MarkdownString);
    assert.equal(labelOf(resolved), labelOf(item));
    assert.equal(provider.getTreeItem(root).tooltip, undefined);
  });
});
