import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import type { Deployment } from '../../../src/model/findings/deployment.js';
import { healthy } from '../../support/platform/data.js';
import type { Fault } from '../../support/platform/faults.js';
import { type Ending, hostileAnswers } from '../../support/platform/hostile.js';
import { until } from '../../support/window/editors.js';
import { endTest } from '../../support/window/endOfTest.js';
import { startWorld } from '../../support/window/graph.js';
import { recordWindow, type Shown } from '../../support/window/windowRecorder.js';

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

/** How the read of a deployment ended: with an answer's counts, or with the kind of its failure. */
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

describe(`${cases.length} hostile answers at once`, () => {
  const all = [siblings[0]!, ...cases, ...siblings.slice(1)];
  let ends: readonly (readonly [name: string, end: unknown])[];
  let items: readonly vscode.TreeItem[];
  let progress: unknown;
  let cause: unknown;
  let statesAfterRecovery: ReadonlySet<string>;
  let shown: Shown;

  before(async function () {
    this.timeout(120_000);
    const { platform, graph } = await startWorld();
    shown = recordWindow();
    const { store } = graph.services;
    platform.putData({
      deployments: new Map(all.map(({ name }) => [name, healthy()])),
      standing: cases.map(({ name, fault }) => ({ target: { id: name }, fault })),
    });
    store.setListed(all.map(({ name }) => ({ id: name })));
    // Where nothing was ever answered, three lost connections are an outage.
    await store.refresh(siblings.map(({ name }) => name));
    await store.refresh();
    const endsNow = () => all.map(({ name }) => [name, endOf(store.get(name)!)] as const);
    // The deployment that answered last may still be asked whether all others failed for one cause.
    await until(
      'the end of each read',
      () => endsNow().every(([, end]) => end !== undefined),
      () => endsNow().filter(([, end]) => end === undefined),
    );
    ends = endsNow();
    items = graph.items();
    ({ progress, cause } = store);

    platform.putData({ standing: [] });
    await store.refresh();
    statesAfterRecovery = new Set(store.deployments.map(({ state }) => state));
  });
  after(endTest);

  it('end in the state of each, beside readable deployments', () => {
    assert.deepEqual(
      ends,
      all.map(({ name, ending }) => [name, ending]),
    );
  });

  it('leave no progress', () => {
    assert.equal(progress, undefined);
  });

  it('are no shared cause', () => {
    assert.equal(cause, undefined);
  });

  it('have a row each, with an ID of its own', () => {
    const ids = items.map(({ id }) => id);
    const repeated = ids.filter((id, at) => ids.indexOf(id) !== at);
    assert.ok(ids.length > cases.length, `only ${ids.length} rows`);
    assert.deepEqual(repeated, []);
  });

  it('have labels of 1 to 300 characters', () => {
    const unfit = items
      .map(({ label }) => label)
      .filter((label) => typeof label !== 'string' || label.length === 0 || label.length > 300);
    assert.deepEqual(unfit, []);
  });

  it('have hovers in Markdown', () => {
    const unfit = items
      .map(({ tooltip }) => tooltip)
      .filter((tooltip) => typeof tooltip === 'string');
    assert.deepEqual(unfit, []);
  });

  it('show no message', () => {
    assert.deepEqual(shown.messages, []);
  });

  it('ask nothing', () => {
    assert.deepEqual(shown.picks, []);
    assert.deepEqual(shown.inputs, []);
  });

  it('are forgotten once the platform answers well again', () => {
    assert.deepEqual(statesAfterRecovery, new Set(['satisfied']));
  });
});
