import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { ReferenceTargets } from '../../../src/model/references/targets.js';
import {
  ambiguousNames,
  ProblemDiagnostic,
  reportsOn,
} from '../../../src/views/editor/diagnostics.js';
import { quickFixes } from '../../../src/views/editor/quickFixes.js';
import { accountHover, deploymentHover } from '../../../src/views/hover.js';
import { newProblemsSentence, worstNewCause } from '../../../src/views/newProblems.js';
import { statusHover } from '../../../src/views/statusBar.js';
import { account, healthy } from '../../support/platform/data.js';
import { organization } from '../../support/window/fixtures.js';
import { startWorld, type World } from '../../support/window/graph.js';
import { notificationsOf, recordWindow } from '../../support/window/windowRecorder.js';

const ops = account({
  id: 'acc_ops',
  label: 'Ops Slack',
  serviceId: 'slack',
  error: { code: 'token_revoked' },
});
const failing = { accounts: [ops], requirements: [] };

/** The names in a Markdown text, which holds numeric references in place of punctuation. */
function namesIn(text: string): readonly string[] {
  const read = text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
  return Array.from(read.matchAll(/Nightly sync(?: \(`?\w+`?\)| · \w+)?/g), ([name]) => name);
}

describe('deployments that share a label', () => {
  let world: World;
  beforeEach(async () => {
    world = await startWorld();
    const { platform, signIn, graph } = world;
    await signIn();
    for (const id of ['twin_eu', 'twin_us']) platform.putDeployment(id, failing);
    platform.putDeployment('fine_1', healthy());
    platform.putDeployment('fine_2', healthy());
    const label = 'Nightly sync';
    const fine = ['fine_1', 'fine_2'].map((id) => ({ id, label: 'Fine' }));
    await graph.read({ id: 'twin_eu', label }, { id: 'twin_us', label }, ...fine);
  });
  const both = ['Nightly sync (twin_eu)', 'Nightly sync (twin_us)'];
  const get = (id: string) => world.graph.services.store.get(id)!;
  const context = () => ({
    organization,
    isOneOfSeveral: false,
    cause: undefined,
    now: Date.now(),
    hasDashboard: false,
    ...world.graph.services,
  });

  it('carry their IDs in rows and spoken names, and below an account', async () => {
    const { graph } = world;
    for (const isByAccount of [false, true]) {
      await graph.services.grouping.set(isByAccount);
      const items = graph
        .items()
        .filter(({ label }) => typeof label === 'string' && label.startsWith('Nightly'));
      assert.deepEqual(
        items.map(({ label }) => label),
        both,
      );
      const spoken = items.map(
        ({ accessibilityInformation }) => accessibilityInformation?.label.split(',')[0],
      );
      assert.deepEqual(spoken, both);
    }
  });

  it('carry their IDs once in quick picks of deployments and of problems', async () => {
    const { graph, platform } = world;
    const shown = recordWindow();
    await graph.run('goToDeployment');
    // Of one problem alone nobody is asked which.
    const crm = account({ id: 'acc_crm', label: 'CRM', error: {} });
    platform.putDeployment('fine_2', { accounts: [crm], requirements: [] });
    await graph.services.store.refresh();
    await graph.run('muteProblem');
    assert.deepEqual(
      shown.picks.map(({ label, description }) => `${label}: ${description}`),
      [
        ...both.map((name) => `${name}: Failing · Ops Slack failed`),
        'Fine (fine_1): Healthy',
        'Fine (fine_2): Healthy',
        'CRM failed: Fine (fine_2)',
        `Ops Slack failed: ${both[0]}`,
      ],
    );
  });

  it('carry their IDs in hovers', () => {
    const deployment = get('twin_eu');
    const [finding] = deployment.answer!.findings.accounts;
    const hovers = [
      deploymentHover(deployment, context()),
      accountHover(finding!, deployment, context()),
      statusHover(organization, world.graph.services.store, world.graph.services.memory),
    ];
    assert.deepEqual(
      hovers.map(({ value }) => namesIn(value.replaceAll(/\]\([^)]*\)/g, '').replaceAll('*', ''))),
      [['Nightly sync · twin_eu', both[1]], both, both],
    );
  });

  it('carry their IDs in requests and reports', async () => {
    const { graph } = world;
    await notificationsOf(() => graph.run('copyRequest', graph.row('twin_eu')));
    const request = await vscode.env.clipboard.readText();
    const rows = ['twin_eu', 'twin_us', 'fine_1', 'fine_2'].map((id) => graph.row(id));
    await notificationsOf(() => graph.run('copyReport', rows[0], rows));
    const report = await vscode.env.clipboard.readText();
    assert.deepEqual([namesIn(request), namesIn(report)], [both, both]);
    assert.match(report, /2 healthy: `Fine \(fine_1\)`, `Fine \(fine_2\)`/);
  });

  it('carry their IDs in diagnostics and quick fixes', () => {
    const { impact, memory, store } = world.graph.services;
    const targets = new ReferenceTargets(world.graph.services);
    const reports = ['twin_eu', 'twin_us'].flatMap((id) =>
      reportsOn(id, targets.problemsOf(id), ambiguousNames(store.deployments, memory), impact),
    );
    const failed = 'Ops Slack (slack) failed: token_revoked';
    assert.deepEqual(
      reports.map(({ message }) => message),
      both.map((name) => `${name}: ${failed}`),
    );
    const place = new vscode.Range(0, 0, 0, 1);
    const diagnostics = reports.map(
      ({ message, reported }) =>
        new ProblemDiagnostic(place, message, vscode.DiagnosticSeverity.Warning, reported),
    );
    const fixes = quickFixes(diagnostics, diagnostics, () => false);
    const copies = fixes
      .map(({ title }) => title)
      .filter((title) => title.startsWith('Copy Request'));
    assert.deepEqual(
      copies,
      both.map((name) => `Copy Request: ${name}`),
    );
  });

  it('carry their IDs in notifications and questions', async () => {
    const { graph } = world;
    const [problem] = get('twin_us').answer!.findings.problems;
    const found = [{ deployment: get('twin_us'), problem: problem! }];
    const fresh = newProblemsSentence(
      worstNewCause(found, [get('twin_us')], graph.services.memory),
    );
    assert.match(fresh, /^New problem in Nightly sync \(twin_us\): /);
    graph.view.selection = [graph.row('twin_us')];
    const [question] = await notificationsOf(() =>
      graph.run('removeDeployment', { selection: true }),
    );
    assert.equal(question?.[1], 'Remove “Nightly sync (twin_us)” from the list?');
    const [left] = await notificationsOf(() => graph.run('refreshDeployment', 'twin_us'));
    assert.match(left?.[1] ?? '', /^Nightly sync \(twin_us\): Ops Slack/);
  });

  it('are asked for a new label with the label alone', async () => {
    const { graph } = world;
    const shown = recordWindow();
    await graph.run('setDeploymentLabel', graph.row('twin_us'));
    assert.deepEqual(shown.offered, ['Nightly sync']);
  });

  it('lose their IDs when the other one leaves the list', async () => {
    const { graph } = world;
    const before = graph.row('twin_us');
    await graph.read({ id: 'twin_us', label: 'Nightly sync' });
    assert.deepEqual(
      graph
        .items()
        .map(({ label }) => label)
        .slice(0, 1),
      ['Nightly sync'],
    );
    assert.equal(graph.row('twin_us').id, before.id);
  });
});
