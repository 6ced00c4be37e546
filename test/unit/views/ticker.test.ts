import { strict as assert } from 'node:assert';
import type { TreeViewVisibilityChangeEvent } from 'vscode';
import { Emitter } from '../../../src/model/emitter.js';
import { Ticker } from '../../../src/views/ticker.js';
import { ManualClock } from '../model/manualClock.js';

const minute = 60_000;

/** Of the first the words change each second, of the second each minute. */
function changesAt(item: string, now: number): number {
  const unit = item === 'seconds' ? 1000 : item === 'minutes' ? minute : Number.POSITIVE_INFINITY;
  return (Math.floor(now / unit) + 1) * unit;
}

describe('words that change with the time', () => {
  const visibility = new Emitter<TreeViewVisibilityChangeEvent>();
  const view = { visible: true, onDidChangeVisibility: visibility.event };
  let clock: ManualClock;
  let drawn: string[];
  let ticker: Ticker<string>;

  beforeEach(() => {
    clock = new ManualClock(0);
    drawn = [];
    view.visible = true;
  });
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

  const start = (items: readonly string[], punctual: boolean) =>
    new Ticker(
      view,
      {
        items: () => items,
        changesAt,
        punctual,
        redraw: (changed, since) => drawn.push(`${changed.join(' ')} since ${since / 1000}`),
      },
      clock,
    );

  describe('gathered', () => {
    beforeEach(() => {
      ticker = start(['minutes', 'never', 'seconds'], false);
    });

    it('are drawn again once a minute, and only they', () => {
      assert.deepEqual(pass(2 * minute), ['minutes seconds since 0', 'minutes seconds since 60']);
    });

    it('stand still while nobody looks, and are right as soon as somebody does', () => {
      show(false);
      assert.deepEqual(pass(10 * minute), []);
      assert.equal(clock.waiting, 0);
      show(true);
      assert.deepEqual(pass(0), ['minutes seconds since 0']);
    });

    it('are right after the clock was put back', () => {
      clock.setBack(10 * minute);
      assert.deepEqual(pass(minute), ['minutes never seconds since 0']);
      assert.deepEqual(pass(minute), ['minutes seconds since -540']);
    });

    it('are forgotten with the view', () => {
      ticker.dispose();
      show(true);
      assert.deepEqual(pass(10 * minute), []);
    });
  });

  describe('each when it is due', () => {
    it('are drawn then, and only they', () => {
      ticker = start(['minutes', 'seconds'], true);
      assert.deepEqual(pass(2500), ['seconds since 0', 'seconds since 1']);
      pass(minute - 3500);
      assert.deepEqual(pass(1000), ['minutes seconds since 59']);
    });

    it('come one a minute where nothing is due before', () => {
      ticker = start(['minutes'], true);
      assert.deepEqual(pass(59_999), []);
      assert.deepEqual(pass(1), ['minutes since 0']);
    });

    it('are counted from when everything was drawn', () => {
      ticker = start(['minutes'], true);
      pass(30_000);
      ticker.restart();
      assert.deepEqual(pass(30_000), ['minutes since 30']);
    });

    it('stand still while nobody looks, and go on when somebody does', () => {
      ticker = start(['seconds'], true);
      show(false);
      assert.deepEqual(pass(5500), []);
      show(true);
      assert.deepEqual(pass(500), ['seconds since 0', 'seconds since 5.5']);
    });
  });
});
