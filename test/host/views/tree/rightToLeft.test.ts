import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { problemSentence } from '../../../../src/host/text/problem.js';
import { ProblemDiagnostic } from '../../../../src/views/editor/diagnostics.js';
import { DeploymentsProvider } from '../../../../src/views/tree/provider.js';
import { ManualClock } from '../../../support/manualClock.js';
import {
  below,
  deployment,
  now,
  readIn,
  sent,
  sourceOf,
} from '../../../support/window/fixtures.js';
import { startWorld } from '../../../support/window/graph.js';

/** The marks with which a name is isolated from the text around it. */
const isolates = /[\u2066-\u2069]/;
const label = 'סנכרון (פיננסים)';
const account = { id: 'acc_1', label: 'חשבון', error: { code: 'token_revoked' } };
const requirement = { binding: 'שולח', accountId: 'acc_1', satisfied: false };

/** The rows of a deployment whose names are Hebrew. */
function rowsOf() {
  const provider = new DeploymentsProvider(
    sourceOf(deployment({ label, ...sent([account], [requirement]) })),
    new ManualClock(now),
  );
  return below(provider).map((element) => {
    const item = provider.getTreeItem(element);
    return { item, hover: () => readIn(provider.resolveTreeItem(item, element).tooltip) };
  });
}

describe('a name that is written from right to left', () => {
  it('is isolated in a row', () => {
    const [root, advice] = rowsOf().map(({ item }) => item);
    assert.equal(root?.label, `\u2068${label}\u2069`);
    assert.equal(root?.description, '\u2068חשבון failed\u2069');
    assert.equal(advice?.label, '\u2068Reconnect חשבון\u2069');
  });

  it('is isolated in the first line of a hover', () => {
    const [firstLine] = rowsOf()[0]!.hover().split('\n');
    assert.match(firstLine!, /\u2068סנכרון \(פיננסים\)\u2069/);
  });

  it('is isolated name by name in a diagnostic', () => {
    const listed = deployment({ label, ...sent([account], [requirement]) });
    const [problem] = listed.answer!.findings.problems;
    const range = new vscode.Range(0, 0, 0, 1);
    const { Warning } = vscode.DiagnosticSeverity;
    const about = { deployment: listed, problem: problem! };
    const { message } = new ProblemDiagnostic(
      range,
      `${label}: ${problemSentence(problem!)}`,
      Warning,
      about,
    );
    assert.equal(
      message,
      '\u2068סנכרון\u2069 (\u2068פיננסים\u2069): \u2068חשבון\u2069 failed: token_revoked.',
    );
  });

  it('has no marks for a screen reader', () => {
    const spoken = rowsOf().map(({ item }) => item.accessibilityInformation?.label ?? '');
    assert.match(spoken[0]!, /^סנכרון \(פיננסים\), deployment/);
    for (const name of spoken) assert.doesNotMatch(name, isolates);
  });

  it('has no marks when copied', async () => {
    const { graph, platform, signIn } = await startWorld();
    await signIn();
    platform.putDeployment('dep_1', { accounts: [account], requirements: [requirement] });
    await graph.read({ id: 'dep_1', label });
    for (const command of ['copyRequest', 'copyReport', 'copyId'] as const) {
      await vscode.env.clipboard.writeText('');
      await graph.run(command, graph.row('dep_1'));
      const text = await vscode.env.clipboard.readText();
      assert.notEqual(text, '', command);
      assert.doesNotMatch(text, isolates, command);
    }
  });
});
