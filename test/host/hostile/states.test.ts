import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import type { Deployment } from '../../../src/model/deployment.js';
import { type ServiceControl, serviceControl } from '../../support/service/control.js';
import { healthy } from '../../support/service/data.js';
import type { Fault } from '../../support/service/faults.js';
import { type Ending, hostileAnswers } from '../../support/service/hostile.js';
import { createGraph, type Graph } from '../commands/graph.js';
import { itemsOf } from './below.js';
import { watchRejections } from './rejections.js';

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
const siblings = ['sibling 1', 'sibling 2', 'sibling 3'];

/** How the read of a deployment ended. */
function endOf({ activity, answer, failure: last }: Deployment): Ending | Deployment['activity'] | 'both' {
  if (activity !== 'idle') return activity;
  if (answer && last) return 'both';
  if (answer) {
    const { accounts, requirements } = answer.authorization;
    return {
      accounts: accounts.length,
      requirements: requirements.length,
      decodeIssues: answer.decodeIssues.length,
    };
  }
  const failure = last?.failure;
  return failure?.kind === 'unusable' ? `unusable ${failure.reason}` : (failure?.kind ?? 'idle');
}

async function allow(seconds: number | undefined): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('automationPlatform', null);
  await configuration.update('requestTimeout', seconds, vscode.ConfigurationTarget.Global);
}

describe('hostile answers in the extension host', () => {
  const rejections = watchRejections();
  let service: ServiceControl;
  let graph: Graph;

  before(async () => {
    // Outside of the extension host: 200 MB made here would hold up what reads them.
    service = serviceControl(process.env['AUTOMATION_PLATFORM_TEST_SERVICE_CONTROL'] ?? '');
    const { AUTOMATION_PLATFORM_TOKEN, AUTOMATION_PLATFORM_BASE_URL } = process.env;
    graph = createGraph({ AUTOMATION_PLATFORM_TOKEN, AUTOMATION_PLATFORM_BASE_URL });
    await graph.services.organizations.ready;
  });
  after(async () => {
    await graph?.dispose();
    await service?.reset();
    await allow(undefined);
    assert.deepEqual(rejections.seen, []);
  });

  const seed = async (list: typeof cases): Promise<void> => {
    const ids = [siblings[0]!, ...list.map(({ name }) => name), ...siblings.slice(1)];
    await service.putData({
      deployments: new Map(ids.map((id) => [id, healthy()])),
      standing: list.map(({ name, fault }) => ({ target: { id: name }, fault })),
    });
    graph.services.store.setListed(ids.map((id) => ({ id })));
  };
  const endings = (names: readonly string[]) =>
    names.map((name) => [name, endOf(graph.services.store.get(name)!)] as const);
  const assertEndings = (list: typeof cases): void => {
    assert.deepEqual(
      endings(list.map(({ name }) => name)),
      list.map(({ name, ending }) => [name, ending]),
    );
    const fine = { accounts: 1, requirements: 1, decodeIssues: 0 };
    assert.deepEqual(
      endings(siblings),
      siblings.map((name) => [name, fine]),
    );
  };

  it(`${together.length} of them at once end in a settled, true state, with rows and hovers, beside siblings that stay readable`, async function () {
    this.timeout(120_000);
    const { store } = graph.services;
    await seed(together);
    await store.refreshAll();
    assertEndings(together);
    assert.deepEqual([store.progress, store.cause], [undefined, undefined]);
    const rows = itemsOf(graph.services);
    assert.ok(rows.length > together.length);
    assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length, 'rows of the same id');
    for (const { label, tooltip } of rows) {
      assert.ok(typeof label === 'string' && label.length > 0 && label.length <= 300, JSON.stringify(label));
      assert.ok(tooltip instanceof vscode.MarkdownString, label);
    }
    await service.putData({ standing: [] });
    await store.refreshAll();
    assert.deepEqual(
      store.deployments.filter(({ state }) => state !== 'satisfied'),
      [],
      'the service is well again',
    );
  });

  it(`${slow.length} that never end are ended by the time-out, and hold up nobody`, async function () {
    this.timeout(60_000);
    await allow(1);
    await seed(slow);
    await graph.services.store.refreshAll();
    assertEndings(slow);
    await allow(undefined);
  });
});
