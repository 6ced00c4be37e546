import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { clockTime } from '../../../../src/host/text/format.js';
import type { Deployment } from '../../../../src/model/findings/deployment.js';
import type { TreeElement } from '../../../../src/model/tree/elements.js';
import { DeploymentsProvider } from '../../../../src/views/tree/provider.js';
import { ManualClock } from '../../../support/manualClock.js';
import {
  billing,
  deployment,
  look,
  now,
  type Situation,
  satisfied,
  sourceOf,
} from '../../../support/window/fixtures.js';

const good = deployment({ id: 'good', authorization: satisfied });
const three = [deployment({ id: 'bad', authorization: billing }), good, deployment({ id: 'new' })];

describe('the rows of the Deployments view', () => {
  let source: Situation;
  let provider: DeploymentsProvider;
  let events: (TreeElement[] | undefined)[];

  function list(...deployments: readonly Deployment[]): void {
    source = sourceOf(...deployments);
    provider = new DeploymentsProvider(source, new ManualClock());
    events = [];
    provider.onDidChangeTreeData((event) => events.push(event));
    provider.getChildren();
  }
  afterEach(() => provider.dispose());

  /** What the events so far named. */
  const named = () => events.splice(0).map((event) => event?.map(({ copyId }) => copyId) ?? 'all');
  const items = () => {
    const roots = provider.getChildren().filter(({ kind }) => kind === 'deployment');
    const all = [...roots, ...roots.flatMap((row) => provider.getChildren(row))];
    return all.map((row) => provider.getTreeItem(row));
  };
  const labels = () => provider.getChildren().map((element) => provider.getTreeItem(element).label);

  it('say that all are healthy where the filter hides all of them', () => {
    for (const [listed, label] of [
      [[good, { ...good, id: 'other' }], 'All 2 healthy'],
      [[good], '1 healthy'],
    ] as const) {
      list(...listed);
      source.filter = { isOn: true };
      const shown = provider.getChildren().map((row) => provider.getTreeItem(row));
      const looks = shown.map((item) => ({ ...look(item), menu: item.contextValue }));
      const spoken = `${label}, Show All Deployments`;
      assert.deepEqual(looks, [
        { icon: 'pass charts.green', text: label, spoken, decorated: undefined, menu: 'hidden' },
      ]);
    }
  });

  it('do not say that all are healthy while a list of the workspace is ignored', () => {
    list(good);
    source.filter = { isOn: true };
    source.ignoredSettings = {
      current: { deployments: { count: 8, files: ['.vscode/settings.json'] } },
      isRead: true,
    };
    const shown = provider.getChildren().map((row) => look(provider.getTreeItem(row)));
    assert.deepEqual(
      shown.map(({ icon, text }) => [icon, text]),
      [
        ['workspace-untrusted problemsWarningIcon.foreground', 'Workspace list ignored'],
        ['', '1 healthy hidden'],
      ],
    );
  });

  it('do not say that all are healthy until it is known whether the workspace lists others', () => {
    list(good);
    source.filter = { isOn: true };
    source.ignoredSettings = { current: {}, isRead: false };
    const [shown] = provider.getChildren().map((row) => look(provider.getTreeItem(row)));
    assert.deepEqual([shown?.icon, shown?.text], ['', '1 healthy hidden']);
  });

  it('are those that the filter shows, and none when signed out', () => {
    list(...three);
    source.filter = { isOn: true };
    assert.deepEqual(labels(), ['bad', 'new', '1 healthy hidden']);
    const last = provider.getTreeItem(provider.getChildren().at(-1)!);
    assert.deepEqual(
      [last.command?.command, last.iconPath],
      ['automationPlatform.showAll', undefined],
    );
    source.grouping = { isOn: true };
    assert.equal(labels().at(-1), '1 healthy hidden');
    source.grouping = { isOn: false };
    source.ignoredSettings = {
      current: { owners: { count: 1, files: ['.vscode/settings.json'] } },
      isRead: true,
    };
    assert.equal(labels().length, 4);
    source.organizations = { current: undefined, list: [] };
    assert.deepEqual(labels(), []);
  });

  it('name the row that takes the place of others: the next one, or the one before, in groups, too', () => {
    list(...three);
    const neighbors = [
      ['bad'],
      ['good'],
      ['new'],
      ['bad', 'good'],
      ['good', 'new'],
      ['bad', 'good', 'new'],
      ['gone'],
    ];
    const found = () => neighbors.map((ids) => provider.neighborOf(ids));
    assert.deepEqual(found(), ['good', 'new', 'good', 'new', 'bad', undefined, 'bad']);
    source.grouping = { isOn: true };
    provider.getChildren();
    const inGroups = ['bad', 'good', 'new'].map((id) => provider.neighborOf([id]));
    assert.deepEqual(inGroups, ['good', 'new', 'good']);
  });

  it('are refreshed one by one', () => {
    list(...three);
    const [, row] = provider.getChildren();
    source.store.deployments = source.store.deployments.map((one) => ({
      ...one,
      activity: 'reading',
    }));
    provider.redraw(new Set(['good', 'not listed']));
    assert.deepEqual(events, [[row]]);
    assert.deepEqual(provider.getTreeItem(row!).iconPath, new vscode.ThemeIcon('sync~spin'));
  });

  it('are all refreshed when a first row comes or goes, and after a change of all', () => {
    list(...three);
    for (const cause of [{ kind: 'paused', until: 0 } as const, undefined]) {
      source.store.cause = cause;
      provider.redraw(new Set());
      assert.deepEqual(named(), ['all']);
      assert.equal(labels().length, cause ? 4 : 3);
      provider.redraw(new Set());
      assert.deepEqual(named(), []);
    }
    provider.redraw('all');
    assert.deepEqual(named(), ['all']);
  });

  it('are all refreshed when the filter lets one in, which VS Code does not have', () => {
    list(...three);
    source.filter = { isOn: true };
    provider.getChildren();
    provider.redraw(new Set(['bad', 'good']));
    assert.deepEqual(named(), [['bad']]);
    source.store.deployments = three.with(1, { ...good, state: 'failed' });
    provider.redraw(new Set(['good']));
    assert.deepEqual(named(), ['all']);
  });

  it('are gray while all fail alike, those below others too, keep their words, and say as of when', () => {
    list(...three);
    const before = items().map(look);
    const failure = { kind: 'timedOut', after: 1 } as const;
    source.store.cause = { kind: 'failure', failure, isOffline: false, at: now, asOf: now };
    const after = items().map(look);
    assert.ok(after.length > three.length);
    for (const [at, { spoken, ...shown }] of after.entries()) {
      const { icon, spoken: said, ...same } = before[at]!;
      assert.deepEqual(shown, {
        ...same,
        icon: `${icon.split(' ')[0]} disabledForeground`,
        decorated: undefined,
      });
      assert.ok(spoken.startsWith(said) && spoken.endsWith(` as of ${clockTime(now)}`), spoken);
    }
  });

  it('say not read yet, but not while a first row says why nothing was read', () => {
    list(deployment({ id: 'new' }));
    const failure = { kind: 'timedOut', after: 1 } as const;
    const cause = { kind: 'failure', failure, isOffline: false, at: now } as const;
    const said = [undefined, { ...cause, asOf: now }, { ...cause, asOf: undefined }].map((one) => {
      source.store.cause = one;
      return provider.getTreeItem(provider.getChildren().at(-1)!).description;
    });
    assert.deepEqual(said, ['not read yet', 'not read yet', undefined]);
    assert.match(look(items().at(-1)!).spoken, /, Not read yet$/);
  });

  it('below one that could not be read before keep the time of its own answer while all fail alike', () => {
    const failure = { kind: 'timedOut', after: 1 } as const;
    list(
      deployment({
        id: 'old',
        authorization: billing,
        age: 61,
        failure: { kind: 'notFound', status: 404 },
      }),
    );
    source.store.cause = { kind: 'failure', failure, isOffline: false, at: now, asOf: now };
    const answered = clockTime(now - 61 * 60_000);
    const ends = items().map((item) => look(item).spoken.split(' as of ').at(-1));
    assert.deepEqual(ends.slice(2), ends.slice(2).fill(answered));
  });

  it('of a deployment that left the list show nothing of what was read', () => {
    list(...three);
    const [row] = provider.getChildren();
    source.store.deployments = [];
    assert.deepEqual(provider.getChildren(row), []);
    assert.equal(provider.getTreeItem(row!).description, 'not read yet');
  });
});
