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

/** The names of the deployments with one label in a Markdown text, which holds numeric references in place of punctuation. */
function namesIn(text: string): readonly string[] {
  const read = text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
  return Array.from(read.matchAll(/Nightly sync(?: \(`?\w+`?\)| · \w+)?/g), ([name]) => name);
}

function namesInHover({ value }: vscode.MarkdownString): readonly string[] {
  return namesIn(value.replaceAll(/\]\([^)]*\)/g, '').replaceAll('*', ''));
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
  /** What the store knows of a deployment. */
  const get = (id: string) => world.graph.services.store.get(id)!;
  const context = () => ({
    organization,
    isOneOfSeveral: false,
    cause: undefined,
    now: Date.now(),
    hasDashboard: false,
    ...world.graph.services,
  });

  for (const [where, isByAccount] of [
    ['rows', false],
    ['rows below an account', true],
  ] as const) {
    it(`carry their IDs in ${where}, and for a screen reader`, async () => {
      const { graph } = world;
      await graph.services.grouping.set(isByAccount ? 'account' : 'deployment');
      const items = graph
        .items()
        .filter(({ label }) => typeof label === 'string' && label.startsWith('Nightly'));
      const labels = items.map(({ label }) => label);
      assert.deepEqual(labels, both);
      const spokenNames = items.map(
        ({ accessibilityInformation }) => accessibilityInformation?.label.split(',')[0],
      );
      assert.deepEqual(spokenNames, both);
    });
  }

  it('carry their IDs in the quick pick of deployments', async () => {
    const shown = recordWindow();
    await world.graph.run('goToDeployment');
    const entries = shown.picks.map(({ label, description }) => `${label}: ${description}`);
    assert.deepEqual(entries, [
      ...both.map((name) => `${name}: Failing · Ops Slack failed`),
      'Fine (fine_1): Healthy',
      'Fine (fine_2): Healthy',
    ]);
  });

  it('carry their IDs in the quick pick of problems', async () => {
    const { graph, platform } = world;
    const shown = recordWindow();
    // Mute asks which one when there are two problems.
    const crm = account({ id: 'acc_crm', label: 'CRM', error: {} });
    platform.putDeployment('fine_2', { accounts: [crm], requirements: [] });
    await graph.services.store.refresh();
    await graph.run('muteProblem');
    const entries = shown.picks.map(({ label, description }) => `${label}: ${description}`);
    assert.deepEqual(entries, ['CRM failed: Fine (fine_2)', `Ops Slack failed: ${both[0]}`]);
  });

  it('carry their IDs in the hover of a deployment', () => {
    const hover = deploymentHover(get('twin_eu'), context());
    assert.deepEqual(namesInHover(hover), ['Nightly sync · twin_eu', 'Nightly sync (twin_us)']);
  });

  it('carry their IDs in the hover of an account', () => {
    const deployment = get('twin_eu');
    const [finding] = deployment.answer!.findings.accounts;
    const hover = accountHover(finding!, deployment, context());
    assert.deepEqual(namesInHover(hover), both);
  });

  it('carry their IDs in the hover of the status bar', () => {
    const { store, memory } = world.graph.services;
    const hover = statusHover(organization, store, memory);
    assert.deepEqual(namesInHover(hover), both);
  });

  it('carry their IDs in a copied request', async () => {
    const { graph } = world;
    await notificationsOf(() => graph.run('copyRequest', graph.row('twin_eu')));
    const request = await vscode.env.clipboard.readText();
    assert.deepEqual(namesIn(request), both);
  });

  it('carry their IDs in a copied report', async () => {
    const { graph } = world;
    const rows = ['twin_eu', 'twin_us', 'fine_1', 'fine_2'].map((id) => graph.row(id));
    await notificationsOf(() => graph.run('copyReport', rows[0], rows));
    const report = await vscode.env.clipboard.readText();
    assert.deepEqual(namesIn(report), both);
    assert.match(report, /2 healthy: `Fine \(fine_1\)`, `Fine \(fine_2\)`/);
  });

  /** What a file that mentions each of the two would report. */
  function reportsOnBoth() {
    const { impact, memory, store } = world.graph.services;
    const targets = new ReferenceTargets(world.graph.services);
    return ['twin_eu', 'twin_us'].flatMap((id) =>
      reportsOn(id, targets.problemsOf(id), ambiguousNames(store.deployments, memory), impact),
    );
  }

  it('carry their IDs in diagnostics', () => {
    const messages = reportsOnBoth().map(({ message }) => message);
    const failed = 'Ops Slack (slack) failed: token_revoked';
    const expected = both.map((name) => `${name}: ${failed}`);
    assert.deepEqual(messages, expected);
  });

  it('carry their IDs in quick fixes', () => {
    const place = new vscode.Range(0, 0, 0, 1);
    const diagnostics = reportsOnBoth().map(
      ({ message, reported }) =>
        new ProblemDiagnostic(place, message, vscode.DiagnosticSeverity.Warning, reported),
    );
    const titles = quickFixes(diagnostics, diagnostics, () => false).map(({ title }) => title);
    const copies = titles.filter((title) => title.startsWith('Copy Request'));
    const expected = both.map((name) => `Copy Request: ${name}`);
    assert.deepEqual(copies, expected);
  });

  it('carry their IDs in the notification of a new problem', () => {
    const { memory } = world.graph.services;
    const deployment = get('twin_us');
    const [problem] = deployment.answer!.findings.problems;
    const worst = worstNewCause([{ deployment, problem: problem! }], [deployment], memory);
    assert.match(newProblemsSentence(worst), /^New problem in Nightly sync \(twin_us\): /);
  });

  it('carry their IDs in the question whether to remove one', async () => {
    const { graph } = world;
    graph.view.selection = [graph.row('twin_us')];
    const [question] = await notificationsOf(() =>
      graph.run('removeDeployment', { selection: true }),
    );
    assert.equal(question?.[1], 'Remove “Nightly sync (twin_us)” from the list?');
  });

  it('carry their IDs in the result of Refresh Deployment', async () => {
    const { graph } = world;
    const [result] = await notificationsOf(() => graph.run('refreshDeployment', 'twin_us'));
    assert.match(result?.[1] ?? '', /^Nightly sync \(twin_us\): Ops Slack/);
  });

  it('offer the label without the ID to Set Label', async () => {
    const { graph } = world;
    const shown = recordWindow();
    await graph.run('setDeploymentLabel', graph.row('twin_us'));
    assert.deepEqual(shown.offered, ['Nightly sync']);
  });

  it('lose their IDs when the list has only one of them', async () => {
    const { graph } = world;
    await graph.read({ id: 'twin_us', label: 'Nightly sync' });
    const [first] = graph.items();
    assert.equal(first?.label, 'Nightly sync');
  });

  it('keep their rows when the list has only one of them', async () => {
    const { graph } = world;
    const before = graph.row('twin_us').id;
    await graph.read({ id: 'twin_us', label: 'Nightly sync' });
    assert.equal(graph.row('twin_us').id, before);
  });
});
