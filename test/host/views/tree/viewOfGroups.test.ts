import { strict as assert } from 'node:assert';
import type { Answer } from '../../../../src/api/answer.js';
import type { DeploymentAuthorization } from '../../../../src/api/authorization.js';
import type { Roots } from '../../../../src/host/grouping.js';
import type { TreeElement } from '../../../../src/model/tree/elements.js';
import { rootsByGroup } from '../../../../src/model/tree/groups.js';
import { answerOf } from '../../../support/answers.js';
import { ManualClock } from '../../../support/manualClock.js';
import { atEndOfTest } from '../../../support/window/endOfTest.js';
import { billing, now, organization, satisfied } from '../../../support/window/fixtures.js';
import { createGraph, type Graph } from '../../../support/window/graph.js';
import { lacking, openWindow } from '../../../support/window/groupsWindow.js';
import { settle } from '../../../support/window/windowRecorder.js';

const payments = 'group:payments';

/** A window grouped by `by`, in which the group payments alone is chosen. */
async function openWithChoice(by: Roots) {
  const window = await openWindow();
  await window.services.grouping.set(by);
  await window.choose('payments');
  window.rows();
  const ids = (elements: readonly TreeElement[]) => elements.map(({ id }) => id);
  return {
    ...window,
    revealedIds: () => ids(window.view.revealed),
    openedIds: () => ids(window.view.opened),
    focusedIds: () => ids(window.view.focused),
  };
}

/** The IDs of the first rows of a failing deployment, of a healthy one, and of one of another group. */
const rowIds: Readonly<Record<Roots, readonly [failing: string, healthy: string, other: string]>> =
  {
    deployment: ['deployment:p1', 'deployment:p2', 'deployment:o3'],
    group: [`${payments}/deployment:p1`, `${payments}/deployment:p2`, 'group:ops/deployment:o3'],
    account: ['["account","acc_2"]/member:p1', 'noAccount/member:p2', 'noAccount/member:o3'],
  };

for (const by of ['deployment', 'group', 'account'] as const) {
  const [failing, healthy, other] = rowIds[by];

  describe(`the view by ${by} while groups are chosen,`, () => {
    it('reveals a deployment of these groups, and leaves out the others', async () => {
      const { revealedIds, services } = await openWithChoice(by);
      await services.reveal('p1');
      assert.deepEqual(revealedIds(), [failing]);
      assert.equal(services.myGroups.isLimited, true);
    });

    it('reveals a healthy deployment of these groups that Hide Healthy hides', async () => {
      const { revealedIds, services } = await openWithChoice(by);
      await services.filter.set(true);
      await services.reveal('p2');
      assert.deepEqual(revealedIds(), [healthy]);
      assert.equal(services.myGroups.isLimited, true);
    });

    it('shows all groups to reveal a deployment of another one', async () => {
      const { revealedIds, services } = await openWithChoice(by);
      await services.reveal('o3');
      assert.deepEqual(revealedIds(), [other]);
      assert.equal(services.myGroups.isLimited, false);
    });

    it('selects a deployment of these groups, and no other one', async () => {
      const { revealedIds, services } = await openWithChoice(by);
      await services.select('o1');
      await services.select('p1');
      assert.deepEqual(revealedIds(), [failing]);
    });

    it('opens a deployment of these groups, and no other one', async () => {
      const { openedIds, services } = await openWithChoice(by);
      await services.open('o1');
      await services.open('p1');
      assert.deepEqual(openedIds(), [failing]);
    });

    it('has the focus on a deployment of these groups after a removal', async () => {
      const { focusedIds, services } = await openWithChoice(by);
      await services.focusAfterRemoval('p1');
      assert.deepEqual(focusedIds(), [failing]);
    });
  });
}

describe('the view by group', () => {
  for (const move of ['reveal', 'focus', 'select', 'focusAfterRemoval'] as const) {
    it(`goes on drawing rows below other groups after “${move}”`, async () => {
      const { app, services, view } = await openWindow();
      await services.grouping.set('group');
      const provider = app.deploymentRows;
      view.reveal = async () => {
        // As VS Code does to find the row of a new group.
        provider.getChildren();
      };
      const drawn: string[] = [];
      /** Asks for all rows, as VS Code does when all groups are opened. */
      const drawAll = () => {
        for (const root of provider.getChildren()) provider.getChildren(root);
      };
      drawAll();
      const drawing = provider.onDidChangeTreeData((rows) => {
        if (rows === undefined) drawAll();
        else drawn.push(...rows.map(({ id }) => id));
      });
      atEndOfTest(() => drawing.dispose());

      await services[move]('p1');
      provider.redraw(new Set(['o3']));

      assert.deepEqual(drawn, ['group:ops/deployment:o3']);
    });
  }
});

describe('a group of which a deployment newly fails while the user is away', () => {
  const openAway = async () => {
    const window = await openWindow();
    await window.services.grouping.set('group');
    await window.away({ p2: lacking });
    const provider = window.app.deploymentRows;
    const group = provider.getChildren().find(({ id }) => id === payments)!;
    return {
      ...window,
      group,
      isNew: () => {
        const problem = window.services.store.get('p2')!.answer!.findings.problems[0]!;
        return window.services.changesWhileAway.isNew('p2', problem);
      },
    };
  };

  it('marks nothing as seen when it is selected', async () => {
    const { group, isNew, view } = await openAway();
    view.selected.fire({ selection: [group] });
    assert.equal(isNew(), true);
  });

  it('marks nothing as seen when it is opened and closed', async () => {
    const { group, isNew, view } = await openAway();
    view.expanded.fire({ element: group });
    view.collapsed.fire({ element: group });
    assert.equal(isNew(), true);
  });

  it('marks a deployment below it as seen when that is selected', async () => {
    const { app, group, isNew, view } = await openAway();
    const row = app.deploymentRows.getChildren(group).find(({ copyId }) => copyId === 'p2')!;
    view.selected.fire({ selection: [row] });
    assert.equal(isNew(), false);
  });
});

describe('the first reading', () => {
  /**
   * Reads `b`, which fails, and a second later `c`, while `a` is on its way. Before that, does something
   * to the row of their group.
   */
  async function readFirst(touch: (view: Graph['view'], element: TreeElement) => void) {
    const clock = new ManualClock(now);
    const token = { AUTOMATION_PLATFORM_TOKEN: 'token-of-the-environment' };
    const env = { ...token, AUTOMATION_PLATFORM_BASE_URL: organization.baseUrl };
    const graph = createGraph(env, { clock });
    const { organizations, store } = graph.services;
    await organizations.ready;
    store.setListed(['a', 'b', 'c'].map((id) => ({ id, group: 'payments' })));
    const [group] = rootsByGroup(store.deployments, graph.services);
    touch(graph.view, group!);
    const ends = new Map<string, () => void>();
    const read = (id: string) =>
      new Promise<Answer<DeploymentAuthorization>>((resolve) => {
        ends.set(id, () => resolve(answerOf(id === 'b' ? billing : satisfied)));
      });
    store.setOrganization({ id: organization.id, read });
    const done = store.refresh();
    for (const id of 'bc') {
      ends.get(id)!();
      await settle();
      clock.pass(1000);
    }
    const ids = store.deployments.map(({ id }) => id);
    ends.get('a')!();
    await done;
    return ids.join('');
  }

  it('sorts failing deployments to the top while no group is opened', async () => {
    assert.equal(await readFirst(() => undefined), 'bac');
  });

  it('keeps the order while a group is opened', async () => {
    const order = await readFirst((view, element) => view.expanded.fire({ element }));
    assert.equal(order, 'abc');
  });

  it('sorts once a group is closed again', async () => {
    const order = await readFirst((view, element) => {
      view.expanded.fire({ element });
      view.collapsed.fire({ element });
    });
    assert.equal(order, 'bac');
  });
});
