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
  services.client.getDeploymentAuthorization = async (_, id) =>
    answerOf(answers[id]!, { sentAt: clock.now(), sequence: ++sequence });
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
    /** As the window says when all was read first. */
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
    /** What a screen reader says of the item. */
    said: () => item.accessibilityInformation?.label,
    /** Loses the focus, and has it back after so many minutes, in which this changes. */
    away: async (
      length: number,
      changed: Readonly<Record<string, DeploymentAuthorization>> = {},
    ) => {
      await focus(false);
      clock.pass(minutes(length));
      Object.assign(answers, changed);
      await focus(true);
    },
  };
}

/** One has come, and one has gone. */
const exchanged = { dep_billing: repaired, dep_review: lacking };

describe('a window without the focus', () => {
  it('says in header, status bar, and badge as of when its counts were true, once they are old', async () => {
    const { clock, focus, header, item, view, said, time } = await openWindow();
    await focus(false);
    clock.pass(minutes(10) - 1);
    const young = [header(), item.text, said()];
    assert.deepEqual(young, [
      '1 failing · Acme',
      '$(error) 1 deployment failing',
      'Automation Platform: 1 deployment failing',
    ]);
    clock.pass(1);
    const asOf = `as of ${time}`;
    assert.deepEqual(
      [header(), item.text, said()],
      [
        `1 failing · ${asOf} · Acme`,
        `$(error) 1 deployment failing · ${asOf}`,
        `Automation Platform: 1 deployment failing, ${asOf}`,
      ],
    );
    const { badge }: Partial<vscode.TreeView<unknown>> = view;
    assert.equal(badge?.tooltip, `1 failing · ${asOf}`);
    assert.match(readIn(item.tooltip), new RegExp(`^\\*\\*Acme\\*\\* · 1 failing · ${asOf}$`, 'm'));
  });

  it('says it of no other time after the reading that follows its return', async () => {
    const { away, header, item } = await openWindow();
    await away(60);
    assert.deepEqual([header(), item.text], ['1 failing · Acme', '$(error) 1 deployment failing']);
  });

  it('leaves the icons of rows as they are', async () => {
    const { away, app } = await openWindow({ refreshInterval: 0 });
    const icons = () =>
      app.deploymentRows.getChildren().map((one) => look(app.deploymentRows.getTreeItem(one)).icon);
    const before = icons();
    await away(60);
    assert.deepEqual(icons(), before);
  });

  it('says it in Go to Deployment, too, where nothing is read by itself', async () => {
    const { away, run, shown, time } = await openWindow({ refreshInterval: 0 });
    await away(60);
    await run('goToDeployment');
    assert.equal(shown.titles.at(-1), `Go to Deployment · as of ${time}`);
  });
});

describe('after a return', () => {
  it('the status bar says what came and what went, although the counts are the same', async () => {
    const { away, header, shown, time } = await openWindow();
    await away(9, exchanged);
    assert.equal(header(), '1 failing · Acme');
    assert.deepEqual(shown.statusMessages, [`Failing deployments: 1 new, 1 fixed since ${time}`]);
    assert.deepEqual(shown.messages, []);
  });

  it('the status bar says nothing where nothing changed', async () => {
    const { away, shown } = await openWindow();
    await away(60);
    assert.deepEqual(shown.statusMessages, []);
  });

  it('the status bar says nothing where the summary is turned off, and rows say what is new', async () => {
    const { away, shown, rows } = await openWindow({ 'statusBar.enabled': false });
    await away(9, exchanged);
    assert.deepEqual(
      [shown.statusMessages, rows()[0]],
      [[], 'Access review | not satisfied · new'],
    );
  });

  it('what came is new in its row, also for a screen reader', async () => {
    const { away, rows, spoken } = await openWindow();
    await away(9, exchanged);
    assert.deepEqual(rows(), ['Access review | not satisfied · new', 'Billing sync']);
    assert.match(spoken()[0]!, /^Access review, deployment, .*, new$/);
  });

  it('what came is new until its row is selected', async () => {
    const { away, rows, view, first, drawn } = await openWindow();
    await away(9, exchanged);
    drawn.length = 0;
    view.selected.fire({ selection: [first()] });
    assert.deepEqual([rows()[0], drawn], ['Access review | not satisfied', ['dep_review']]);
  });

  it('what came is new until its row is opened', async () => {
    const { away, rows, view, first } = await openWindow();
    await away(9, exchanged);
    view.expanded.fire({ element: first() });
    assert.equal(rows()[0], 'Access review | not satisfied');
  });

  it('what came is new until its row is closed, as by a click on the row that was selected before', async () => {
    const { away, rows, view, first } = await openWindow();
    await away(9, exchanged);
    view.collapsed.fire({ element: first() });
    assert.equal(rows()[0], 'Access review | not satisfied');
  });

  it('what came stays new in the rows of a group that is opened', async () => {
    const { away, rows, view, first, services } = await openWindow();
    await services.grouping.set(true);
    await away(9, { dep_review: billing });
    view.expanded.fire({ element: first() });
    assert.match(rows()[0]!, / · new$/);
    view.selected.fire({ selection: [first()] });
    assert.doesNotMatch(rows()[0]!, /new/);
  });

  it('what came is new in the row of its account, too', async () => {
    const { away, rows, services } = await openWindow();
    await services.grouping.set(true);
    await away(9, { dep_review: billing });
    assert.match(rows()[0]!, /^Finance Slack \| .* · new$/);
  });

  it('what came is no longer new once it is muted', async () => {
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

describe('awaySentence()', () => {
  for (const [newCount, changedCount, fixedCount, expected] of [
    [1, 0, 1, '1 new, 1 fixed'],
    [1, 2, 1, '1 new, 2 changed, 1 fixed'],
    [2000, 0, 0, '2,000 new'],
    [0, 6, 0, '6 changed'],
    [0, 0, 3, '3 fixed'],
  ] as const) {
    it(`says what there is: ${expected}`, () => {
      const sentence = awaySentence({ newCount, changedCount, fixedCount, since: now }, now);
      assert.equal(sentence, `Failing deployments: ${expected} since ${clockTime(now, now)}`);
    });
  }
});
