import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { deploymentSummary } from '../../../src/host/text/deployment.js';
import type { Deployment } from '../../../src/model/deployment.js';
import { DeploymentsProvider } from '../../../src/views/tree/provider.js';
import { type Ending, endingOf, kindOfStatus, statusIn, tabledGroups } from '../../support/hostileEndings.js';
import { type ServiceChild, spawnService } from '../../support/service/child.js';
import { healthy } from '../../support/service/data.js';
import type { Fault } from '../../support/service/faults.js';
import { hostileAnswers } from '../../support/service/hostile.js';
import { createGraph, type Graph } from '../commands/graph.js';
import { below } from './below.js';
import { collectGarbage, heapInUse } from './heap.js';
import { watchRejections } from './rejections.js';

interface Case {
  /** Also the id of its deployment: ids may hold any text. */
  readonly name: string;
  readonly fault: Fault;
  readonly ending: Ending;
  readonly status: number | undefined;
}

const answers = hostileAnswers();
const { statuses, redirects, retryAfter } = answers;
const cases: readonly Case[] = [
  ...tabledGroups.flatMap((group) =>
    Object.entries(answers[group]).map(([name, fault]) => ({
      name: `${group}: ${name}`,
      fault,
      ending: endingOf(group, name),
      status: fault.status,
    })),
  ),
  ...Object.entries(statuses).map(([name, fault]) => {
    const status = statusIn(name);
    return { name: `statuses: ${name}`, fault, ending: kindOfStatus(status), status };
  }),
  ...Object.entries(redirects).map(([name, fault]) => ({
    name: `redirects: ${name}`,
    fault,
    ending: 'redirected' as const,
    status: fault.status,
  })),
  ...Object.entries(retryAfter).map(([name, fault]) => {
    const status = fault.status ?? 429;
    return { name: `retryAfter: ${name}`, fault, ending: kindOfStatus(status), status };
  }),
];

/** These say something about the whole organization, so they can't be in one list with others. */
const ofAll: ReadonlySet<Ending> = new Set(['tokenRejected', 'rateLimited']);
const slow = cases.filter(({ ending }) => ending === 'timedOut');
const together = cases.filter(({ ending }) => ending !== 'timedOut' && !ofAll.has(ending));
const siblings = ['sibling 1', 'sibling 2', 'sibling 3'];

const words: Readonly<Record<Extract<Ending, string>, (status: number | undefined) => RegExp>> = {
  invalidId: () => /^id cannot be used$/,
  tokenRejected: () => /^token rejected \(401\)$/,
  notPermitted: () => /^not permitted \(403\)$/,
  notFound: () => /^not found \(404\)$/,
  rateLimited: () => /^rate limited \(429\) until \S+/,
  clientError: (status) => new RegExp(`^refused \\(${status}\\)$`),
  serverError: (status) => new RegExp(`^server error \\(${status}\\)$`),
  redirected: (status) => new RegExp(`^redirected \\(${status}\\)(?: to [a-z0-9.:]+)?$`),
  unreachable: () => /^unreachable: /,
  connectionLost: () => /^connection lost \([A-Z][A-Z0-9_]+\)$/,
  timedOut: () => /^timed out after 1 sec$/,
  cancelled: () => /^cancelled$/,
  'unusable empty': () => /^answer unusable: empty$/,
  'unusable notJson': () => /^answer unusable: not JSON$/,
  'unusable wrongShape': () => /^answer unusable: not the expected fields$/,
  'unusable tooLarge': () => /^answer unusable: too large$/,
  'unusable truncated': () => /^answer unusable: cut off$/,
  unusable: () => /^answer unusable: /,
};

/** What of a case's state is not as it should be. */
function differences(one: Deployment | undefined, { name, ending, status }: Case): readonly string[] {
  if (!one) return [`${name}: lost`];
  const row = deploymentSummary(one, Date.now());
  const wrong = (what: string) => [`${name}: ${what}, said “${row}”`];
  if (one.activity !== 'idle') return wrong(one.activity);
  if (typeof ending === 'string') {
    if (one.answer || one.state !== 'unknown') return wrong('holds an answer');
    return words[ending](status).test(row) ? [] : wrong(`not ${ending}`);
  }
  if (!one.answer || one.failure) return wrong('no answer');
  const { authorization, decodeIssues } = one.answer;
  const found = {
    accounts: authorization.accounts.length,
    requirements: authorization.requirements.length,
    decodeIssues: decodeIssues.length,
  };
  if (JSON.stringify(found) !== JSON.stringify(ending)) return wrong(JSON.stringify(found));
  const noted = /(\d+) fields? unreadable/.exec(row)?.[1];
  return Number(noted ?? 0) === ending.decodeIssues ? [] : wrong(`notes ${noted}`);
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

async function allow(seconds: number | undefined): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('automationPlatform', null);
  await configuration.update('requestTimeout', seconds, vscode.ConfigurationTarget.Global);
}

describe('hostile answers in the extension host', () => {
  const rejections = watchRejections();
  let service: ServiceChild;
  let graph: Graph;

  before(async () => {
    service = await spawnService();
    graph = createGraph({ AUTOMATION_PLATFORM_TOKEN: service.token, AUTOMATION_PLATFORM_BASE_URL: service.baseUrl });
    await graph.services.organizations.ready;
  });
  after(async () => {
    await graph?.dispose();
    await service?.stop();
    await allow(undefined);
  });

  const seed = async (list: readonly Case[]): Promise<void> => {
    const ids = [siblings[0]!, ...list.map(({ name }) => name), ...siblings.slice(1)];
    await service.control.putData({
      deployments: new Map(ids.map((id) => [id, healthy()])),
      standing: list.map(({ name, fault }) => ({ target: { id: name }, fault })),
    });
    graph.services.store.setListed(ids.map((id) => ({ id })));
  };
  const wrong = (list: readonly Case[]): readonly string[] =>
    list.flatMap((one) => differences(graph.services.store.get(one.name), one));
  const siblingsAreFine = (ids: readonly string[] = siblings): void => {
    for (const id of ids) {
      const one = graph.services.store.get(id);
      assert.equal(one?.activity, 'idle', id);
      assert.equal(deploymentSummary(one, Date.now()), '1 of 1 satisfied', id);
    }
  };
  /** Every row and every hover, as VS Code asks for them. */
  const readTree = (): number => {
    const { store, organizations, filter, deploymentList } = graph.services;
    const provider = new DeploymentsProvider({ store, organizations, filter, deploymentList });
    const elements = below(provider);
    const items = elements.map((element) => provider.resolveTreeItem(provider.getTreeItem(element), element));
    provider.dispose();
    assert.equal(new Set(items.map(({ id }) => id)).size, items.length, 'rows of the same id');
    for (const { label, tooltip } of items) {
      assert.ok(typeof label === 'string' && label.length > 0 && label.length <= 300, JSON.stringify(label));
      assert.ok(tooltip instanceof vscode.MarkdownString && !tooltip.isTrusted && !tooltip.supportHtml, label);
    }
    return items.length;
  };

  /** All at once, and then the service is well again. */
  const round = async (): Promise<void> => {
    const { store } = graph.services;
    // What leaves the list is forgotten.
    store.setListed([]);
    await seed(together);
    await store.refreshAll();
    assert.deepEqual(wrong(together), []);
    siblingsAreFine();
    assert.equal(store.progress, undefined);
    assert.equal(store.cause, undefined);
    assert.ok(readTree() > together.length);
    await service.control.putData({ standing: [] });
    await store.refreshAll();
    for (const { name } of together) assert.equal(deploymentSummary(store.get(name)!, Date.now()), '1 of 1 satisfied');
    await service.control.clearRequests();
    graph.lines.length = 0;
  };

  it(`${together.length} of them at once end in a settled, true state, beside siblings that stay readable`, async function () {
    this.timeout(120_000);
    await round();
  });

  it('that come after good ones leave the good data, marked as stale with the reason', async function () {
    this.timeout(120_000);
    const { store } = graph.services;
    await seed(together);
    await store.refreshAll();
    for (const { name, ending, status } of together) {
      const one = store.get(name)!;
      assert.equal(one.activity, 'idle', name);
      if (typeof ending !== 'string') continue;
      assert.ok(one.answer && one.failure, name);
      const [kept, stale, reason] = deploymentSummary(one, Date.now()).split(' · ');
      assert.deepEqual([kept, stale?.replace(/ read .*/, '')], ['1 of 1 satisfied', 'stale, last'], name);
      assert.match(reason ?? '', words[ending](status), name);
    }
    siblingsAreFine();
    assert.ok(readTree() > together.length);
  });

  it(`${slow.length} that never end are ended by the time-out, and hold up nobody`, async function () {
    this.timeout(60_000);
    await allow(1);
    await seed(slow);
    const { store } = graph.services;
    await store.refreshAll();
    assert.deepEqual(wrong(slow), []);
    siblingsAreFine();
    await allow(undefined);
  });

  it('that reject the token say so of that one read, and the next is as good as ever', async () => {
    const rejected = cases.filter(({ ending }) => ending === 'tokenRejected');
    assert.ok(rejected.length > 0);
    await seed(rejected);
    const { store } = graph.services;
    for (const one of rejected) {
      await store.refresh(one.name);
      assert.deepEqual(wrong([one]), []);
      const { cause } = store;
      assert.ok(cause?.kind === 'failure' && cause.failure.kind === 'tokenRejected');
      await store.refresh(siblings[0]!);
      siblingsAreFine([siblings[0]!]);
      assert.equal(store.cause, undefined);
    }
  });

  it('that limit the rate pause their own organization, with an end, and no other', async function () {
    this.timeout(60_000);
    const limited = cases.filter(({ ending }) => ending === 'rateLimited');
    assert.ok(limited.length > 0);
    // Too little for a second try within the pause: what is tested is the state, not the repeats.
    await allow(1);
    await seed(limited);
    const { store, organizations } = graph.services;
    for (const [index, one] of limited.entries()) {
      const token = `token-of-organization-${index}`;
      await service.control.putToken(token);
      await organizations.signIn({ name: `Organization ${index}`, baseUrl: service.baseUrl, token });
      await store.refresh(siblings[0]!);
      siblingsAreFine([siblings[0]!]);
      await store.refresh(one.name);
      assert.deepEqual(wrong([one]), []);
      const { failure, at } = store.get(one.name)?.failure ?? {};
      assert.ok(failure?.kind === 'rateLimited' && at !== undefined);
      const pause = failure.until - at;
      assert.ok(pause > 0 && pause <= 600_000, `${one.name}: ${pause}`);
      // The short ones may be over by the time that anybody looks.
      if (pause > 60_000) assert.deepEqual(store.cause, { kind: 'paused', until: failure.until });
      // What was read stays readable during the pause.
      siblingsAreFine([siblings[0]!]);
    }
    await allow(undefined);
    await organizations.use('environment');
  });

  it('can be cancelled at any moment, and leave nothing that waits or reads', async function () {
    this.timeout(60_000);
    const { store } = graph.services;
    await seed([...together, ...slow]);
    await service.control.clearRequests();
    const refreshing = store.refreshAll();
    await service.control.waitForRequests(20, {}, 30_000);
    store.cancelRefresh();
    await refreshing;
    assert.deepEqual(
      store.deployments.filter(({ activity }) => activity !== 'idle'),
      [],
    );
    assert.equal(store.progress, undefined);
  });

  it('leave no trace in memory', async function () {
    this.timeout(120_000);
    // Each has come once by now: what the first time loads and compiles is there.
    const first = await heapInUse();
    await round();
    await round();
    let last = await heapInUse();
    // On a busy machine sockets and finalizers take their time; what leaks stays however often one looks.
    for (let look = 0; look < 5 && last > first * 1.1; look++) last = await heapInUse();
    assert.ok(last <= first * 1.1, `${inMegabytes(first)} after the first round, ${inMegabytes(last)} after the third`);
  });

  it('leave no promise that nobody handles', async () => {
    collectGarbage();
    await vscode.commands.executeCommand('setContext', 'automationPlatform.test', 0);
    assert.deepEqual(rejections.seen, []);
  });
});
