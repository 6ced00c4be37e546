import type * as vscode from 'vscode';
import type { Disposable } from '../model/emitter.js';
import { type Clock, systemClock } from '../model/time.js';

const shortestWait = 50;
/** The time goes on while the machine sleeps, and no timer does. */
const longestWait = 60_000;

/** Epoch ms at which the words become wrong that are right at `now`. */
type ChangesAt = (now: number) => number;

/**
 * Ages grow and times left shrink although no data changes. While the view is visible what has become wrong is drawn again, and at
 * once when it becomes visible. Nothing is asked of the service.
 */
export class Ticker implements Disposable {
  private readonly subscription: Disposable;
  private timer: Disposable | undefined;
  private drawnAt = 0;

  /** `draw` asks of each row whether its words are wrong. `changesAt`: when the first row's will be; by default once a minute. */
  constructor(
    private readonly view: Pick<vscode.TreeView<unknown>, 'visible' | 'onDidChangeVisibility'>,
    private readonly draw: (isWrong: (changesAt: ChangesAt) => boolean) => void,
    private readonly clock: Clock = systemClock,
    private readonly changesAt: ChangesAt = () => Infinity,
  ) {
    this.subscription = view.onDidChangeVisibility(() => this.tick());
    this.restart();
  }

  /** The words have just been drawn. */
  restart(): void {
    this.drawnAt = this.clock.now();
    this.wait();
  }

  dispose(): void {
    this.timer?.dispose();
    this.subscription.dispose();
  }

  private tick(): void {
    if (!this.view.visible) return this.wait();
    const { drawnAt } = this;
    const now = this.clock.now();
    // After the clock was put back every age is wrong.
    this.draw((changesAt) => now < drawnAt || changesAt(drawnAt) <= now);
    this.restart();
  }

  private wait(): void {
    this.timer?.dispose();
    if (!this.view.visible) return;
    const { drawnAt } = this;
    const wait = Math.min(Math.max(this.changesAt(drawnAt) - drawnAt, shortestWait), longestWait);
    this.timer = this.clock.setTimer(() => this.tick(), wait);
  }
}
