import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { setContext } from '../../host/contextKeys.js';
import { viewIds } from '../../host/ids.js';
import type { Organization } from '../../host/organizations/organization.js';
import type { RevealOptions, Services, ViewActions } from '../../host/services.js';
import { asOfShortTime, causeWithVerdict } from '../../host/text/cause.js';
import {
  allCountsWithTime,
  failingOrAllCounts,
  verdictsLongestFirst,
} from '../../host/text/deployment.js';
import { joinWithDots, numberText, rowsShowAges } from '../../host/text/format.js';
import { DisposableOwner } from '../../model/base/disposableOwner.js';
import type { Disposable } from '../../model/base/emitter.js';
import { type Clock, systemClock, untilNextTimeLeft } from '../../model/base/time.js';
import { type Deployment, isFailing } from '../../model/findings/deployment.js';
import { inertLabel } from '../../model/inertText.js';
import type { Store, StoreChange } from '../../model/store/store.js';
import type { TreeElement } from '../../model/tree/elements.js';
import { firstRows, isShown } from '../../model/tree/roots.js';
import { DeploymentsProvider } from './provider.js';
import { decorationOf } from './row.js';

export class DeploymentsView extends DisposableOwner {
  readonly provider: DeploymentsProvider;
  private readonly expanded = new Set<string>();
  private timer: Disposable | undefined;
  /** Epoch ms: of which pause the timer knows. */
  private pausedUntil: number | undefined;

  constructor(
    private readonly services: Omit<Services, keyof ViewActions>,
    private readonly view: vscode.TreeView<TreeElement>,
    private readonly clock: Clock = systemClock,
  ) {
    super();
    const {
      store,
      organizations,
      deploymentList,
      filter,
      grouping,
      ignoredSettings,
      memory,
      owners,
      settings,
      verdictAge,
      changesWhileAway,
    } = services;
    const { expanded } = this;
    this.provider = this.own(new DeploymentsProvider(services, clock));
    this.own(
      view.onDidExpandElement(({ element }) => {
        if (element.kind === 'deployment') expanded.add(element.deployment.id);
        if (hasProblem(element)) setContext('hasOpenedProblem', true);
        // What is new in an opened group is said by its rows.
        if ('deployment' in element) changesWhileAway.markSeen([element.deployment.id]);
      }),
    );
    this.own(
      view.onDidCollapseElement(({ element }) => {
        if (element.kind === 'deployment') expanded.delete(element.deployment.id);
        // A click on an opened row that is selected already only closes it.
        if ('deployment' in element) changesWhileAway.markSeen([element.deployment.id]);
      }),
    );
    this.own(vscode.window.registerFileDecorationProvider({ provideFileDecoration: decorationOf }));
    this.own(store.onDidChange((deployments) => this.changed(deployments)));
    for (const one of [organizations, deploymentList, filter, grouping, ignoredSettings, owners]) {
      this.own(one.onDidChange(() => this.changed('all')));
    }
    this.own(memory.onDidChangeNotifying(() => this.changed('all')));
    this.own(
      view.onDidChangeSelection(({ selection }) =>
        changesWhileAway.markSeen(selection.flatMap(deploymentIdsOf)),
      ),
    );
    this.own(changesWhileAway.onDidChangeNew((deployments) => this.changed(deployments)));
    this.own(settings.onDidChange(() => this.updateFrame()));
    this.own(verdictAge.onDidChange(() => this.updateFrame()));
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

  async select(deploymentId: string): Promise<void> {
    const { view, provider } = this;
    const row = provider.rowOf(deploymentId);
    if (row && view.visible) await view.reveal(row, { select: true, focus: false });
  }

  /** A row that is only focused stays unselected, so that the first reading goes on sorting. */
  async focus(deploymentId?: string): Promise<void> {
    const { view, provider } = this;
    const wanted = deploymentId === undefined ? undefined : provider.rowOf(deploymentId);
    if (!wanted) await vscode.commands.executeCommand(`${viewIds.deployments}.focus`);
    // VS Code moves the focus to the selected row by itself.
    const row = wanted ?? (view.selection.length === 0 ? provider.firstRow() : undefined);
    if (row) await view.reveal(row, { select: wanted !== undefined, focus: true });
  }

  async focusAfterRemoval(deploymentId?: string): Promise<void> {
    if (this.provider.firstRow() === undefined) await welcomeDrawn();
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
    if (this.pausedUntil !== pauseEnd(store)) this.wait();
  }

  /** What changed while the view was hidden is drawn when it is shown. */
  private visibilityChanged(): void {
    this.changed('all');
    this.wait();
  }

  private wait(): void {
    this.timer?.dispose();
    this.pausedUntil = pauseEnd(this.services.store);
    if (!this.view.visible) return;
    const leftMs = (this.pausedUntil ?? 0) - this.clock.now();
    this.timer = this.clock.setTimer(() => {
      this.provider.refresh(this.aged());
      this.wait();
    }, untilNextTimeLeft(leftMs));
  }

  /**
   * A stale row says how old it is, and the rows below an expanded one have ages too; in a remote
   * window also a first row.
   */
  private aged(): StoreChange {
    const { deployments, cause } = this.services.store;
    if (rowsShowAges() && cause !== undefined) return 'all';
    const isAged = ({ id, answer, failedRead }: Deployment) =>
      this.expanded.has(id) ||
      (answer && (failedRead || (rowsShowAges() && this.services.impact.isOutdated(id))));
    return new Set(deployments.filter(isAged).map(({ id }) => id));
  }

  private updateFrame(): void {
    const { store, organizations, deploymentList, ignoredSettings, settings, verdictAge } =
      this.services;
    const { counts } = store;
    const { asOf } = verdictAge;
    const { current } = organizations;
    const description = current && viewDescription(store, current, asOf, this.clock.now());
    // VS Code sends each assignment to the window, even of the same text.
    if (this.view.description !== description) this.view.description = description;
    this.view.badge =
      current && counts.failing > 0 && settings.badgeEnabled
        ? { value: counts.failing, tooltip: allCountsWithTime(counts, asOf) }
        : undefined;
    const isAnyListed = deploymentList.listed.length > 0;
    const hasRows =
      isAnyListed || firstRows(store.cause, ignoredSettings.current, isAnyListed).length > 0;
    const welcome = organizations.noCurrentReason ?? (hasRows ? 'rows' : 'noDeployments');
    // Nothing is known while the sign-ins are read.
    if (welcome !== 'loading') setContext('welcome', welcome);
  }
}

function pauseEnd({ cause }: Pick<Store, 'cause'>): number | undefined {
  return cause?.kind === 'paused' ? cause.until : undefined;
}

/** Those that the row is about. */
function deploymentIdsOf(element: TreeElement): readonly string[] {
  if ('deployment' in element) return [element.deployment.id];
  return 'deployments' in element ? element.deployments.map(({ id }) => id) : [];
}

/** Whether what is wrong stands below the row, or above it in the same deployment. */
function hasProblem(element: TreeElement): boolean {
  if ('deployment' in element) return isFailing(element.deployment);
  return element.kind === 'group' && element.deployments.some(isFailing);
}

/**
 * VS Code draws the welcome view a moment after the last row has gone. Before that the focus would
 * go with the tree.
 */
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

/**
 * "Unreachable (TLS) · 7 failing · 29 of 30 · Acme", "7 failing · as of 9:51 PM · Acme": beside the view's title, because
 * `TreeView.message` would hide the welcome view. VS Code cuts the end, so that comes first which counts most. `asOf`: as
 * of when the counts were true, where that is not now. Epoch ms, as is `now`.
 */
export function viewDescription(
  { counts, progress, cause }: Pick<Store, 'counts' | 'progress' | 'cause'>,
  organization: Organization,
  asOf?: number,
  now?: number,
): string {
  const read = progress && { done: numberText(progress.done), total: numberText(progress.total) };
  const isOutage = cause?.kind === 'failure';
  const stands = failingOrAllCounts(counts, read !== undefined);
  return inertLabel(
    joinWithDots(
      isOutage ? causeWithVerdict(cause, verdictsLongestFirst(counts)) : stands,
      // In an outage the first row says as of when.
      isOutage || !stands || asOf === undefined ? undefined : asOfShortTime(asOf, now),
      read &&
        vscode.l10n.t({
          message: '{done} of {total}',
          args: read,
          comment: 'Deployments read so far',
        }),
      organization.name,
    ),
    200,
  );
}
