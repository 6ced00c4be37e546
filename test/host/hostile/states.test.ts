import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import type { Deployment } from '../../../src/model/findings/deployment.js';
import { healthy } from '../../support/platform/data.js';
import type { Fault } from '../../support/platform/faults.js';
import { type Ending, hostileAnswers } from '../../support/platform/hostile.js';
import { until } from '../../support/window/editors.js';
import { startWorld } from '../../support/window/graph.js';
import { recordWindow } from '../../support/window/windowRecorder.js';

/** The name is also the ID of the deployment. What never ends is left to the unit tests. */
const cases = Object.entries(hostileAnswers)
  .flatMap(([group, table]) =>
    Object.entries<readonly [Fault, Ending]>(table).map(([name, [fault, ending]]) => ({
      name: `${group}: ${name}`,
      fault,
      ending,
    })),
  )
  .filter(({ ending }) => ending !== 'timedOut');
const siblings = ['sibling 1', 'sibling 2', 'sibling 3'].map((name) => ({
  name,
  ending: { accounts: 1, requirements: 1, decodeIssues: 0 },
}));

/** How the read of a deployment ended. */
function endOf({ activity, answer, failedRead: last }: Deployment) {
  if (activity !== 'idle' || (answer && last)) return 'unsettled';
  if (answer) {
    const { value, decodeIssues } = answer;
    const [accounts, requirements] = [value.accounts.length, value.requirements.length];
    return { accounts, requirements, decodeIssues: decodeIssues.length };
  }
  const failure = last?.failure;
  return failure?.kind === 'unusable' ? `unusable ${failure.reason}` : failure?.kind;
}

it(`${cases.length} hostile answers at once end in a settled, true state, with rows and hovers, beside siblings that stay readable`, async function () {
  this.timeout(120_000);
  const { platform, graph } = await startWorld();
  const shown = recordWindow();
  const { store } = graph.services;
  const all = [siblings[0]!, ...cases, ...siblings.slice(1)];
  platform.putData({
    deployments: new Map(all.map(({ name }) => [name, healthy()])),
    standing: cases.map(({ name, fault }) => ({ target: { id: name }, fault })),
  });
  store.setListed(all.map(({ name }) => ({ id: name })));
  // Where nothing was ever answered, three lost connections are an outage.
  await store.refresh(siblings.map(({ name }) => name));
  await store.refresh();
  // The deployment that answered last may still be asked whether all others failed for one cause.
  await until('the end of each', () =>
    all.every(({ name }) => endOf(store.get(name)!) !== undefined),
  );
  assert.deepEqual(
    all.map(({ name }) => [name, endOf(store.get(name)!)]),
    all.map(({ name, ending }) => [name, ending]),
  );
  assert.deepEqual([store.progress, store.cause], [undefined, undefined]);
  const rows = graph.items();
  assert.ok(rows.length > cases.length);
  assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length, 'rows of the same id');
  for (const { label, tooltip } of rows) {
    assert.ok(
      typeof label === 'string' && label.length > 0 && label.length <= 300,
      JSON.stringify(label),
    );
    assert.ok(tooltip === undefined || tooltip instanceof vscode.MarkdownString, label);
  }
  platform.putData({ standing: [] });
  await store.refresh();
  const others = store.deployments.filter(({ state }) => state !== 'satisfied');
  assert.deepEqual(others, [], 'the platform is well again');
  assert.deepEqual(
    [shown.messages, shown.picks, shown.inputs].flat(),
    [],
    'nothing is asked or shown in between',
  );
});
