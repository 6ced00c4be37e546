import * as vscode from 'vscode';
import { deploymentSummary } from '../host/text.js';
import type { DeploymentStore } from '../model/deploymentStore.js';
import type { TreeElement } from '../model/tree.js';

const minute = 60_000;

/**
 * Ages in rows grow without anything having changed. Once a minute, while somebody looks, the deployments whose words have
 * become others are drawn again, and the expanded ones for the ages below them. Nothing is asked of the service.
 */
export class AgeTicker implements vscode.Disposable {
  private readonly expanded = new Set<string>();
  private readonly subscriptions: vscode.Disposable[];
  private timer: NodeJS.Timeout | undefined;
  private drawnAt = Date.now();

  constructor(
    private readonly view: vscode.TreeView<TreeElement>,
    private readonly store: Pick<DeploymentStore, 'deployments'>,
    private readonly redraw: (deploymentIds: ReadonlySet<string>) => void,
  ) {
    this.subscriptions = [
      view.onDidChangeVisibility(() => this.follow()),
      view.onDidExpandElement(
        ({ element }) => element.kind === 'deployment' && this.expanded.add(element.deployment.id),
      ),
      view.onDidCollapseElement(
        ({ element }) => element.kind === 'deployment' && this.expanded.delete(element.deployment.id),
      ),
    ];
    this.follow();
  }

  dispose(): void {
    clearInterval(this.timer);
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private follow(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    if (!this.view.visible) return;
    this.tick();
    this.timer = setInterval(() => this.tick(), minute);
  }

  private tick(): void {
    const now = Date.now();
    const before = this.drawnAt;
    this.drawnAt = now;
    const older = this.store.deployments.filter(
      (deployment) =>
        this.expanded.has(deployment.id) ||
        (deployment.answer && deploymentSummary(deployment, now) !== deploymentSummary(deployment, before)),
    );
    if (older.length > 0) this.redraw(new Set(older.map(({ id }) => id)));
  }
}
