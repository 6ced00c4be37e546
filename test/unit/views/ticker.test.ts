import { strict as assert } from 'node:assert';
import type { TreeViewVisibilityChangeEvent } from 'vscode';
import { Emitter } from '../../../src/model/emitter.js';
import { Ticker } from '../../../src/views/ticker.js';
import { ManualClock } from '../model/manualClock.js';

describe('words that change with the time', () => {
  const visibility = new Emitter<TreeViewVisibilityChangeEvent>();
  const view = { visible: true, onDidChangeVisibility: visibility.event };
  let clock: ManualClock;
  let drawn: number[];
  let ticker: Ticker;

  /** `unit`: ms for which words are right. */
  function start(unit: number): void {
    clock = new ManualClock(0);
    drawn = [];
    view.visible = true;
    const changesAt = (now: number) => (Math.floor(now / unit) + 1) * unit;
    ticker = new Ticker(view, () => drawn.push(clock.now() / 1000), clock, changesAt);
  }
  afterEach(() => ticker.dispose());

  function show(visible: boolean): void {
    view.visible = visible;
    visibility.fire({ visible });
  }

  it('are drawn when they become wrong, at most twenty times a second and at least once a minute', () => {
    start(7000);
    clock.pass(15_000);
    assert.deepEqual(drawn, [7, 14]);
    ticker.dispose();
    start(1);
    clock.pass(100);
    assert.deepEqual(drawn, [0.05, 0.1]);
    ticker.dispose();
    start(Infinity);
    clock.pass(30_000);
    ticker.restart();
    clock.pass(100_000);
    assert.deepEqual(drawn, [90]);
  });

  it('stand still while nobody looks, are right as soon as somebody does, and are forgotten with the view', () => {
    start(1000);
    show(false);
    clock.pass(2500);
    assert.equal(clock.waiting, 0);
    show(true);
    clock.pass(500);
    assert.deepEqual(drawn.splice(0), [2.5, 3]);
    ticker.dispose();
    show(true);
    assert.equal(clock.waiting, 0);
    assert.deepEqual(drawn, []);
  });
});
