import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import type { Deployment } from '../../../src/model/deployment.js';
import { type ServiceControl, serviceControl } from '../../support/service/control.js';
import { healthy } from '../../support/service/data.js';
import type { Fault } from '../../support/service/faults.js';
import { type Ending, hostileAnswers } from '../../support/service/hostile.js';
import { itemsOf } from '../../support/window/below.js';
import { endTest } from '../../support/window/endOfTest.js';
import { createGraph, type Graph } from '../../support/window/graph.js';
import { watchRejections } from '../../support/window/rejections.js';
import { writeSetting } from '../../support/window/settings.js';
import { recordWindow, type WindowRecorder } from '../../support/window/windowRecorder.js';

const { statuses: _, redirects: __, ...groups } = hostileAnswers;
/** The name is also the id of the deployment: ids may hold any text. */
const cases = Object.entries(groups).flatMap(([group, table]) =>
  Object.entries<readonly [Fault, Ending]>(table).map(([name, [fault, ending]]) => ({
    name: `${group}: ${name}`,
    fault,
    ending,
  })),
);
const slow = cases.filter(({ ending }) => ending === 'timedOut');
const together = cases.filter(({ ending }) => ending !== 'timedOut');
const siblings = ['sibling 1', 'sibling 2', 'sibling 3'].map((name) => ({
  name,
  ending: { accounts: 1, requirements: 1, decodeIssues: 0 },
}));

/** How the read of a deployment ended. */
function endOf({ activity, answer, failure: last }: Deployment) {
  if (activity !== 'idle' || (answer && last)) return 'unsettled';
  if (answer) {
    const { authorization, decodeIssues } = answer;
    const [accounts, requirements] = [authorization.accounts.length, authorization.requirements.length];
    return { accounts, requirements, decodeIssues: decodeIssues.length };
  }
  const failure = last?.failure;
  return failure?.kind === 'unusable' ? `unusable ${failure.reason}` : failure?.kind;
}

describe('hostile answers in the extension host', () => {
  let rejections: readonly string[];
  let service: ServiceControl;
  let graph: Graph;
  let recorder: WindowRecorder;

  before(async () => {
    // Outside of the extension host: 200 MB made here would hold up what reads them.
    service = serviceControl(process.env['AUTOMATION_PLATFORM_TEST_SERVICE_CONTROL'] ?? '');
    rejections = watchRejections();
    recorder = recordWindow();
    graph = createGraph(process.env);
    await graph.services.organizations.ready;
  });
  after(async () => {
    await endTest();
    await service.reset();
    assert.deepEqual(rejections, []);
  });

  /** All at once, between siblings that are fine. */
  const assertEndings = async (list: typeof cases): Promise<void> => {
    const { store } = graph.services;
    const all = [siblings[0]!, ...list, ...siblings.slice(1)];
    await service.putData({
      deployments: new Map(all.map(({ name }) => [name, healthy()])),
      standing: list.map(({ name, fault }) => ({ target: { id: name }, fault })),
    });
    store.setListed(all.map(({ name }) => ({ id: name })));
    // Where nothing was ever answered, three lost connections are an outage.
    await store.refresh(siblings.map(({ name }) => name));
    await store.refresh();
    assert.deepEqual(
      all.map(({ name }) => [name, endOf(store.get(name)!)]),
      all.map(({ name, ending }) => [name, ending]),
    );
  };

  it(`${together.length} of them at once end in a settled, true state, with rows and hovers, beside siblings that stay readable`, async function () {
    this.timeout(120_000);
    const { store } = graph.services;
    await assertEndings(together);
    assert.deepEqual([store.progress, store.cause], [undefined, undefined]);
    const rows = itemsOf(graph.app);
    assert.ok(rows.length > together.length);
    assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length, 'rows of the same id');
    for (const { label, tooltip } of rows) {
      assert.ok(typeof label === 'string' && label.length > 0 && label.length <= 300, JSON.stringify(label));
      assert.ok(tooltip === undefined || tooltip instanceof vscode.MarkdownString, label);
    }
    await service.putData({ standing: [] });
    await store.refresh();
    const others = store.deployments.filter(({ state }) => state !== 'satisfied');
    assert.deepEqual(others, [], 'the service is well again');
    const { messages, picks, inputs } = recorder.shown;
    assert.deepEqual([messages, picks, inputs].flat(), [], 'nothing is asked or shown in between');
  });

  it(`${slow.length} that never end are ended by the time-out, and hold up no other`, async function () {
    this.timeout(60_000);
    await writeSetting('automationPlatform.requestTimeout', 1);
    await assertEndings(slow);
  });
});
