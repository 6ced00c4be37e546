import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { setContext } from '../../host/contextKeys.js';
import { viewIds } from '../../host/ids.js';
import type { Organization } from '../../host/organizations/organization.js';
import type { RevealOptions, Services } from '../../host/services.js';
import { causeWords } from '../../host/text/cause.js';
import { countsText, knownVerdict, verdict } from '../../host/text/deployment.js';
import { numberText, parts } from '../../host/text/format.js';
import { DisposableOwner } from '../../model/base/disposableOwner.js';
import type { Disposable } from '../../model/base/emitter.js';
import { type Clock, minute, systemClock } from '../../model/base/time.js';
import { inertLabel } from '../../model/inertText.js';
import type { Store, StoreChange } from '../../model/store/store.js';
import type { TreeElement } from '../../model/tree/elements.js';
import { isShown } from '../../model/tree/roots.js';
import { DeploymentsProvider } from './provider.js';
import { decorationOf } from './row.js';

export class DeploymentsView extends DisposableOwner {
  readonly provider: DeploymentsProvider;
  private readonly expanded = new Set<string>();
  private timer: Disposable | undefined;
  /** VS Code's own, in its language. */
  private readonly title: string | undefined;

  constructor(
    private readonly services: Omit<
      Services,
      'reveal' | 'open' | 'focus' | 'focusAfterRemoval' | 'neighborOf' | 'focusInstall'
    >,
    private readonly view: vscode.TreeView<TreeElement>,
    private readonly clock: Clock = systemClock,
  ) {
    super();
    const { store, organizations, deploymentList, filter, grouping, memory, owners, settings } = services;
    const { expanded } = this;
    this.provider = this.own(new DeploymentsProvider(services, clock));
    this.title = view.title;
    this.own(
      view.onDidExpandElement(({ element }) => element.kind === 'deployment' && expanded.add(element.deployment.id)),
    );
    this.own(
      view.onDidCollapseElement(
        ({ element }) => element.kind === 'deployment' && expanded.delete(element.deployment.id),
      ),
    );
    this.own(vscode.window.registerFileDecorationProvider({ provideFileDecoration: decorationOf }));
    this.own(store.onDidChange((deployments) => this.changed(deployments)));
    for (const one of [organizations, deploymentList, filter, grouping, owners]) {
      this.own(one.onDidChange(() => this.changed('all')));
    }
    this.own(memory.onDidChangeNotifying(() => this.changed('all')));
    this.own(settings.onDidChange(() => this.updateFrame()));
    this.own(view.onDidChangeVisibility(() => this.visibilityChanged()));
    this.own({ dispose: () => this.timer?.dispose() });
    this.updateFrame();
    this.wait();
  }

  async reveal(deploymentId: string, { keepsFocus = false }: RevealOptions = {}): Promise<void> {
    const { store, filter, grouping } = this.services;
    const { view, provider } = this;
    const deployment = store.get(deploymentId);
    if (deployment && !isShown(deployment, filter)) await filter.set(false);
    if (!view.visible) {
      await untilVisible(view, keepsFocus);
      // VS Code asks for the rows of a hidden view too, without drawing them: it would look for this one in an empty tree.
      provider.refresh('all');
    }
    if (grouping.isOn) provider.getChildren();
    if (!provider.rowOf(deploymentId)) await grouping.set(false);
    const row = provider.rowOf(deploymentId);
    // VS Code finishes a refresh that is under way before it looks for the row.
    if (row) await view.reveal(row, { select: true, focus: !keepsFocus });
  }

  /** A row that is only focused stays unselected, so that the first reading goes on sorting. */
  async focus(deploymentId?: string): Promise<void> {
    const { view, provider } = this;
    const wanted = deploymentId === undefined ? undefined : provider.rowOf(deploymentId);
    if (!wanted) await vscode.commands.executeCommand(`${viewIds.deployments}.focus`);
    // VS Code moves the focus to the selected row by itself.
    const row = wanted ?? (view.selection.length === 0 ? provider.getChildren()[0] : undefined);
    if (row) await view.reveal(row, { select: wanted !== undefined, focus: true });
  }

  async focusAfterRemoval(deploymentId?: string): Promise<void> {
    if (this.provider.getChildren().length === 0) await welcomeDrawn();
    await this.focus(deploymentId);
  }

  async open(deploymentId: string): Promise<void> {
    const { view, provider } = this;
    const row = provider.rowOf(deploymentId);
    if (!row || !view.visible || view.selection.some(({ id }) => id !== row.id)) return;
    // A row can be opened once VS Code knows that there is something below it, and the store's own event may be a moment away.
    provider.refreshRow(row);
    await view.reveal(row, { select: false, expand: true });
  }

  private changed(deployments: StoreChange): void {
    const { store } = this.services;
    if (store.isFirstReading && this.view.selection.length === 0 && this.expanded.size === 0)
      store.settleFirstReading();
    if (this.view.visible) this.provider.refresh(deployments);
    this.updateFrame();
  }

  /** What changed while the view was hidden is drawn when it is shown. */
  private visibilityChanged(): void {
    this.changed('all');
    this.wait();
  }

  /** A stale row says how old it is, and the rows below an expanded one have ages too. */
  private wait(): void {
    this.timer?.dispose();
    if (!this.view.visible) return;
    this.timer = this.clock.setTimer(() => {
      const { deployments } = this.services.store;
      const aged = deployments.filter(({ id, answer, failure }) => this.expanded.has(id) || (answer && failure));
      this.provider.refresh(new Set(aged.map(({ id }) => id)));
      this.wait();
    }, minute);
  }

  private updateFrame(): void {
    const { store, organizations, deploymentList, settings } = this.services;
    const { counts } = store;
    const { current } = organizations;
    const isOneOfSeveral = current !== undefined && organizations.list.length > 1;
    const name = current && inertLabel(current.name, 100);
    const title = isOneOfSeveral && this.title ? `${this.title}: ${name}` : this.title;
    const description = current && viewDescription(store, isOneOfSeveral ? undefined : current);
    // VS Code sends each assignment to the window, even of the same text.
    if (this.view.title !== title) this.view.title = title;
    if (this.view.description !== description) this.view.description = description;
    this.view.badge =
      current && counts.failing > 0 && settings.badgeEnabled
        ? { value: counts.failing, tooltip: countsText(counts) }
        : undefined;
    const hasRows = store.cause !== undefined || deploymentList.untrusted || deploymentList.listed.length > 0;
    const welcome = organizations.missing ?? (hasRows ? 'rows' : 'noDeployments');
    // Nothing is known while the sign-ins are read.
    if (welcome !== 'loading') setContext('welcome', welcome);
  }
}

/** VS Code draws the welcome view a moment after the last row has gone. Before that the focus would go with the tree. */
export async function welcomeDrawn(): Promise<void> {
  await sleep(500, undefined, { ref: false });
}

/** Opens the view and waits until VS Code says that it is shown. Gives up after a while: the user may have removed it. */
async function untilVisible(view: vscode.TreeView<unknown>, preserveFocus: boolean): Promise<void> {
  let listener: vscode.Disposable | undefined;
  const shown = new Promise<void>((resolve) => {
    listener = view.onDidChangeVisibility(({ visible }) => visible && resolve());
  });
  try {
    await vscode.commands.executeCommand(`${viewIds.deployments}.focus`, { preserveFocus });
    if (!view.visible) await Promise.race([shown, sleep(5000, undefined, { ref: false })]);
  } finally {
    listener?.dispose();
  }
}

/** Beside the view's title, because `TreeView.message` would hide the welcome view. */
export function viewDescription(
  { counts, progress, cause }: Pick<Store, 'counts' | 'progress' | 'cause'>,
  organization: Organization | undefined,
): string {
  const read = progress && { done: numberText(progress.done), total: numberText(progress.total) };
  return inertLabel(
    parts(
      ...(cause?.kind === 'failure'
        ? [causeWords(cause, organization).word, knownVerdict(counts)]
        : [verdict(counts, read !== undefined)]),
      read && vscode.l10n.t({ message: '{done} of {total}', args: read, comment: 'Deployments read so far' }),
      organization?.name,
    ),
    200,
  );
}
