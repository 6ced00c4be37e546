import { strict as assert } from 'node:assert';
import type { TreeViewVisibilityChangeEvent } from 'vscode';
import { Emitter } from '../../../src/model/emitter.js';
import { Ticker } from '../../../src/views/ticker.js';
import { ManualClock } from '../model/manualClock.js';

const minute = 60_000;
const units: Readonly<Record<string, number>> = { seconds: 1000, minutes: minute };

/** Of the first the words change each second, of the second each minute, of others never. */
function changesAt(item: string, now: number): number {
  const unit = units[item] ?? Infinity;
  return (Math.floor(now / unit) + 1) * unit;
}

describe('words that change with the time', () => {
  const visibility = new Emitter<TreeViewVisibilityChangeEvent>();
  const view = { visible: true, onDidChangeVisibility: visibility.event };
  let clock: ManualClock;
  let drawn: string[];
  let ticker: Ticker<string>;

  function start(items: readonly string[], punctual: boolean): void {
    clock = new ManualClock(0);
    drawn = [];
    view.visible = true;
    const redraw = (changed: readonly string[], since: number) =>
      drawn.push(`${changed.join(' ')} since ${since / 1000}`);
    ticker = new Ticker(view, { items: () => items, changesAt, punctual, redraw }, clock);
  }
  afterEach(() => ticker.dispose());

  function show(visible: boolean): void {
    view.visible = visible;
    visibility.fire({ visible });
  }

  /** What was drawn meanwhile. */
  function pass(milliseconds: number): string[] {
    clock.pass(milliseconds);
    return drawn.splice(0);
  }

  describe('gathered', () => {
    beforeEach(() => start(['minutes', 'never', 'seconds'], false));

    it('are drawn again once a minute, and only they', () => {
      assert.deepEqual(pass(2 * minute), ['minutes seconds since 0', 'minutes seconds since 60']);
    });

    it('stand still while nobody looks, are right as soon as somebody does, and are forgotten with the view', () => {
      show(false);
      assert.deepEqual(pass(10 * minute), []);
      assert.equal(clock.waiting, 0);
      show(true);
      assert.deepEqual(pass(0), ['minutes seconds since 0']);
      ticker.dispose();
      show(true);
      assert.deepEqual(pass(10 * minute), []);
    });

    it('are right after the clock was put back', () => {
      clock.setBack(10 * minute);
      assert.deepEqual(pass(minute), ['minutes never seconds since 0']);
      assert.deepEqual(pass(minute), ['minutes seconds since -540']);
    });
  });

  describe('each when it is due', () => {
    it('are drawn then, and only they, also after nobody looked', () => {
      start(['minutes', 'seconds'], true);
      assert.deepEqual(pass(2500), ['seconds since 0', 'seconds since 1']);
      show(false);
      assert.deepEqual(pass(minute - 3500), []);
      show(true);
      assert.deepEqual(pass(1000), ['seconds since 2', 'minutes seconds since 59']);
    });

    it('come one a minute where nothing is due before, counted from when everything was drawn', () => {
      start(['minutes'], true);
      assert.deepEqual(pass(minute), ['minutes since 0']);
      pass(30_000);
      ticker.restart();
      assert.deepEqual(pass(30_000), ['minutes since 90']);
    });
  });
});
