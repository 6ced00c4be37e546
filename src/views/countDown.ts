import type * as vscode from 'vscode';
import type { Disposable } from '../model/emitter.js';
import type { InstallStore, PendingInstall } from '../model/installs.js';
import { type Clock, systemClock, timeLeft } from '../model/time.js';

/** A timer can't wait longer than 24 days; one that fires for nothing once a day is no burden. */
const longestWait = 24 * 60 * 60 * 1000;
const shortestWait = 50;

/**
 * Redraws the pending installs whose words have changed: once a minute, each second in the last one. One timer for the next of
 * them, none while nobody looks. Asks nothing of the service.
 */
export class CountDown implements Disposable {
  private timer: Disposable | undefined;

  constructor(
    private readonly view: Pick<vscode.TreeView<unknown>, 'visible'>,
    private readonly installs: Pick<InstallStore, 'installs'>,
    /** `undefined`: one has lapsed, and with that its place has changed. */
    private readonly redraw: (installs: PendingInstall[] | undefined) => void,
    private readonly clock: Clock = systemClock,
  ) {
    this.restart();
  }

  /** After a change of the list, or of whether it can be seen. */
  restart(): void {
    this.timer?.dispose();
    this.timer = undefined;
    if (!this.view.visible) return;
    const now = this.clock.now();
    const changes = this.installs.installs.flatMap((install) => {
      const left = timeLeft(install.expiresAt, now);
      return left.kind === 'unknown' ? [] : [{ install, at: left.nextChange }];
    });
    if (changes.length === 0) return;
    const wait = Math.min(...changes.map(({ at }) => at)) - now;
    this.timer = this.clock.setTimer(
      () => {
        const due = this.clock.now();
        const changed = changes.filter(({ at }) => at <= due).map(({ install }) => install);
        const hasLapsed = changed.some(
          ({ expiresAt }) => expiresAt !== undefined && now < expiresAt && expiresAt <= due,
        );
        if (changed.length > 0) this.redraw(hasLapsed ? undefined : changed);
        this.restart();
      },
      Math.min(Math.max(wait, shortestWait), longestWait),
    );
  }

  dispose(): void {
    this.timer?.dispose();
  }
}
