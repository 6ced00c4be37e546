import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import type { DeploymentAuthorization } from '../../../src/api/authorization.js';
import { clockTime } from '../../../src/host/text/format.js';
import { awaySentence } from '../../../src/views/changesWhileAway.js';
import { answerOf } from '../../support/answers.js';
import { ManualClock } from '../../support/manualClock.js';
import { billing, look, minutes, now, readIn, satisfied } from '../../support/window/fixtures.js';
import { createGraph } from '../../support/window/graph.js';
import { writeSetting } from '../../support/window/settings.js';
import { enter, recordWindow, replace, settle } from '../../support/window/windowRecorder.js';

const acme = { name: 'Acme', baseUrl: 'https://acme.example/api/v1', token: 'tok-1234567890' };
const list = [
  { id: 'dep_billing', label: 'Billing sync' },
  { id: 'dep_review', label: 'Access review' },
];
const repaired: DeploymentAuthorization = {
  accounts: [{ id: 'acc_2', label: 'Finance Slack' }],
  requirements: [],
};
const lacking: DeploymentAuthorization = {
  accounts: [],
  requirements: [{ binding: 'crm', satisfied: false }],
};

/** A window with the focus, in which Billing sync was read failing and Access review healthy. */
async function openWindow(settings: Readonly<Record<string, unknown>> = {}) {
  for (const [key, value] of Object.entries(settings))
    await writeSetting(`automationPlatform.${key}`, value);
  const start = Date.now();
  const clock = new ManualClock(start);
  const states = new vscode.EventEmitter<vscode.WindowState>();
  const item: Partial<vscode.StatusBarItem> = {
    show: () => undefined,
    hide: () => undefined,
    dispose: () => undefined,
  };
  const shown = recordWindow(() => enter);
  replace(vscode.window, { createStatusBarItem: () => item });
  const window = { state: { focused: true, active: true }, onDidChangeWindowState: states.event };
  const graph = createGraph({}, { clock, window });
  const { services, view } = graph;
  const asVsCodeHasIt: Partial<vscode.TreeView<unknown>> = view;
  const answers: Record<string, DeploymentAuthorization> = {
    dep_billing: billing,
    dep_review: satisfied,
  };
  let sequence = 0;
  services.client.getDeploymentAuthorization = async (_, id) => {
    sequence += 1;
    return answerOf(answers[id]!, { sentAt: clock.now(), sequence });
  };
  await writeSetting('automationPlatform.deployments', list);
  await services.organizations.signIn(acme);
  await settle();
  const provider = graph.app.deploymentRows;
  const rows = () => provider.getChildren().map((element) => look(provider.getTreeItem(element)));
  const drawn: (string | undefined)[] = [];
  provider.onDidChangeTreeData((elements) =>
    drawn.push(...(elements?.map(({ copyId }) => copyId) ?? ['all'])),
  );
  const focus = (focused: boolean) => {
    window.state = { focused, active: focused };
    states.fire(window.state);
    return settle();
  };
  return {
    ...graph,
    /** The time at which all was read first, as the window says it. */
    time: clockTime(start),
    answers,
    clock,
    shown,
    item,
    focus,
    /** The IDs of rows that were drawn again. */
    drawn,
    first: () => provider.getChildren()[0]!,
    rows: () => rows().map(({ text }) => text),
    spoken: () => rows().map(({ spoken }) => spoken),
    header: () => asVsCodeHasIt.description,
    /** What a screen reader says of the status bar's item. */
    spokenItem: () => item.accessibilityInformation?.label,
    /** Takes the focus for so many minutes, in which these answers change, and gives it back. */
    away: async (
      absenceMinutes: number,
      changed: Readonly<Record<string, DeploymentAuthorization>> = {},
    ) => {
      await focus(false);
      clock.pass(minutes(absenceMinutes));
      Object.assign(answers, changed);
      await focus(true);
    },
  };
}

/** Answers by which one deployment is newly failing, and one is fixed. */
const exchanged = { dep_billing: repaired, dep_review: lacking };

/** Opens a window, and takes the focus from it for this time. */
async function loseFocus(awayMs: number) {
  const window = await openWindow();
  await window.focus(false);
  window.clock.pass(awayMs);
  return { ...window, asOf: `as of ${window.time}` };
}

describe('a window without the focus', () => {
  describe('for less than ten minutes', () => {
    const awayMs = minutes(10) - 1;

    it('shows no time in the header of the view', async () => {
      const { header } = await loseFocus(awayMs);
      assert.equal(header(), '1 failing · Acme');
    });

    it('shows no time in the status bar', async () => {
      const { item } = await loseFocus(awayMs);
      assert.equal(item.text, '$(error) 1 deployment failing');
    });

    it('tells a screen reader no time', async () => {
      const { spokenItem } = await loseFocus(awayMs);
      assert.equal(spokenItem(), 'Automation Platform: 1 deployment failing');
    });
  });

  describe('for ten minutes', () => {
    const awayMs = minutes(10);

    it('shows the time of its counts in the header of the view', async () => {
      const { header, asOf } = await loseFocus(awayMs);
      assert.equal(header(), `1 failing · ${asOf} · Acme`);
    });

    it('shows the time of its counts in the status bar', async () => {
      const { item, asOf } = await loseFocus(awayMs);
      assert.equal(item.text, `$(error) 1 deployment failing · ${asOf}`);
    });

    it('tells a screen reader the time of its counts', async () => {
      const { spokenItem, asOf } = await loseFocus(awayMs);
      assert.equal(spokenItem(), `Automation Platform: 1 deployment failing, ${asOf}`);
    });

    it('shows the time of its counts in the hover of the badge', async () => {
      const { view, asOf } = await loseFocus(awayMs);
      const { badge }: Partial<vscode.TreeView<unknown>> = view;
      assert.equal(badge?.tooltip, `1 failing · ${asOf}`);
    });

    it('shows the time of its counts in the status bar’s hover', async () => {
      const { item, asOf } = await loseFocus(awayMs);
      const firstLine = new RegExp(`^\\*\\*Acme\\*\\* · 1 failing · ${asOf}$`, 'm');
      assert.match(readIn(item.tooltip), firstLine);
    });
  });
});

describe('a window with the focus again', () => {
  it('shows no time once all has been read again', async () => {
    const { away, header, item } = await openWindow();
    await away(60);
    assert.equal(header(), '1 failing · Acme');
    assert.equal(item.text, '$(error) 1 deployment failing');
  });

  it('keeps the icons of its rows while nothing is read', async () => {
    const { away, app } = await openWindow({ refreshInterval: 0 });
    const provider = app.deploymentRows;
    const icons = () => provider.getChildren().map((one) => look(provider.getTreeItem(one)).icon);
    const before = icons();
    await away(60);
    assert.deepEqual(icons(), before);
  });

  it('shows the time of its counts in Go to Deployment while nothing is read', async () => {
    const { away, run, shown, time } = await openWindow({ refreshInterval: 0 });
    await away(60);
    await run('goToDeployment');
    assert.equal(shown.titles.at(-1), `Go to Deployment · as of ${time}`);
  });

  it('says how many deployments are newly failing and fixed', async () => {
    const { away, shown, time } = await openWindow();
    await away(9, exchanged);
    assert.deepEqual(shown.statusMessages, [`Failing deployments: 1 new, 1 fixed since ${time}`]);
    assert.deepEqual(shown.messages, []);
  });

  it('counts all failing deployments in the header of the view', async () => {
    const { away, header } = await openWindow();
    await away(9, exchanged);
    assert.equal(header(), '1 failing · Acme');
  });

  it('says nothing when no deployment has changed', async () => {
    const { away, shown } = await openWindow();
    await away(60);
    assert.deepEqual(shown.statusMessages, []);
  });

  it('says nothing when the status bar is turned off', async () => {
    const { away, shown } = await openWindow({ 'statusBar.enabled': false });
    await away(9, exchanged);
    assert.deepEqual(shown.statusMessages, []);
  });
});

describe('the row of a newly failing deployment', () => {
  it('says “new” after an absence', async () => {
    const { away, rows } = await openWindow();
    await away(9, exchanged);
    assert.deepEqual(rows(), ['Access review | not satisfied · new', 'Billing sync']);
  });

  it('says “new” to a screen reader', async () => {
    const { away, spoken } = await openWindow();
    await away(9, exchanged);
    assert.match(spoken()[0]!, /^Access review, deployment, .*, new$/);
  });

  it('says “new” when the status bar is turned off', async () => {
    const { away, rows } = await openWindow({ 'statusBar.enabled': false });
    await away(9, exchanged);
    assert.equal(rows()[0], 'Access review | not satisfied · new');
  });

  it('says “new” until it is selected', async () => {
    const { away, rows, view, first } = await openWindow();
    await away(9, exchanged);
    view.selected.fire({ selection: [first()] });
    assert.equal(rows()[0], 'Access review | not satisfied');
  });

  it('is the only one that is drawn again when it is selected', async () => {
    const { away, view, first, drawn } = await openWindow();
    await away(9, exchanged);
    drawn.length = 0;
    view.selected.fire({ selection: [first()] });
    assert.deepEqual(drawn, ['dep_review']);
  });

  it('says “new” until it is opened', async () => {
    const { away, rows, view, first } = await openWindow();
    await away(9, exchanged);
    view.expanded.fire({ element: first() });
    assert.equal(rows()[0], 'Access review | not satisfied');
  });

  it('says “new” until it is closed by a click on the selected row', async () => {
    const { away, rows, view, first } = await openWindow();
    await away(9, exchanged);
    view.collapsed.fire({ element: first() });
    assert.equal(rows()[0], 'Access review | not satisfied');
  });

  it('says “new” until its problem is muted', async () => {
    const { away, rows, services, clock, app } = await openWindow();
    await away(9, exchanged);
    const deployment = services.store.get('dep_review')!;
    const problems = deployment.answer!.findings.problems.map((problem) => ({
      deployment,
      problem,
    }));
    services.memory.mute(problems, clock.now() + minutes(60));
    app.deploymentRows.getChildren();
    assert.doesNotMatch(rows().join(), /new/);
  });
});

/** Opens a window that groups by account, in which Access review is newly failing, too. */
async function openGrouped() {
  const window = await openWindow();
  await window.services.grouping.set('account');
  await window.away(9, { dep_review: billing });
  return window;
}

describe('the row of an account with a newly failing deployment', () => {
  it('says “new” after an absence', async () => {
    const { rows } = await openGrouped();
    assert.match(rows()[0]!, /^Finance Slack \| .* · new$/);
  });

  it('still says “new” when it is opened', async () => {
    const { rows, view, first } = await openGrouped();
    view.expanded.fire({ element: first() });
    assert.match(rows()[0]!, / · new$/);
  });

  it('says “new” until it is selected', async () => {
    const { rows, view, first } = await openGrouped();
    view.selected.fire({ selection: [first()] });
    assert.doesNotMatch(rows()[0]!, /new/);
  });
});

describe('awaySentence()', () => {
  for (const [newCount, changedCount, fixedCount, expected] of [
    [1, 0, 1, '1 new, 1 fixed'],
    [1, 2, 1, '1 new, 2 changed, 1 fixed'],
    [2000, 0, 0, '2,000 new'],
    [0, 6, 0, '6 changed'],
    [0, 0, 3, '3 fixed'],
  ] as const) {
    it(`leaves out each count of zero: ${expected}`, () => {
      const sentence = awaySentence({ newCount, changedCount, fixedCount, since: now }, now);
      assert.equal(sentence, `Failing deployments: ${expected} since ${clockTime(now, now)}`);
    });
  }
});
