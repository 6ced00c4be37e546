import * as vscode from 'vscode';
import type { DeploymentAuthorization } from '../../../src/api/authorization.js';
import { ApiError } from '../../../src/api/failure.js';
import type { GroupName } from '../../../src/model/groups.js';
import type { TreeElement } from '../../../src/model/tree/elements.js';
import { answerOf } from '../answers.js';
import { ManualClock } from '../manualClock.js';
import { billing, look, minutes, readIn, satisfied } from './fixtures.js';
import { createGraph } from './graph.js';
import { writeSetting } from './settings.js';
import { enter, recordWindow, replace, settle } from './windowRecorder.js';

const acme = { name: 'Acme', baseUrl: 'https://acme.example/api/v1', token: 'tok-1234567890' };
const list = [
  { id: 'p1', group: 'payments' },
  { id: 'p2', group: 'payments' },
  { id: 'p3', group: 'payments' },
  { id: 'o1', group: 'ops' },
  { id: 'o2', group: 'ops' },
  { id: 'o3', group: 'ops' },
  { id: 'n1' },
  'n2',
];
const gone = new ApiError({ kind: 'notFound', status: 404 });
export const lacking: DeploymentAuthorization = {
  accounts: [],
  requirements: [{ binding: 'crm', satisfied: false }],
};
/** Finance Slack works. */
export const repaired: DeploymentAuthorization = {
  accounts: [{ id: 'acc_2', label: 'Finance Slack' }],
  requirements: [],
};
export const fixed: DeploymentAuthorization = {
  accounts: [],
  requirements: [{ binding: 'crm', satisfied: true }],
};
/** What the platform answers for each deployment; all others are healthy. */
const answersAtFirst: Readonly<Record<string, DeploymentAuthorization | ApiError>> = {
  p1: billing,
  o1: billing,
  o2: lacking,
  n1: gone,
};

/** A window with the focus that lists deployments of two groups and of none, and has read them. */
export async function openWindow(listed: readonly unknown[] = list) {
  const clock = new ManualClock(Date.now());
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
  const { services } = graph;
  const answers: Record<string, DeploymentAuthorization | ApiError> = { ...answersAtFirst };
  let sequence = 0;
  services.client.getDeploymentAuthorization = async (_, id) => {
    sequence += 1;
    const answer = answers[id] ?? satisfied;
    if (answer instanceof ApiError) throw answer;
    return answerOf(answer, { sentAt: clock.now(), sequence });
  };
  await writeSetting('automationPlatform.notifications.newProblems', true);
  await writeSetting('automationPlatform.deployments', listed);
  await services.organizations.signIn(acme);
  await settle();
  const view: typeof graph.view & Partial<vscode.TreeView<TreeElement>> = graph.view;
  const provider = graph.app.deploymentRows;
  const rows = () =>
    provider.getChildren().map((element) => look(provider.getTreeItem(element)).text);
  const focus = (focused: boolean) => {
    window.state = { focused, active: focused };
    states.fire(window.state);
    return settle();
  };
  return {
    ...graph,
    answers,
    clock,
    item,
    shown,
    view,
    rows,
    choose: (...groups: readonly GroupName[]) => services.myGroups.choose(groups),
    /** Takes the focus for nine minutes, in which these answers change, and gives it back. */
    away: async (changed: Readonly<Record<string, DeploymentAuthorization>>) => {
      await focus(false);
      clock.pass(minutes(9));
      Object.assign(answers, changed);
      await focus(true);
    },
    rowsWithHideHealthy: async () => {
      await services.filter.set(true);
      const shownRows = rows();
      await services.filter.set(false);
      return shownRows;
    },
    offered: async () => {
      shown.picks.length = 0;
      await graph.run('goToDeployment');
      return shown.picks.map(({ label }) => label);
    },
    reportTitle: async () => {
      await graph.run('copyReport');
      const [title = ''] = (await vscode.env.clipboard.readText()).split('\n');
      return title.replace(/ · Read .*/, '');
    },
    hoverLines: () =>
      readIn(item.tooltip)
        .replaceAll(/\[([^\]]*)\]\(command:[^)]*\)/g, '$1')
        .split('\n')
        .filter((line) => line !== ''),
  };
}
