import type * as vscode from 'vscode';
import type { Disposable } from '../model/emitter.js';
import { type Clock, systemClock } from '../model/time.js';

const shortestWait = 50;
/** The time goes on while the machine sleeps, and no timer does. */
const longestWait = 60_000;

/**
 * Ages grow and times left shrink although no data changes. While the view is visible its words are drawn again, and at once when it
 * becomes visible. Nothing is asked of the service.
 */
export class Ticker implements Disposable {
  private readonly subscription: Disposable;
  private timer: Disposable | undefined;

  /** `changesAt`: epoch ms at which the words become wrong that are right at `now`. Without it they are drawn once a minute. */
  constructor(
    private readonly view: Pick<vscode.TreeView<unknown>, 'visible' | 'onDidChangeVisibility'>,
    private readonly draw: () => void,
    private readonly clock: Clock = systemClock,
    private readonly changesAt: (now: number) => number = () => Infinity,
  ) {
    this.subscription = view.onDidChangeVisibility(() => this.tick());
    this.restart();
  }

  /** The words have just been drawn. */
  restart(): void {
    this.timer?.dispose();
    if (!this.view.visible) return;
    const now = this.clock.now();
    const wait = Math.min(Math.max(this.changesAt(now) - now, shortestWait), longestWait);
    this.timer = this.clock.setTimer(() => this.tick(), wait);
  }

  dispose(): void {
    this.timer?.dispose();
    this.subscription.dispose();
  }

  private tick(): void {
    if (this.view.visible) this.draw();
    this.restart();
  }
}
