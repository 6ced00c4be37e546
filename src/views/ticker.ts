import type * as vscode from 'vscode';
import type { Disposable } from '../model/emitter.js';
import { type Clock, systemClock } from '../model/time.js';

const minute = 60_000;
const shortestWait = 50;

export interface TickerOptions<T> {
  readonly items: () => readonly T[];
  /** Epoch ms at which the words that an item has at `now` become wrong. */
  readonly changesAt: (item: T, now: number) => number;
  /** Whether each change is drawn when it is due. Without it changes are gathered, and drawn once a minute. */
  readonly punctual?: boolean;
  /** `since`: epoch ms of the time before at which items were drawn. */
  readonly redraw: (changed: readonly T[], since: number) => void;
}

/**
 * Ages grow and times left shrink although no data changes. Items whose words have become wrong are drawn again while the view is
 * visible, and at once when it becomes visible. Nothing is asked of the service.
 */
export class Ticker<T> implements Disposable {
  private readonly subscription: Disposable;
  private timer: Disposable | undefined;
  private drawnAt = 0;

  constructor(
    private readonly view: Pick<vscode.TreeView<unknown>, 'visible' | 'onDidChangeVisibility'>,
    private readonly options: TickerOptions<T>,
    private readonly clock: Clock = systemClock,
  ) {
    this.subscription = view.onDidChangeVisibility(() => this.tick());
    this.restart();
  }

  /** All items have just been drawn. */
  restart(): void {
    this.drawnAt = this.clock.now();
    this.wait();
  }

  dispose(): void {
    this.timer?.dispose();
    this.subscription.dispose();
  }

  private tick(): void {
    const { items, changesAt, redraw } = this.options;
    const since = this.drawnAt;
    const now = this.clock.now();
    if (this.view.visible) {
      this.drawnAt = now;
      // After the clock was put back every age is wrong.
      const changed = items().filter((item) => now < since || changesAt(item, since) <= now);
      if (changed.length > 0) redraw(changed, since);
    }
    this.wait();
  }

  private wait(): void {
    this.timer?.dispose();
    this.timer = this.view.visible ? this.clock.setTimer(() => this.tick(), this.untilNext()) : undefined;
  }

  private untilNext(): number {
    const { items, changesAt, punctual = false } = this.options;
    if (!punctual) return minute;
    const { drawnAt } = this;
    const next = Math.min(...items().map((item) => changesAt(item, drawnAt))) - drawnAt;
    return Math.min(Math.max(next, shortestWait), minute);
  }
}
