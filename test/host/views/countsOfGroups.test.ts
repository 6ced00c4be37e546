import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import type { GroupName } from '../../../src/model/groups.js';
import { linesOf, minutes, satisfied } from '../../support/window/fixtures.js';
import { fixed, lacking, openWindow, repaired } from '../../support/window/groupsWindow.js';
import { Workspace, writeSetting } from '../../support/window/settings.js';
import { settle } from '../../support/window/windowRecorder.js';

interface Expected {
  readonly chosen: readonly GroupName[];
  readonly header: string;
  readonly badge: readonly [value: number, tooltip: string];
  readonly status: string;
  readonly spoken: string;
  readonly hover: readonly string[];
  readonly rows: readonly string[];
  readonly rowsWithHideHealthy: readonly string[];
  readonly offered: readonly string[];
  readonly report: string;
  readonly newProblem: string;
}

/** What each surface shows with these groups chosen. */
const cases: Readonly<Record<string, Expected>> = {
  'no group is': {
    chosen: [],
    header: '3 failing · Acme',
    badge: [3, '3 failing, 1 unknown'],
    status: '$(error) 3 deployments failing',
    spoken: 'Automation Platform: 3 deployments failing, 1 unknown',
    hover: [
      '**Acme** · 3 failing, 1 unknown',
      '- Finance Slack failed · o1, p1',
      '- crm not satisfied · o2',
      '- 1 unknown',
      '  - Not found (404) · n1',
    ],
    rows: [
      'o1 | Finance Slack failed',
      'p1 | Finance Slack failed',
      'o2 | not satisfied',
      'n1 | Not found',
      'n2',
      'o3',
      'p2',
      'p3',
    ],
    rowsWithHideHealthy: [
      'o1 | Finance Slack failed',
      'p1 | Finance Slack failed',
      'o2 | not satisfied',
      'n1 | Not found',
      '4 healthy hidden',
    ],
    offered: ['o1', 'p1', 'o2', 'n1', 'n2', 'o3', 'p2', 'p3'],
    report: '# 8 deployments: 3 failing, 1 unknown',
    newProblem: 'crm not satisfied in 2 deployments.',
  },
  'one group is': {
    chosen: ['payments'],
    header: 'payments · 1 failing · Acme',
    badge: [1, 'payments · 1 failing'],
    status: '$(error) payments · 1 deployment failing',
    spoken: 'Automation Platform: payments, 1 deployment failing',
    hover: [
      '**Acme** · payments · 1 failing',
      '- Finance Slack failed · p1',
      '5 in other groups · 2 failing, 1 unknown',
    ],
    rows: ['p1 | Finance Slack failed', 'p2', 'p3', '5 in other groups · 2 failing, 1 unknown'],
    rowsWithHideHealthy: [
      'p1 | Finance Slack failed',
      '2 healthy hidden',
      '5 in other groups · 2 failing, 1 unknown',
    ],
    offered: ['p1', 'p2', 'p3', '5 in other groups · 2 failing, 1 unknown'],
    report: '# payments · 3 deployments: 1 failing',
    newProblem: 'payments: New problem in p2: crm is not satisfied.',
  },
  'two groups are': {
    chosen: [undefined, 'ops'],
    header: 'ops +1 · 2 failing · Acme',
    badge: [2, 'ops +1 · 2 failing, 1 unknown'],
    status: '$(error) ops +1 · 2 deployments failing',
    spoken: 'Automation Platform: ops +1, 2 deployments failing, 1 unknown',
    hover: [
      '**Acme** · ops +1 · 2 failing, 1 unknown',
      '- Finance Slack failed · o1',
      '- crm not satisfied · o2',
      '- 1 unknown',
      '  - Not found (404) · n1',
      '3 in other groups · 1 failing',
    ],
    rows: [
      'o1 | Finance Slack failed',
      'o2 | not satisfied',
      'n1 | Not found',
      'n2',
      'o3',
      '3 in other groups · 1 failing',
    ],
    rowsWithHideHealthy: [
      'o1 | Finance Slack failed',
      'o2 | not satisfied',
      'n1 | Not found',
      '2 healthy hidden',
      '3 in other groups · 1 failing',
    ],
    offered: ['o1', 'o2', 'n1', 'n2', 'o3', '3 in other groups · 1 failing'],
    report: '# ops, No group · 5 deployments: 2 failing, 1 unknown',
    newProblem: 'ops +1: New problem in n2: crm is not satisfied.',
  },
};
const all = cases['no group is']!;

for (const [what, expected] of Object.entries({
  ...cases,
  'every group is': { ...all, chosen: ['payments', 'ops', undefined] },
  'a group that is gone is': { ...all, chosen: ['gone'] },
})) {
  describe(`while ${what} chosen,`, () => {
    async function openWithChoice() {
      const window = await openWindow();
      await window.choose(...expected.chosen);
      return window;
    }

    it(`the header is “${expected.header}”`, async () => {
      const { view } = await openWithChoice();
      assert.equal(view.description, expected.header);
    });

    it(`the badge is ${expected.badge.join(', ')}`, async () => {
      const { badge } = (await openWithChoice()).view;
      assert.deepEqual([badge?.value, badge?.tooltip], expected.badge);
    });

    it(`the status bar shows “${expected.status}”`, async () => {
      const { item } = await openWithChoice();
      assert.equal(item.text, expected.status);
    });

    it(`the status bar tells a screen reader “${expected.spoken}”`, async () => {
      const { item } = await openWithChoice();
      assert.equal(item.accessibilityInformation?.label, expected.spoken);
    });

    it('the hover of the status bar has the causes of what counts', async () => {
      const { hoverLines } = await openWithChoice();
      assert.deepEqual(hoverLines(), expected.hover);
    });

    it('the tree has rows of what counts', async () => {
      const { rows } = await openWithChoice();
      assert.deepEqual(rows(), expected.rows);
    });

    it('Hide Healthy counts what it hides', async () => {
      const { rowsWithHideHealthy } = await openWithChoice();
      assert.deepEqual(await rowsWithHideHealthy(), expected.rowsWithHideHealthy);
    });

    it('Go to Deployment offers what counts', async () => {
      const { offered } = await openWithChoice();
      assert.deepEqual(await offered(), expected.offered);
    });

    it(`a report begins “${expected.report}”`, async () => {
      const { reportTitle } = await openWithChoice();
      assert.equal(await reportTitle(), expected.report);
    });

    it(`new problems are “${expected.newProblem}”`, async () => {
      const { answers, services, shown } = await openWithChoice();
      Object.assign(answers, { p2: lacking, n2: lacking });
      await services.store.refresh();
      await settle();
      assert.deepEqual(
        shown.messages.map(([, text]) => text),
        [expected.newProblem],
      );
    });
  });
}

describe('while groups are chosen,', () => {
  it('nothing is said of new problems in other groups', async () => {
    const { answers, choose, services, shown } = await openWindow();
    await choose('payments');
    Object.assign(answers, { o3: lacking });
    await services.store.refresh();
    await settle();
    assert.deepEqual(shown.messages, []);
  });

  it('changes while the user was away are counted in these groups alone', async () => {
    const { away, choose, shown } = await openWindow();
    await choose('payments');
    await away({ p1: satisfied, p2: lacking, p3: lacking, o1: satisfied, o3: lacking });
    assert.match(
      shown.statusMessages.join('\n'),
      /^payments · Failing deployments: 2 new, 1 fixed since [^\n]+$/,
    );
  });

  it('nothing is said of changes in other groups while the user was away', async () => {
    const { away, choose, shown } = await openWindow();
    await choose('payments');
    await away({ o1: satisfied, o3: lacking });
    assert.deepEqual(shown.statusMessages, []);
  });

  it('a deployment of another group that newly fails is marked when all are shown', async () => {
    const { away, choose, services, rows } = await openWindow();
    await choose('payments');
    await away({ o3: lacking });
    services.myGroups.showAll();
    assert.ok(rows().includes('o3 | not satisfied · new'), rows().join('\n'));
  });

  it('Notify When Fixed tells of a problem of another group', async () => {
    const { answers, choose, run, row, services, shown } = await openWindow();
    await run('notifyWhenFixed', row('o2'));
    await choose('payments');
    shown.messages.length = 0;
    answers['o2'] = fixed;
    await services.store.refresh();
    await settle();
    assert.deepEqual(
      shown.messages.map(([, text]) => text),
      ['crm in o2 is satisfied. 1 deployment has no problem left.'],
    );
  });

  it('the header does not call everything healthy', async () => {
    const { choose, view } = await openWindow(['n1', { id: 'p2', group: 'payments' }]);
    await choose('payments');
    assert.equal(view.description, 'payments · 1 healthy · Acme');
  });

  it('the status bar does not call everything healthy', async () => {
    const { choose, item } = await openWindow(['n1', { id: 'p2', group: 'payments' }]);
    await choose('payments');
    assert.equal(item.text, '$(pass) payments: healthy');
  });

  it('Hide Healthy does not say that all are healthy', async () => {
    const { choose, rowsWithHideHealthy } = await openWindow([
      'n2',
      { id: 'p2', group: 'payments' },
    ]);
    await choose('payments');
    assert.deepEqual(await rowsWithHideHealthy(), ['1 healthy hidden', '1 in other groups']);
  });

  it('only an old answer of these groups makes the counts old', async () => {
    const { choose, clock, services, view } = await openWindow();
    await writeSetting('automationPlatform.refreshInterval', 0);
    clock.pass(minutes(30));
    await services.store.refresh(['p1', 'p2', 'p3']);
    await choose('payments');
    assert.equal(view.description, 'payments · 1 failing · Acme');
  });
});

/** The first line of the hover of `p1`, and the description of its pick. */
async function shownOfP1(listed: readonly unknown[]) {
  const { app, services, shown, offered } = await openWindow(listed);
  await services.grouping.set('deployment');
  const provider = app.deploymentRows;
  const row = provider.getChildren().find(({ copyId }) => copyId === 'p1')!;
  const { tooltip } = provider.resolveTreeItem(provider.getTreeItem(row), row);
  assert.ok(tooltip instanceof vscode.MarkdownString);
  await offered();
  return {
    hover: linesOf(tooltip)[0],
    pick: shown.picks.find(({ label }) => /^(?:p1|Billing)/.test(label))?.description,
  };
}

describe('the name of a deployment’s group', () => {
  const inPayments = [{ id: 'p1', group: 'payments' }, 'n2'];

  it('stands after name and ID in the hover', async () => {
    const { hover } = await shownOfP1([{ id: 'p1', label: 'Billing', group: 'payments' }, 'n2']);
    assert.equal(hover, '$(error) Billing · p1 · payments');
  });

  it('stands in the hover of a deployment without a label', async () => {
    const { hover } = await shownOfP1(inPayments);
    assert.equal(hover, '$(error) p1 · payments');
  });

  it('is missing in the hover of a deployment without a group', async () => {
    const { hover } = await shownOfP1(['p1', 'n2']);
    assert.equal(hover, '$(error) p1');
  });

  it('can be typed to find the deployment in a quick pick', async () => {
    const { pick } = await shownOfP1(inPayments);
    assert.match(pick!, /^Failing · Finance Slack failed.* · payments$/);
  });

  it('is missing in a quick pick of a deployment without a group', async () => {
    const { pick } = await shownOfP1(['p1', 'n2']);
    assert.match(pick!, /Finance Slack failed[^·]*$/);
  });
});

describe('a report of chosen groups', () => {
  const today = new Date().toISOString().slice(0, 10);
  const until = { since: today, until: today, reason: 'FIN-1' };
  const ofFinance = { account: 'acc_2', error: 'token_revoked', ...until };
  const ofCrm = { deployment: 'o2', requirement: 'crm', missing: [], ...until };

  /** A report of payments, in which Finance Slack works; in ops it fails. */
  async function reportOfPayments(entry: object) {
    const { answers, choose, run, services } = await openWindow();
    await writeSetting('automationPlatform.mutes', [entry], Workspace);
    Object.assign(answers, { p1: repaired, o2: fixed });
    await services.store.refresh();
    await settle();
    await choose('payments');
    await run('copyReport');
    return vscode.env.clipboard.readText();
  }

  it('calls no mute obsolete that mutes an account in another group', async () => {
    assert.doesNotMatch(await reportOfPayments(ofFinance), /Obsolete/);
  });

  it('says nothing of an obsolete mute in another group', async () => {
    assert.doesNotMatch(await reportOfPayments(ofCrm), /Obsolete/);
  });
});
