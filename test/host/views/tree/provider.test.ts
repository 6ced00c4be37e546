import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { clockTime } from '../../../../src/host/text/format.js';
import type { Deployment } from '../../../../src/model/findings/deployment.js';
import type { TreeElement } from '../../../../src/model/tree/elements.js';
import { DeploymentsProvider } from '../../../../src/views/tree/provider.js';
import { ManualClock } from '../../../support/manualClock.js';
import {
  billing,
  deployment,
  look,
  now,
  type Situation,
  satisfied,
  sourceOf,
} from '../../../support/window/fixtures.js';

const good = deployment({ id: 'good', authorization: satisfied });
const three = [deployment({ id: 'bad', authorization: billing }), good, deployment({ id: 'new' })];

describe('the rows of the view', () => {
  let source: Situation;
  let provider: DeploymentsProvider;
  let events: (TreeElement[] | undefined)[];

  function list(...deployments: readonly Deployment[]): void {
    source = sourceOf(...deployments);
    provider = new DeploymentsProvider(source, new ManualClock());
    events = [];
    provider.onDidChangeTreeData((event) => events.push(event));
    provider.getChildren();
  }
  afterEach(() => provider.dispose());

  /** Each event so far: the deployments to be drawn again, or all. */
  const redrawn = () =>
    events.splice(0).map((event) => event?.map(({ copyId }) => copyId) ?? 'all');
  const items = () => {
    const roots = provider.getChildren().filter(({ kind }) => kind === 'deployment');
    const all = [...roots, ...roots.flatMap((row) => provider.getChildren(row))];
    return all.map((row) => provider.getTreeItem(row));
  };
  const rootItems = () => provider.getChildren().map((element) => provider.getTreeItem(element));
  const labels = () => rootItems().map(({ label }) => label);

  describe('with the filter', () => {
    for (const [listed, label] of [
      [[good, { ...good, id: 'other' }], 'All 2 healthy'],
      [[good], '1 healthy'],
    ] as const) {
      it(`are “${label}” alone when all are healthy`, () => {
        list(...listed);
        source.filter = { isOn: true };
        const looks = rootItems().map((item) => ({ ...look(item), menu: item.contextValue }));
        const spoken = `${label}, Show All Deployments`;
        assert.deepEqual(looks, [
          { icon: 'pass charts.green', text: label, spoken, decorated: undefined, menu: 'hidden' },
        ]);
      });
    }

    it('do not say that all are healthy when a list is ignored', () => {
      list(good);
      source.filter = { isOn: true };
      source.ignoredSettings = {
        current: { deployments: { count: 8, files: ['.vscode/settings.json'] } },
        isRead: true,
      };
      assert.deepEqual(
        rootItems()
          .map(look)
          .map(({ icon, text }) => [icon, text]),
        [
          ['workspace-untrusted problemsWarningIcon.foreground', 'Workspace list ignored'],
          ['', '1 healthy hidden'],
        ],
      );
    });

    it('do not say that all are healthy before ignored lists are known', () => {
      list(good);
      source.filter = { isOn: true };
      source.ignoredSettings = { current: {}, isRead: false };
      const shown = look(rootItems()[0]!);
      assert.equal(shown.text, '1 healthy hidden');
      assert.equal(shown.icon, '');
    });

    it('end with the number of hidden ones', () => {
      list(...three);
      source.filter = { isOn: true };
      assert.deepEqual(labels(), ['bad', 'new', '1 healthy hidden']);
    });

    it('end with the number of hidden ones when grouped by account', () => {
      list(...three);
      source.filter = { isOn: true };
      source.grouping = { by: 'account' };
      assert.equal(labels().at(-1), '1 healthy hidden');
    });

    it('begin with the ignored settings of the workspace', () => {
      list(...three);
      source.filter = { isOn: true };
      source.ignoredSettings = {
        current: { owners: { count: 1, files: ['.vscode/settings.json'] } },
        isRead: true,
      };
      assert.deepEqual(labels(), ['Workspace owners ignored', 'bad', 'new', '1 healthy hidden']);
    });

    it('show all when the number of hidden ones is clicked', () => {
      list(...three);
      source.filter = { isOn: true };
      assert.equal(rootItems().at(-1)!.command?.command, 'automationPlatform.showAll');
    });

    it('have no icon at the number of hidden ones', () => {
      list(...three);
      source.filter = { isOn: true };
      assert.equal(rootItems().at(-1)!.iconPath, undefined);
    });
  });

  it('are none when the user is signed out', () => {
    list(...three);
    source.organizations = { current: undefined, list: [] };
    assert.deepEqual(labels(), []);
  });

  for (const { ids, neighbor } of [
    { ids: ['bad'], neighbor: 'good' },
    { ids: ['good'], neighbor: 'new' },
    { ids: ['new'], neighbor: 'good' },
    { ids: ['bad', 'good'], neighbor: 'new' },
    { ids: ['good', 'new'], neighbor: 'bad' },
    { ids: ['bad', 'good', 'new'], neighbor: undefined },
    { ids: ['gone'], neighbor: 'bad' },
  ]) {
    it(`name ${neighbor ?? 'no row'} as the row to select when ${ids.join(', ')} leave`, () => {
      list(...three);
      assert.equal(provider.neighborOf(ids), neighbor);
    });
  }

  it('name the same rows to select when grouped by account', () => {
    list(...three);
    source.grouping = { by: 'account' };
    provider.getChildren();
    const neighbors = ['bad', 'good', 'new'].map((id) => provider.neighborOf([id]));
    assert.deepEqual(neighbors, ['good', 'new', 'good']);
  });

  it('are drawn again one by one', () => {
    list(...three);
    const [, row] = provider.getChildren();
    source.store.deployments = source.store.deployments.map((one) => ({
      ...one,
      activity: 'reading',
    }));
    provider.redraw(new Set(['good', 'not listed']));
    assert.deepEqual(events, [[row]]);
    assert.deepEqual(provider.getTreeItem(row!).iconPath, new vscode.ThemeIcon('sync~spin'));
  });

  it('are all drawn again when a cause becomes the first row', () => {
    list(...three);
    source.store.cause = { kind: 'paused', until: 0 };
    provider.redraw(new Set());
    assert.deepEqual(redrawn(), ['all']);
    assert.equal(labels().length, 4);
  });

  it('are all drawn again when the cause in the first row is gone', () => {
    list(...three);
    source.store.cause = { kind: 'paused', until: 0 };
    provider.getChildren();
    source.store.cause = undefined;
    provider.redraw(new Set());
    assert.deepEqual(redrawn(), ['all']);
    assert.deepEqual(labels(), ['bad', 'good', 'new']);
  });

  for (const cause of [{ kind: 'paused', until: 0 } as const, undefined]) {
    it(`are not drawn again when ${cause ? 'the cause stays' : 'there is no cause'}`, () => {
      list(...three);
      source.store.cause = cause;
      provider.getChildren();
      provider.redraw(new Set());
      assert.deepEqual(redrawn(), []);
    });
  }

  it('are all drawn again after a change of all', () => {
    list(...three);
    provider.redraw('all');
    assert.deepEqual(redrawn(), ['all']);
  });

  it('are not drawn again for a deployment that the filter hides', () => {
    list(...three);
    source.filter = { isOn: true };
    provider.getChildren();
    provider.redraw(new Set(['bad', 'good']));
    assert.deepEqual(redrawn(), [['bad']]);
  });

  it('are all drawn again when the filter no longer hides a deployment', () => {
    list(...three);
    source.filter = { isOn: true };
    provider.getChildren();
    source.store.deployments = three.with(1, { ...good, state: 'failed' });
    provider.redraw(new Set(['good']));
    assert.deepEqual(redrawn(), ['all']);
  });

  describe('by group', () => {
    const inGroups = [
      { ...good, group: 'payments' },
      { ...deployment({ id: 'bad', authorization: billing }), group: 'payments' },
      { ...good, id: 'other', group: 'orders' },
    ];

    /** Opens the group payments alone. */
    function openPayments(): readonly TreeElement[] {
      list(...inGroups);
      source.grouping = { by: 'group' };
      const [payments] = provider.getChildren();
      assert.ok(payments?.kind === 'group' && payments.name === 'payments');
      return provider.getChildren(payments);
    }

    it('are drawn again one by one when groups show the same', () => {
      const [row] = openPayments();
      source.store.deployments = inGroups.map((one) => ({ ...one, activity: 'reading' as const }));
      provider.redraw(new Set(['good', 'other', 'not listed']));
      assert.deepEqual(events, [[row]]);
      assert.deepEqual(provider.getTreeItem(row!).iconPath, new vscode.ThemeIcon('sync~spin'));
    });

    it('are not drawn again for a deployment of a closed group that shows the same', () => {
      openPayments();
      provider.redraw(new Set(['other']));
      assert.deepEqual(redrawn(), []);
    });

    it('are all drawn again when a deployment has another state', () => {
      openPayments();
      source.store.deployments = inGroups.with(2, { ...inGroups[2]!, state: 'muted' });
      provider.redraw(new Set(['other']));
      assert.deepEqual(redrawn(), ['all']);
    });

    it('are all drawn again when a deployment has another place in its group', () => {
      openPayments();
      source.store.deployments = [inGroups[1]!, inGroups[0]!, inGroups[2]!];
      provider.redraw(new Set(['good']));
      assert.deepEqual(redrawn(), ['all']);
    });

    it('are all drawn again when Hide Healthy hides one of them', () => {
      openPayments();
      source.filter = { isOn: true };
      provider.redraw(new Set(['good']));
      assert.deepEqual(redrawn(), ['all']);
    });

    it('are no rows of the tree by deployment', () => {
      const [row] = openPayments();
      source.grouping = { by: 'deployment' };
      assert.equal(provider.getChildren().includes(row!), false);
    });

    it('are drawn again by the rows that VS Code got last', () => {
      openPayments();
      const payments = provider.getChildren()[0]!;
      provider.redraw(new Set(['good']));
      assert.deepEqual(redrawn(), []);
      const [row] = provider.getChildren(payments);
      provider.redraw(new Set(['good']));
      assert.deepEqual(events, [[row]]);
    });
  });

  describe('in an outage', () => {
    const failure = { kind: 'timedOut', after: 1 } as const;
    const cause = { kind: 'failure', failure, isOffline: false, at: now } as const;
    let before: ReturnType<typeof look>[];
    let after: ReturnType<typeof look>[];
    beforeEach(() => {
      list(...three);
      before = items().map(look);
      source.store.cause = { ...cause, asOf: now };
      after = items().map(look);
    });

    it('are all looked at, also those below a deployment', () => {
      assert.ok(after.length > three.length, `${after.length} rows`);
    });

    it('are gray', () => {
      const icons = before.map(({ icon }) => `${icon.split(' ')[0]} disabledForeground`);
      assert.deepEqual(
        after.map(({ icon }) => icon),
        icons,
      );
      assert.deepEqual(new Set(after.map(({ decorated }) => decorated)), new Set([undefined]));
    });

    it('keep their texts', () => {
      assert.deepEqual(
        after.map(({ text }) => text),
        before.map(({ text }) => text),
      );
    });

    it('tell a screen reader as of when', () => {
      for (const [at, { spoken }] of after.entries()) {
        const spokenBefore = before[at]!.spoken;
        assert.equal(spoken.slice(0, spokenBefore.length), spokenBefore);
        assert.match(spoken, new RegExp(` as of ${clockTime(now)}$`));
      }
    });

    it('keep the time of an answer that was old before', () => {
      const answer = { authorization: billing, age: 61 };
      list(deployment({ id: 'old', ...answer, failure: { kind: 'notFound', status: 404 } }));
      source.store.cause = { ...cause, asOf: now };
      const times = items()
        .map((item) => look(item).spoken.split(' as of ').at(-1))
        .slice(2);
      assert.deepEqual(new Set(times), new Set([clockTime(now - 61 * 60_000)]));
    });

    it('say not read yet when others were read', () => {
      list(deployment({ id: 'new' }));
      source.store.cause = { ...cause, asOf: now };
      assert.equal(rootItems().at(-1)!.description, 'not read yet');
    });

    it('do not say not read yet when nothing was read', () => {
      list(deployment({ id: 'new' }));
      source.store.cause = { ...cause, asOf: undefined };
      assert.equal(rootItems().at(-1)!.description, undefined);
    });

    it('tell a screen reader not read yet when nothing was read', () => {
      list(deployment({ id: 'new' }));
      source.store.cause = { ...cause, asOf: undefined };
      assert.match(look(rootItems().at(-1)!).spoken, /, Not read yet$/);
    });
  });

  it('say not read yet before the first answer', () => {
    list(deployment({ id: 'new' }));
    assert.equal(rootItems().at(-1)!.description, 'not read yet');
  });

  describe('when a deployment has left the list', () => {
    let row: TreeElement;
    beforeEach(() => {
      list(...three);
      row = provider.getChildren()[0]!;
      source.store.deployments = [];
    });

    it('have none below', () => {
      assert.deepEqual(provider.getChildren(row), []);
    });

    it('say not read yet', () => {
      assert.equal(provider.getTreeItem(row).description, 'not read yet');
    });
  });
});
