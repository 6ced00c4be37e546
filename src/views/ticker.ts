import type * as vscode from 'vscode';
import type { Deployment } from '../model/deployment.js';
import type { Disposable } from '../model/emitter.js';
import type { Store } from '../model/store/store.js';
import { type Clock, systemClock } from '../model/time.js';
import type { TreeElement } from '../model/tree/elements.js';

const minute = 60_000;

type View = Pick<
  vscode.TreeView<TreeElement>,
  'visible' | 'onDidChangeVisibility' | 'onDidExpandElement' | 'onDidCollapseElement'
>;

/**
 * Ages in rows grow without anything having changed. Once a minute, while somebody looks, the deployments whose words have
 * become others are drawn again, and the expanded ones for the ages below them. Nothing is asked of the service.
 */
export class AgeTicker implements Disposable {
  private readonly expanded = new Set<string>();
  private readonly subscriptions: readonly Disposable[];
  private timer: Disposable | undefined;
  private drawnAt: number;

  constructor(
    private readonly view: View,
    private readonly store: Pick<Store, 'deployments'>,
    /** Epoch ms from which on a deployment's words, as they were at `now`, are others. */
    private readonly wordsChangeAt: (deployment: Deployment, now: number) => number,
    private readonly redraw: (deploymentIds: ReadonlySet<string>) => void,
    private readonly clock: Clock = systemClock,
  ) {
    this.drawnAt = clock.now();
    this.subscriptions = [
      view.onDidChangeVisibility(() => this.follow()),
      view.onDidExpandElement(
        ({ element }) => element.kind === 'deployment' && this.expanded.add(element.deployment.id),
      ),
      view.onDidCollapseElement(
        ({ element }) => element.kind === 'deployment' && this.expanded.delete(element.deployment.id),
      ),
    ];
    this.arm();
  }

  dispose(): void {
    this.timer?.dispose();
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private follow(): void {
    if (this.view.visible) this.drawOlder();
    this.arm();
  }

  private arm(): void {
    this.timer?.dispose();
    this.timer = this.view.visible ? this.clock.setTimer(() => this.follow(), minute) : undefined;
  }

  private drawOlder(): void {
    const now = this.clock.now();
    const before = this.drawnAt;
    this.drawnAt = now;
    const older = this.store.deployments.filter(
      (deployment) =>
        // A clock that was put back makes all of them younger.
        now < before || this.expanded.has(deployment.id) || this.wordsChangeAt(deployment, before) <= now,
    );
    if (older.length > 0) this.redraw(new Set(older.map(({ id }) => id)));
  }
}
