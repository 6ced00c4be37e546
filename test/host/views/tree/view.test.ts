import { strict as assert } from 'node:assert';
import type * as vscode from 'vscode';
import { ApiError } from '../../../../src/api/failure.js';
import { clockTime, relativeTime } from '../../../../src/host/text/format.js';
import { Emitter } from '../../../../src/model/base/emitter.js';
import type { Counts } from '../../../../src/model/findings/deployment.js';
import type { TreeElement } from '../../../../src/model/tree/elements.js';
import { VerdictAge } from '../../../../src/model/verdictAge.js';
import { DeploymentsView, viewDescription } from '../../../../src/views/tree/view.js';
import { answerOf } from '../../../support/answers.js';
import { ManualClock } from '../../../support/manualClock.js';
import {
  billing,
  inRemoteWindow,
  minutes,
  now,
  organization,
} from '../../../support/window/fixtures.js';
import { createGraph, type Graph } from '../../../support/window/graph.js';
import { TreeViewInMemory } from '../../../support/window/memory.js';

const none: Counts = { total: 0, failing: 0, unknown: 0, notYetRead: 0, muted: 0, healthy: 0 };

function described(
  counts: Partial<Counts>,
  facts: Partial<Parameters<typeof viewDescription>[0]> = {},
  age?: number,
): string {
  const asOf = age === undefined ? undefined : now - minutes(age);
  const store = { progress: undefined, cause: undefined, ...facts, counts: { ...none, ...counts } };
  return viewDescription(store, organization, asOf, now);
}

it('viewDescription() says the cause, the verdict, the progress, and whose the deployments are', () => {
  const progress = { done: 312, total: 10_000 };
  const rejected = {
    kind: 'failure',
    failure: { kind: 'tokenRejected', status: 401 },
    isOffline: false,
    at: 0,
    asOf: now,
  } as const;
  const unread = { unknown: 1, notYetRead: 2 };
  const ignored = { isListIgnored: true } as const;
  const earlier = clockTime(now - minutes(11), now);
  for (const [expected, found] of [
    ['Acme production', described({})],
    ['2 failing · Acme production', described({ failing: 2, unknown: 3, muted: 1, healthy: 12 })],
    ['14 healthy · Acme production', described({ healthy: 14 })],
    [
      'None failing, 1 unknown, 2 not read yet · Acme production',
      described({ ...unread, healthy: 1 }),
    ],
    ['312 of 10,000 · Acme production', described({ ...unread, healthy: 1 }, { progress })],
    [
      'None failing, 1 unknown · 312 of 10,000 · Acme production',
      described({ unknown: 1, healthy: 1 }, { progress }),
    ],
    [
      'Token rejected (401) · 2 failing · Acme production',
      described({ total: 2, failing: 2 }, { cause: rejected }),
    ],
    [
      'Token rejected (401) · nothing read yet · Acme production',
      described({ total: 2, notYetRead: 2 }, { cause: { ...rejected, asOf: undefined } }),
    ],
    [
      '2 failing · Acme production',
      described({ failing: 2 }, { cause: { kind: 'paused', until: now } }),
    ],
    ['1 healthy, workspace list ignored · Acme production', described({ ...ignored, healthy: 1 })],
    [
      '2 failing, workspace list ignored · Acme production',
      described({ ...ignored, failing: 2, unknown: 1 }),
    ],
    [
      '312 of 10,000 · Acme production',
      described({ ...ignored, ...unread, healthy: 1 }, { progress }),
    ],
    ['Acme production', described(ignored)],
    [
      'Token rejected (401) · 2 failing · Acme production',
      described({ ...ignored, total: 2, failing: 2 }, { cause: rejected }),
    ],
    [
      'Offline · 2 failing, list ignored · Acme production',
      described({ ...ignored, total: 2, failing: 2 }, { cause: { ...rejected, isOffline: true } }),
    ],
    [`2 failing · as of ${earlier} · Acme production`, described({ failing: 2 }, {}, 11)],
    [
      `2 failing · as of ${earlier} · 312 of 10,000 · Acme production`,
      described({ failing: 2 }, { progress }, 11),
    ],
    ['2 failing · as of Nov 19 · Acme production', described({ failing: 2 }, {}, 25 * 60)],
    ['312 of 10,000 · Acme production', described({ ...unread, healthy: 1 }, { progress }, 11)],
    [
      'Token rejected (401) · 2 failing · Acme production',
      described({ total: 2, failing: 2 }, { cause: rejected }, 11),
    ],
  ]) {
    assert.equal(found, expected);
  }
});

it('relativeTime() says an age in its largest unit, above 60 days as a date', () => {
  const said = [-1, 0.99, 1, 60, 60 * 24 * 60, 61 * 24 * 60].map((age) =>
    relativeTime(now - minutes(age), now),
  );
  const old = ['60 days ago', 'Sep 20, 2026'];
  assert.deepEqual(said, ['just now', 'just now', '1 minute ago', '1 hour ago', ...old]);
});

describe('the Deployments view', () => {
  const visibility = new Emitter<vscode.TreeViewVisibilityChangeEvent>();
  const expanded = new Emitter<vscode.TreeViewExpansionEvent<TreeElement>>();
  const answers = new Map([
    ['billing', billing],
    ['triage', { ...billing, accounts: billing.accounts.slice(1), requirements: [] }],
    ['bare', { accounts: [], requirements: [] }],
  ]);
  let graph: Graph;
  let clock: ManualClock;
  let view: TreeViewInMemory<TreeElement>;
  let rows: DeploymentsView;

  beforeEach(async () => {
    const token = { AUTOMATION_PLATFORM_TOKEN: 'token-of-the-environment' };
    graph = createGraph({ ...token, AUTOMATION_PLATFORM_BASE_URL: organization.baseUrl });
    const { organizations, store } = graph.services;
    await organizations.ready;
    store.setListed([...answers.keys(), 'gone'].map((id) => ({ id })));
    const read = async (id: string) => answerOf(answers.get(id)!, { sentAt: now });
    store.setOrganization({ id: organization.id, read });
    await store.refresh([...answers.keys()]);
    clock = new ManualClock(now);
    const events = { onDidChangeVisibility: visibility.event, onDidExpandElement: expanded.event };
    view = Object.assign(new TreeViewInMemory<TreeElement>(), events);
    const verdictAge = new VerdictAge(store, graph.services.settings, clock);
    rows = new DeploymentsView({ ...graph.services, verdictAge }, view, clock);
  });
  afterEach(async () => {
    rows.dispose();
  });

  it('reveals the first row of a deployment, and groups by deployment if there is none', async () => {
    const { filter, grouping } = graph.services;
    await grouping.set(true);
    await rows.reveal('billing');
    await filter.set(true);
    await rows.reveal('triage');
    assert.deepEqual([filter.isOn, grouping.isOn], [false, true]);
    await rows.reveal('gone');
    assert.equal(grouping.isOn, true);
    await rows.reveal('bare');
    assert.equal(grouping.isOn, false);
    const revealed = view.revealed.map(({ id }) => id).join(' ');
    const members = '["account","acc_2"]/member:billing ["account","acc_1"]/member:triage';
    assert.equal(revealed, `${members} unseen/deployment:gone deployment:bare`);
  });

  it('draws stale and expanded rows once a minute, and everything when it is shown', async () => {
    const [first] = rows.provider.getChildren();
    const named: unknown[] = [];
    rows.provider.onDidChangeTreeData((event) =>
      named.push(event?.map(({ copyId }) => copyId) ?? 'all'),
    );
    clock.pass(minutes(1));
    assert.deepEqual(named.splice(0), []);
    expanded.fire({ element: first! });
    clock.pass(minutes(1));
    assert.deepEqual(named.splice(0), [['billing']]);
    view.visible = false;
    visibility.fire(view);
    const { store } = graph.services;
    const failure = new ApiError({ kind: 'serverError', status: 503 });
    store.setOrganization({ id: organization.id, read: () => Promise.reject(failure) });
    await store.refresh(['triage']);
    assert.deepEqual(named.splice(0), []);
    view.visible = true;
    visibility.fire(view);
    assert.ok(named.splice(0).includes('all'));
    rows.provider.getChildren();
    clock.pass(minutes(1));
    assert.deepEqual(named.splice(0), [['billing', 'triage']]);
  });

  describe('in a remote window', () => {
    inRemoteWindow();

    it('draws all rows once a minute while a first row has an age', async () => {
      rows.provider.getChildren();
      const named: unknown[] = [];
      const { store } = graph.services;
      const failure = new ApiError({ kind: 'tokenRejected', status: 401 });
      store.setOrganization({ id: organization.id, read: () => Promise.reject(failure) });
      await store.refresh(['triage']);
      rows.provider.getChildren();
      rows.provider.onDidChangeTreeData((event) =>
        named.push(event?.map(({ copyId }) => copyId) ?? 'all'),
      );
      clock.pass(minutes(1));
      clock.pass(minutes(1));
      assert.deepEqual(named, ['all', 'all']);
    });
  });

  it('has no title of its own with one of several organizations, whose name ends its description', () => {
    const { title, description }: Partial<vscode.TreeView<unknown>> = view;
    assert.deepEqual([title, description], [undefined, '1 failing · environment']);
  });
});
