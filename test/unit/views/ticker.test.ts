import { strict as assert } from 'node:assert';
import type { TreeViewExpansionEvent, TreeViewVisibilityChangeEvent } from 'vscode';
import type { Deployment } from '../../../src/model/deployment.js';
import { Emitter } from '../../../src/model/emitter.js';
import type { TreeElement } from '../../../src/model/tree/elements.js';
import { AgeTicker } from '../../../src/views/ticker.js';
import { ManualClock } from '../model/manualClock.js';

const minute = 60_000;

function read(id: string): Deployment {
  const findings = {
    state: 'satisfied',
    requirements: [],
    accounts: [],
    problems: [],
    failedAccounts: 0,
    unsatisfied: 0,
  } as const;
  const authorization = { accounts: [], requirements: [] };
  return {
    id,
    name: id,
    state: 'satisfied',
    activity: 'idle',
    answer: { authorization, findings, decodeIssues: [], receivedAt: 0 },
  };
}

/** Only the words of the first change with the time. */
function wordsChangeAt({ id }: Deployment, now: number): number {
  return id === 'old' ? (Math.floor(now / minute) + 1) * minute : Number.POSITIVE_INFINITY;
}

describe('ages in rows', () => {
  const visibility = new Emitter<TreeViewVisibilityChangeEvent>();
  const expanded = new Emitter<TreeViewExpansionEvent<TreeElement>>();
  const collapsed = new Emitter<TreeViewExpansionEvent<TreeElement>>();
  const view = {
    visible: true,
    onDidChangeVisibility: visibility.event,
    onDidExpandElement: expanded.event,
    onDidCollapseElement: collapsed.event,
  };
  const deployments = [read('old'), read('fresh')];
  let drawn: string[][];
  let ticker: AgeTicker;
  let clock: ManualClock;

  beforeEach(() => {
    clock = new ManualClock();
    drawn = [];
    view.visible = true;
    ticker = new AgeTicker(view, { deployments }, wordsChangeAt, (ids) => drawn.push([...ids]), clock);
  });
  afterEach(() => ticker.dispose());

  function show(visible: boolean): void {
    view.visible = visible;
    visibility.fire({ visible });
  }

  it('are drawn again once a minute where the words changed', () => {
    clock.pass(2 * minute);
    assert.deepEqual(drawn, [['old'], ['old']]);
  });

  it('are drawn again below a row that is open', () => {
    const element: TreeElement = { kind: 'deployment', id: 'row', copyId: 'fresh', deployment: deployments[1]! };
    expanded.fire({ element });
    clock.pass(minute);
    collapsed.fire({ element });
    clock.pass(minute);
    assert.deepEqual(drawn, [['old', 'fresh'], ['old']]);
  });

  it('stand still while nobody looks, and are right as soon as somebody does', () => {
    show(false);
    clock.pass(10 * minute);
    assert.deepEqual(drawn, []);
    show(true);
    assert.deepEqual(drawn, [['old']]);
  });

  it('are right after the clock was put back', () => {
    clock.setBack(10 * minute);
    clock.pass(minute);
    assert.deepEqual(drawn, [['old', 'fresh']]);
    clock.pass(minute);
    assert.deepEqual(drawn, [['old', 'fresh'], ['old']]);
  });

  it('are forgotten with the view', () => {
    ticker.dispose();
    show(true);
    clock.pass(10 * minute);
    assert.deepEqual(drawn, []);
  });
});
