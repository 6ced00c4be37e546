import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import type { Roots } from '../../../../src/host/grouping.js';
import type { Deployment } from '../../../../src/model/findings/deployment.js';
import type { TreeElement } from '../../../../src/model/tree/elements.js';
import { DeploymentsProvider } from '../../../../src/views/tree/provider.js';
import { ManualClock } from '../../../support/manualClock.js';
import {
  billing,
  type DeploymentFacts,
  deployment,
  look,
  minutes,
  now,
  readIn,
  satisfied,
  sourceOf,
} from '../../../support/window/fixtures.js';
import { myGroupsIn } from '../../../support/window/myGroups.js';

const notFound = { kind: 'notFound', status: 404 } as const;
const outage = {
  kind: 'failure',
  failure: { kind: 'tokenRejected', status: 401 },
  isOffline: false,
  at: now,
  asOf: now - minutes(5),
} as const;

function listed(id: string, group: string | undefined, facts: DeploymentFacts = {}): Deployment {
  return { ...deployment({ id, ...facts }), ...(group !== undefined && { group }) };
}

const failing = { authorization: billing };
const healthy = { authorization: satisfied };
const deployments = [
  listed('p1', 'payments', failing),
  listed('p2', 'payments', { failure: notFound }),
  listed('p3', 'payments', healthy),
  listed('n1', undefined, failing),
  listed('o1', 'ops', healthy),
  listed('o2', 'ops', healthy),
];

/** The view of these deployments, and what it has drawn again. */
function create(by: Roots = 'group', some: readonly Deployment[] = deployments) {
  const source = sourceOf(...some);
  source.grouping = { by };
  const provider = new DeploymentsProvider(source, new ManualClock(now));
  const items = (element?: TreeElement) =>
    provider.getChildren(element).map((child) => ({ child, item: provider.getTreeItem(child) }));
  const redrawn: unknown[] = [];
  provider.onDidChangeTreeData((event) => redrawn.push(event?.map(({ id }) => id) ?? 'all'));
  return {
    source,
    provider,
    redrawn,
    items,
    choose: (...groups: readonly (string | null)[]) => {
      source.myGroups = myGroupsIn(() => source.store.deployments, ...groups);
    },
    rows: (element?: TreeElement) => items(element).map(({ item }) => look(item).text),
    root: (label: string) => {
      const found = items().find(({ item }) => item.label === label);
      assert.ok(found, label);
      return {
        ...found,
        ...look(found.item),
        hover: () => provider.resolveTreeItem(found.item, found.child).tooltip,
      };
    },
  };
}

describe('the view by group', () => {
  it('counts the deployments of each group, the worst first, and No group last', () => {
    assert.deepEqual(create().rows(), [
      'payments | 1 failing, 1 unknown of 3',
      'ops | 2 healthy',
      'No group | 1 failing of 1',
    ]);
  });

  it('has the deployments of a group below it', () => {
    const { rows, root } = create();
    const below = rows(root('payments').child);
    assert.deepEqual(below, ['p1 | Finance Slack failed', 'p2 | Not found', 'p3']);
  });

  it('hides groups of healthy deployments with Hide Healthy, and counts these', () => {
    const { rows, source } = create();
    source.filter = { isOn: true };
    assert.deepEqual(rows(), [
      'payments | 1 failing, 1 unknown of 3',
      'No group | 1 failing of 1',
      '3 healthy hidden',
    ]);
  });

  it('has the chosen groups alone, and a last row for the others', () => {
    const { choose, rows } = create();
    choose('ops', null);
    assert.deepEqual(rows(), [
      'ops | 2 healthy',
      'No group | 1 failing of 1',
      '3 in other groups · 1 failing, 1 unknown',
    ]);
  });

  describe('during a refresh', () => {
    const recovered = [
      listed('p1', 'payments', healthy),
      listed('o1', 'ops', failing),
      listed('a1', 'apps', failing),
    ];
    /** The view after answers have changed the states of groups, while the store keeps its order. */
    const change = () => {
      const view = create();
      view.rows();
      const { store } = view.source;
      const { orderVersion } = store;
      store.deployments = recovered;
      store.orderVersion = orderVersion;
      return view;
    };

    it('keeps the order of its groups, and has new ones last', () => {
      assert.deepEqual(change().rows(), [
        'payments | 1 healthy',
        'ops | 1 failing of 1',
        'apps | 1 failing of 1',
      ]);
    });

    it('sorts its groups at the end', () => {
      const { rows, source } = change();
      rows();
      source.store.orderVersion += 1;
      assert.deepEqual(rows(), [
        'apps | 1 failing of 1',
        'ops | 1 failing of 1',
        'payments | 1 healthy',
      ]);
    });
  });

  it('sorts groups that Hide Healthy no longer hides among the others', () => {
    const { rows, source } = create();
    source.filter = { isOn: true };
    rows();
    source.filter = { isOn: false };
    assert.deepEqual(rows(), [
      'payments | 1 failing, 1 unknown of 3',
      'ops | 2 healthy',
      'No group | 1 failing of 1',
    ]);
  });

  it('sorts groups among the others when other ones are chosen', () => {
    const { choose, rows } = create();
    choose('ops', null);
    rows();
    choose('payments', 'ops');
    assert.deepEqual(rows(), [
      'payments | 1 failing, 1 unknown of 3',
      'ops | 2 healthy',
      '1 in other groups · 1 failing',
    ]);
  });

  it('draws all rows again when the row of a deployment below a group is to be drawn', () => {
    const { provider, redrawn, rows } = create();
    rows();
    provider.redrawRow(provider.rowOf('p1')!);
    assert.deepEqual(redrawn, ['all']);
  });

  it('has as neighbor of a deployment the next one below the same group', () => {
    const { provider, rows } = create();
    rows();
    assert.equal(provider.neighborOf(['p1']), 'p2');
  });

  it('has as neighbor of the last deployment below a group the first one below the next', () => {
    const { provider, rows } = create();
    rows();
    assert.equal(provider.neighborOf(['p3']), 'o1');
  });
});

describe('the row of a group', () => {
  it('has icon and color of its worst state', () => {
    const { icon, decorated } = create().root('payments');
    assert.equal(`${icon}, ${decorated}`, 'error problemsErrorIcon.foreground, failed');
  });

  it('has no color when all its deployments are healthy', () => {
    const { icon, decorated } = create().root('ops');
    assert.match(icon, /^pass/);
    assert.equal(decorated, undefined);
  });

  it('tells a screen reader that it is a group, and its counts', () => {
    const { spoken } = create().root('payments');
    assert.equal(spoken, 'payments, group, 1 failing, 1 unknown of 3');
  });

  it('differs from that of no group when it has this name', () => {
    const some = [listed('n1', undefined, healthy), listed('n2', 'No group', healthy)];
    const looks = create('group', some)
      .items()
      .map(({ item }) => look(item));
    assert.deepEqual(
      looks.map(({ text, spoken }) => [text, spoken]),
      [
        ['“No group” | 1 healthy', '“No group”, group, 1 healthy'],
        ['No group | 1 healthy', 'No group, 1 healthy'],
      ],
    );
  });

  it('is collapsed at first', () => {
    const { item } = create().root('ops');
    assert.equal(item.collapsibleState, vscode.TreeItemCollapsibleState.Collapsed);
  });

  describe('in an outage', () => {
    const root = () => {
      const view = create();
      view.source.store.cause = outage;
      return view.root('payments');
    };

    it('is gray', () => {
      const { icon, decorated } = root();
      assert.equal(`${icon}, ${decorated}`, 'error disabledForeground, undefined');
    });

    it('tells a screen reader as of when its counts are', () => {
      assert.match(root().spoken, /^payments, group, 1 failing, 1 unknown of 3, as of \d/);
    });

    it('has in its hover as of when its counts are', () => {
      const [title] = readIn(root().hover()).split('\n');
      assert.match(title!, /^\*\*payments\*\* · 1 failing, 1 unknown of 3 · as of \d/);
    });
  });

  it('has the worst causes in its hover', () => {
    const hover = readIn(create().root('payments').hover());
    assert.deepEqual(hover.replaceAll(/\[([^\]]*)\]\(command:[^)]*\)/g, '$1').split('\n'), [
      '**payments** · 1 failing, 1 unknown of 3',
      '',
      '- Finance Slack failed · p1',
      '- 1 unknown',
      '  - Not found (404) · p2',
    ]);
  });

  it('has nothing but its counts in its hover when all its deployments are healthy', () => {
    assert.equal(readIn(create().root('ops').hover()), '**ops** · 2 healthy');
  });

  it('isolates a name that is written from right to left', () => {
    const { item } = create('group', [listed('a', 'תשלומים', healthy)]).items()[0]!;
    assert.equal(item.label, '\u2068תשלומים\u2069');
  });
});

describe('the last row of groups that are not chosen', () => {
  const lastRow = () => {
    const { choose, root } = create('deployment');
    choose('ops');
    return root('4 in other groups · 2 failing, 1 unknown');
  };

  it('tells a screen reader what a click does', () => {
    assert.equal(lastRow().spoken, '4 in other groups, 2 failing, 1 unknown, Show All Groups');
  });

  it('shows all groups on a click or Enter', () => {
    const { command } = lastRow().item;
    assert.equal(command?.command, 'automationPlatform.internal.showAllGroups');
  });

  it('has no menu', () => assert.equal(lastRow().item.contextValue, undefined));

  it('is drawn again when its counts have changed', () => {
    const { choose, provider, redrawn, rows, source } = create('deployment');
    choose('ops');
    rows();
    source.store.deployments = deployments.filter(({ id }) => id !== 'p1');
    provider.redraw(new Set(['o1']));
    assert.deepEqual(redrawn, ['all']);
  });
});

describe('the view by account while groups are chosen', () => {
  const failed = { id: 'acc_2', label: 'Finance Slack', error: { code: 'token_revoked' } };
  const works = { id: 'acc_2', label: 'Finance Slack' };
  const requirements = [{ binding: 'post', accountId: 'acc_2', satisfied: false }];
  const failingFor = (age: number) => ({
    authorization: { accounts: [failed], requirements },
    age,
  });
  const working = (age: number) => ({ authorization: { accounts: [works], requirements }, age });
  const onlyThere = { authorization: { accounts: [{ id: 'acc_9' }], requirements: [] } };

  /** The view with the group ops alone, in which is `o1`; the answer of `p1` is the newest. */
  const createWith = (o1: DeploymentFacts, p1: DeploymentFacts = failingFor(0)) => {
    const view = create('account', [
      listed('o1', 'ops', o1),
      listed('p1', 'payments', p1),
      listed('p2', 'payments', failingFor(7)),
      listed('p3', 'payments', onlyThere),
    ]);
    view.choose('ops');
    return view;
  };

  it('has no account that only deployments of other groups have', () => {
    assert.deepEqual(
      createWith(failingFor(5))
        .items()
        .map(({ item }) => item.label),
      ['Finance Slack', '3 in other groups · 2 failing'],
    );
  });

  it('counts all deployments that have an account, and the requirements of chosen groups', () => {
    const [row] = createWith(failingFor(5)).rows();
    assert.equal(row, 'Finance Slack | token_revoked · in 3 deployments · 1 not satisfied');
  });

  it('says what the newest answer says, which is one of another group', () => {
    const [row] = createWith(working(5)).rows();
    assert.equal(row, 'Finance Slack | token_revoked · failed in 2 of 3 · 1 not satisfied');
  });

  it('has the deployments of the chosen groups alone below an account', () => {
    const { root, rows } = createWith(failingFor(5));
    const below = rows(root('Finance Slack').child);
    assert.deepEqual(below, ['Reconnect Finance Slack', 'o1 | post']);
  });

  it('shows the state of an account that can still be read in another group', () => {
    const { icon } = createWith({ ...failingFor(5), failure: notFound }).root('Finance Slack');
    assert.match(icon, /^error/);
  });

  it('shows an account as failed when it has failed only in an older answer of another group', () => {
    const { icon } = createWith(working(5), working(0)).root('Finance Slack');
    assert.match(icon, /^error/);
  });

  it('says “new” of a problem in the chosen groups', () => {
    const view = createWith(failingFor(5));
    view.source.changesWhileAway = { isNew: (id) => id === 'o1' };
    assert.match(view.rows()[0]!, / · new$/);
  });
});
