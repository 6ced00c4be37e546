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

/** The description with these counts, which were true so many minutes ago. */
function described(
  counts: Partial<Counts>,
  facts: Partial<Parameters<typeof viewDescription>[0]> = {},
  age?: number,
): string {
  const asOf = age === undefined ? undefined : now - minutes(age);
  const store = { progress: undefined, cause: undefined, ...facts, counts: { ...none, ...counts } };
  return viewDescription(store, organization, asOf, now);
}

describe('the description of the Deployments view', () => {
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
  const payments = { groups: ['payments', 'ops'] } as const;
  const longGroup = { groups: ['payments-and-billing'] } as const;
  const earlier = clockTime(now - minutes(11), now);
  /** What is the case, the description without the organization, and the facts. */
  const cases: readonly (readonly [string, string, ...Parameters<typeof described>])[] = [
    ['nothing is listed', '', {}],
    ['two are failing', '2 failing', { failing: 2, unknown: 3, muted: 1, healthy: 12 }],
    ['all are healthy', '14 healthy', { healthy: 14 }],
    ['some are unknown', 'None failing, 1 unknown, 2 not read yet', { ...unread, healthy: 1 }],
    ['the first refresh runs', '312 of 10,000', { ...unread, healthy: 1 }, { progress }],
    [
      'a later refresh runs',
      'None failing, 1 unknown · 312 of 10,000',
      { unknown: 1, healthy: 1 },
      { progress },
    ],
    [
      'the token is rejected',
      'Token rejected (401) · 2 failing',
      { total: 2, failing: 2 },
      { cause: rejected },
    ],
    [
      'the token is rejected at the first read',
      'Token rejected (401) · nothing read yet',
      { total: 2, notYetRead: 2 },
      { cause: { ...rejected, asOf: undefined } },
    ],
    ['all is paused', '2 failing', { failing: 2 }, { cause: { kind: 'paused', until: now } }],
    [
      'all are healthy and a list is ignored',
      '1 healthy, workspace list ignored',
      { ...ignored, healthy: 1 },
    ],
    [
      'two are failing and a list is ignored',
      '2 failing, workspace list ignored',
      { ...ignored, failing: 2, unknown: 1 },
    ],
    [
      'the first refresh runs and a list is ignored',
      '312 of 10,000',
      { ...ignored, ...unread, healthy: 1 },
      { progress },
    ],
    ['the only list is ignored', '', ignored],
    [
      'the token is rejected and a list is ignored',
      'Token rejected (401) · 2 failing',
      { ...ignored, total: 2, failing: 2 },
      { cause: rejected },
    ],
    [
      'the machine is offline and a list is ignored',
      'Offline · 2 failing, list ignored',
      { ...ignored, total: 2, failing: 2 },
      { cause: { ...rejected, isOffline: true } },
    ],
    [
      'a refresh runs with chosen groups',
      'payments +1 · 7 failing · 312 of 10,000',
      { ...payments, failing: 7, unknown: 1 },
      { progress },
    ],
    [
      'the deployments of chosen groups are all healthy',
      'payments +1 · 14 healthy',
      { ...payments, healthy: 14 },
    ],
    ['a chosen group has a long name', 'payments-an… · 2 failing', { ...longGroup, failing: 2 }],
    [
      'those without a group are chosen',
      'No group · 2 failing',
      { groups: [undefined], failing: 2 },
    ],
    [
      'the first refresh of chosen groups runs',
      '312 of 10,000',
      { ...payments, ...unread, healthy: 1 },
      { progress },
    ],
    [
      'nothing of chosen groups was read',
      'payments +1 · 2 not read yet',
      { ...payments, total: 2, notYetRead: 2 },
    ],
    [
      'the token is rejected and groups are chosen',
      'Token rejected · payments +1 · 2 failing',
      { ...payments, total: 2, failing: 2 },
      { cause: rejected },
    ],
    [
      'the token is rejected at the first read and groups are chosen',
      'Token … · payments +1 · nothing read yet',
      { ...payments, total: 2, notYetRead: 2 },
      { cause: { ...rejected, asOf: undefined } },
    ],
    [
      'all is paused and groups are chosen',
      'payments +1 · 2 failing',
      { ...payments, failing: 2 },
      { cause: { kind: 'paused', until: now } },
    ],
    [
      'groups are chosen and a list is ignored',
      'payments +1 · 2 failing, workspace list ignored',
      { ...payments, ...ignored, failing: 2 },
    ],
    [
      'the counts of chosen groups are 11 minutes old',
      `payments +1 · 2 failing · as of ${earlier}`,
      { ...payments, failing: 2 },
      {},
      11,
    ],
    ['the counts are 11 minutes old', `2 failing · as of ${earlier}`, { failing: 2 }, {}, 11],
    [
      'the counts are old and a refresh runs',
      `2 failing · as of ${earlier} · 312 of 10,000`,
      { failing: 2 },
      { progress },
      11,
    ],
    ['the counts are a day old', '2 failing · as of Nov 19', { failing: 2 }, {}, 25 * 60],
    [
      'the first refresh runs for 11 minutes',
      '312 of 10,000',
      { ...unread, healthy: 1 },
      { progress },
      11,
    ],
    [
      'the token is rejected and the counts are old',
      'Token rejected (401) · 2 failing',
      { total: 2, failing: 2 },
      { cause: rejected },
      11,
    ],
  ];
  for (const [situation, expected, ...facts] of cases) {
    it(`is “${expected}” before the organization when ${situation}`, () => {
      const organizationPart = expected === '' ? 'Acme production' : ' · Acme production';
      assert.equal(described(...facts), `${expected}${organizationPart}`);
    });
  }
});

describe('the description of the Deployments view with the name of a group', () => {
  it('isolates a name that is written from right to left', () => {
    const description = described({ groups: ['תשלומים', 'ops'], failing: 2 });
    assert.equal(description, '\u2068תשלומים +1\u2069 · 2 failing · Acme production');
  });

  it('makes invisible characters visible before it cuts the name', () => {
    const description = described({ groups: ['\u202E'.repeat(60)], failing: 2 });
    assert.equal(description, '⟨U+202E⟩⟨U+… · 2 failing · Acme production');
  });

  it('breaks what would be an icon', () => {
    const description = described({ groups: ['$(zap)'], failing: 2 });
    assert.equal(description, '$ (zap) · 2 failing · Acme production');
  });
});

describe('relativeTime()', () => {
  for (const [age, text] of [
    [-1, 'just now'],
    [0.99, 'just now'],
    [1, '1 minute ago'],
    [60, '1 hour ago'],
    [60 * 24 * 60, '60 days ago'],
    [61 * 24 * 60, 'Sep 20, 2026'],
  ] as const) {
    it(`says “${text}” for ${age} minutes`, () => {
      assert.equal(relativeTime(now - minutes(age), now), text);
    });
  }
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
    const { myGroups, settings } = graph.services;
    const verdictAge = new VerdictAge({ store, myGroups, settings }, clock);
    rows = new DeploymentsView({ ...graph.services, verdictAge }, view, clock);
  });
  afterEach(async () => {
    rows.dispose();
  });

  const revealedIds = () => view.revealed.map(({ id }) => id);

  describe('by account', () => {
    beforeEach(() => graph.services.grouping.set('account'));

    it('reveals the first row of a deployment', async () => {
      await rows.reveal('billing');
      assert.deepEqual(revealedIds(), ['["account","acc_2"]/member:billing']);
      assert.equal(graph.services.grouping.by, 'account');
    });

    it('turns the filter off to reveal a healthy deployment', async () => {
      await graph.services.filter.set(true);
      await rows.reveal('triage');
      assert.deepEqual(revealedIds(), ['["account","acc_1"]/member:triage']);
      assert.equal(graph.services.filter.isOn, false);
      assert.equal(graph.services.grouping.by, 'account');
    });

    it('reveals a deployment that was not read yet', async () => {
      await rows.reveal('gone');
      assert.deepEqual(revealedIds(), ['unseen/deployment:gone']);
      assert.equal(graph.services.grouping.by, 'account');
    });

    it('groups by deployment to reveal a deployment that has no row', async () => {
      await rows.reveal('bare');
      assert.deepEqual(revealedIds(), ['deployment:bare']);
      assert.equal(graph.services.grouping.by, 'deployment');
    });
  });

  async function failToRead(id: string): Promise<void> {
    const { store } = graph.services;
    const failure = new ApiError({ kind: 'serverError', status: 503 });
    store.setOrganization({ id: organization.id, read: () => Promise.reject(failure) });
    await store.refresh([id]);
  }

  function show(isVisible: boolean): void {
    view.visible = isVisible;
    visibility.fire(view);
  }

  describe('after a minute', () => {
    let redrawn: unknown[];
    beforeEach(() => {
      rows.provider.getChildren();
      redrawn = [];
      rows.provider.onDidChangeTreeData((event) =>
        redrawn.push(event?.map(({ copyId }) => copyId) ?? 'all'),
      );
    });

    it('draws nothing again when no row has an age', () => {
      clock.pass(minutes(1));
      assert.deepEqual(redrawn, []);
    });

    it('draws an expanded row again', () => {
      expanded.fire({ element: rows.provider.getChildren()[0]! });
      clock.pass(minutes(1));
      assert.deepEqual(redrawn, [['billing']]);
    });

    it('draws an expanded row and a stale one again at once', async () => {
      expanded.fire({ element: rows.provider.getChildren()[0]! });
      show(false);
      await failToRead('triage');
      show(true);
      rows.provider.getChildren();
      redrawn = [];
      clock.pass(minutes(1));
      assert.deepEqual(redrawn, [['billing', 'triage']]);
    });

    it('draws a stale row again', async () => {
      show(false);
      await failToRead('triage');
      show(true);
      rows.provider.getChildren();
      redrawn = [];
      clock.pass(minutes(1));
      assert.deepEqual(redrawn, [['triage']]);
    });

    it('draws nothing again when hidden', async () => {
      show(false);
      await failToRead('triage');
      clock.pass(minutes(1));
      assert.deepEqual(redrawn, []);
    });

    it('draws all again when shown', async () => {
      show(false);
      await failToRead('triage');
      show(true);
      assert.deepEqual([...new Set(redrawn)], ['all']);
    });
  });

  describe('in a remote window', () => {
    inRemoteWindow();

    it('draws all rows again each minute in an outage', async () => {
      rows.provider.getChildren();
      const { store } = graph.services;
      const failure = new ApiError({ kind: 'tokenRejected', status: 401 });
      store.setOrganization({ id: organization.id, read: () => Promise.reject(failure) });
      await store.refresh(['triage']);
      rows.provider.getChildren();
      const redrawn: unknown[] = [];
      rows.provider.onDidChangeTreeData((event) =>
        redrawn.push(event?.map(({ copyId }) => copyId) ?? 'all'),
      );
      clock.pass(minutes(1));
      clock.pass(minutes(1));
      assert.deepEqual(redrawn, ['all', 'all']);
    });
  });

  it('has the title of the manifest when there are several organizations', () => {
    const { title }: Partial<vscode.TreeView<unknown>> = view;
    assert.equal(title, undefined);
  });

  it('ends its description with the organization', () => {
    const { description }: Partial<vscode.TreeView<unknown>> = view;
    assert.equal(description, '1 failing · environment');
  });
});
