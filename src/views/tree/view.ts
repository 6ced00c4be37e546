import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { showMyGroupsAction } from '../../host/actions.js';
import { setContext } from '../../host/contextKeys.js';
import { viewIds } from '../../host/ids.js';
import { showMessage } from '../../host/messages.js';
import type { Organization } from '../../host/organizations/organization.js';
import type { RevealOptions, Services, ViewActions } from '../../host/services.js';
import { asOfShortTime, causeWithVerdict } from '../../host/text/cause.js';
import {
  allCountsWithTime,
  failingOrAllCounts,
  verdictsToChooseFrom,
} from '../../host/text/deployment.js';
import { joinWithDots, numberText, rowsShowAges } from '../../host/text/format.js';
import { DisposableOwner } from '../../model/base/disposableOwner.js';
import type { Disposable } from '../../model/base/emitter.js';
import { type Clock, msUntilNextTimeLeft, systemClock } from '../../model/base/time.js';
import { shortName } from '../../model/deploymentNames.js';
import { type Deployment, isFailing } from '../../model/findings/deployment.js';
import { inertLabel } from '../../model/inertText.js';
import type { Store, StoreChange } from '../../model/store/store.js';
import type { TreeElement } from '../../model/tree/elements.js';
import { firstRows, isHidden } from '../../model/tree/roots.js';
import { DeploymentsProvider } from './provider.js';
import { decorationOf } from './row.js';

/**
 * The Deployments view: says to the provider which rows have changed, keeps the view's description,
 * badge, and welcome view up to date, and moves selection and focus for commands. Owns the
 * provider, and the timer by which ages are drawn again while the view is visible. `App` makes it.
 */
export class DeploymentsView extends DisposableOwner {
  readonly provider: DeploymentsProvider;
  /** The IDs of the deployments whose own row is expanded. */
  private readonly expandedIds = new Set<string>();
  /** The IDs of the rows of groups that are expanded. */
  private readonly expandedGroups = new Set<string>();
  /** Draws ages again; `undefined` before the view was visible. */
  private timer: Disposable | undefined;
  /** Epoch ms: the end of the pause for which the timer was set; `undefined` without a pause. */
  private timedPauseEnd: number | undefined;

  constructor(
    private readonly services: Omit<Services, keyof ViewActions>,
    private readonly view: vscode.TreeView<TreeElement>,
    private readonly clock: Clock = systemClock,
  ) {
    super();
    this.provider = this.own(new DeploymentsProvider(services, clock));
    this.listenToView();
    this.listenToServices();
    this.own({ dispose: () => this.timer?.dispose() });
    this.updateFrame();
    this.setTimer();
  }

  private listenToView(): void {
    const { expandedIds, expandedGroups, services, view } = this;
    const { changesWhileAway } = services;
    this.own(
      view.onDidExpandElement(({ element }) => {
        if (element.kind === 'deployment') expandedIds.add(element.deployment.id);
        if (element.kind === 'group') expandedGroups.add(element.id);
        if (hasProblem(element)) setContext('hasOpenedProblem', true);
        // The rows of a group say themselves which deployment has something new.
        if ('deployment' in element) changesWhileAway.markSeen([element.deployment.id]);
      }),
    );
    this.own(
      view.onDidCollapseElement(({ element }) => {
        if (element.kind === 'deployment') expandedIds.delete(element.deployment.id);
        if (element.kind === 'group') expandedGroups.delete(element.id);
        // A click on an expanded row that is selected already does no more than close it.
        if ('deployment' in element) changesWhileAway.markSeen([element.deployment.id]);
      }),
    );
    this.own(
      view.onDidChangeSelection(({ selection }) =>
        changesWhileAway.markSeen(selection.flatMap(deploymentIdsOf)),
      ),
    );
    this.own(view.onDidChangeVisibility(() => this.visibilityChanged()));
    this.own(vscode.window.registerFileDecorationProvider({ provideFileDecoration: decorationOf }));
  }

  private listenToServices(): void {
    const { store, organizations, deploymentList, filter, grouping, myGroups } = this.services;
    const { ignoredSettings, memory, owners, settings, verdictAge, changesWhileAway } =
      this.services;
    this.own(store.onDidChange((deployments) => this.deploymentsChanged(deployments)));
    const choices = [filter, grouping, myGroups];
    const sources = [organizations, deploymentList, ...choices, ignoredSettings, owners];
    for (const source of sources) {
      this.own(source.onDidChange(() => this.deploymentsChanged('all')));
    }
    this.own(memory.onDidChangeNotifying(() => this.deploymentsChanged('all')));
    this.own(
      changesWhileAway.onDidChangeNew((deployments) => this.deploymentsChanged(deployments)),
    );
    this.own(settings.onDidChange(() => this.updateFrame()));
    this.own(verdictAge.onDidChange(() => this.updateFrame()));
  }

  /**
   * Shows and selects the deployment's first row, turning off the filter or grouping that hides it,
   * or showing all groups.
   */
  async reveal(deploymentId: string, { keepsFocus = false }: RevealOptions = {}): Promise<void> {
    const { store, filter, grouping, myGroups } = this.services;
    const { view, provider } = this;
    const deployment = store.get(deploymentId);
    if (deployment && isHidden(deployment, { filter })) await filter.set(false);
    if (deployment && !myGroups.covers(deployment)) showAllGroups(this.services, deployment);

    if (!view.visible) {
      await showView(view, keepsFocus);
      // VS Code asks for the rows of a hidden view, too, without drawing them: without a change it
      // would look for the row in an empty tree.
      provider.redraw('all');
    }

    if (!provider.newestRowOf(deploymentId)) await grouping.set('deployment');
    const row = provider.newestRowOf(deploymentId);
    if (row) await this.moveTo(row, { select: true, focus: !keepsFocus });
  }

  /** Selects the deployment's row in a view that is visible. The focus stays where it is. */
  async select(deploymentId: string): Promise<void> {
    const { view, provider } = this;
    const row = provider.rowOf(deploymentId);
    if (row && view.visible) await this.moveTo(row, { select: true, focus: false });
  }

  /**
   * Moves the focus to the deployment's row, and selects it. Without such a row the selected row
   * gets the focus, else the first one, which stays unselected, so that the first reading goes on
   * sorting.
   */
  async focus(deploymentId?: string): Promise<void> {
    const { view, provider } = this;
    const row = deploymentId === undefined ? undefined : provider.newestRowOf(deploymentId);
    if (row) {
      await this.moveTo(row, { select: true, focus: true });
      return;
    }

    await vscode.commands.executeCommand(`${viewIds.deployments}.focus`);
    // VS Code has moved the focus to the selected row, if there is one.
    const first = view.selection.length === 0 ? provider.firstRow() : undefined;
    if (first) await this.moveTo(first, { select: false, focus: true });
  }

  /**
   * As `focus`, after rows were removed: if they were the last ones, the welcome view gets the
   * focus.
   */
  async focusAfterRemoval(deploymentId?: string): Promise<void> {
    if (this.provider.firstRow() === undefined) await waitForWelcomeView();
    await this.focus(deploymentId);
  }

  /** Expands the deployment's row, unless the view is hidden or another row is selected. */
  async open(deploymentId: string): Promise<void> {
    const { view, provider } = this;
    const row = provider.rowOf(deploymentId);
    if (!row || !view.visible) return;
    const isOtherRowSelected = view.selection.some(({ id }) => id !== row.id);
    if (isOtherRowSelected) return;
    // VS Code expands a row if it knows of rows below it. The store's event may come a moment
    // later.
    provider.redrawRow(row);
    await this.moveTo(row, { select: false, expand: true });
  }

  /** Reveals a row. VS Code finishes a change that it is drawing before it looks for the row. */
  private async moveTo(
    row: TreeElement,
    options: Parameters<typeof this.view.reveal>[1],
  ): Promise<void> {
    try {
      await this.view.reveal(row, options);
    } finally {
      // To find a row below a group, VS Code asks for all groups again, and does not draw them.
      if (this.services.grouping.by === 'group') this.provider.redraw('all');
    }
  }

  private deploymentsChanged(deployments: StoreChange): void {
    const { store } = this.services;
    const isNoneExpanded = this.expandedIds.size === 0 && this.expandedGroups.size === 0;
    const isUntouched = this.view.selection.length === 0 && isNoneExpanded;
    if (store.isFirstReading && isUntouched) store.sortFirstReading();
    if (this.view.visible) this.provider.redraw(deployments);
    this.updateFrame();
    if (this.timedPauseEnd !== pauseEnd(store)) this.setTimer();
  }

  /** Draws what has changed while the view was hidden. */
  private visibilityChanged(): void {
    this.deploymentsChanged('all');
    this.setTimer();
  }

  /** Sets the timer for when the time left of a pause changes, else for a minute from now. */
  private setTimer(): void {
    this.timer?.dispose();
    this.timedPauseEnd = pauseEnd(this.services.store);
    if (!this.view.visible) return;
    const leftMs = (this.timedPauseEnd ?? 0) - this.clock.now();
    this.timer = this.clock.setTimer(() => {
      this.provider.redraw(this.deploymentsWithAges());
      this.setTimer();
    }, msUntilNextTimeLeft(leftMs));
  }

  /**
   * The deployments whose rows say how old something is: stale ones, expanded ones, whose rows
   * below say ages, and in a remote window outdated ones. There a first row says an age, too.
   */
  private deploymentsWithAges(): StoreChange {
    const { store, impact } = this.services;
    if (rowsShowAges() && store.cause !== undefined) return 'all';
    const ids = new Set<string>();
    for (const { id, answer, failedRead } of store.deployments) {
      const isStale = answer !== undefined && failedRead !== undefined;
      if (this.expandedIds.has(id) || isStale) ids.add(id);
      else if (answer && rowsShowAges() && impact.isOutdated(id)) ids.add(id);
    }
    return ids;
  }

  /** Updates what VS Code shows around the rows: description, badge, and welcome view. */
  private updateFrame(): void {
    const { store, organizations, deploymentList, ignoredSettings, settings } = this.services;
    const { verdictAge, myGroups } = this.services;
    const { cause, progress } = store;
    const { counts } = myGroups;
    const { asOf } = verdictAge;
    const { current } = organizations;
    const verdict = { counts, cause, progress };
    const description = current && viewDescription(verdict, current, asOf, this.clock.now());
    // VS Code sends each assignment to the window, even of the same text.
    if (this.view.description !== description) this.view.description = description;

    const hasBadge = current && counts.failing > 0 && settings.badgeEnabled;
    this.view.badge = hasBadge
      ? {
          value: counts.failing,
          tooltip: inertLabel(allCountsWithTime(counts, asOf), maxBadgeChars),
        }
      : undefined;

    const isAnyListed = deploymentList.listed.length > 0;
    const first = firstRows(store.cause, ignoredSettings.current, isAnyListed);
    const hasRows = isAnyListed || first.length > 0;
    const welcome = organizations.noCurrentReason ?? (hasRows ? 'rows' : 'noDeployments');
    // While the sign-ins are read, it is unknown which welcome view fits.
    if (welcome !== 'loading') setContext('welcome', welcome);
  }
}

/**
 * Shows all groups until the window is reloaded, because the deployment is in none of those that
 * the user has chosen. A message says so, and offers to show the chosen groups alone again.
 */
function showAllGroups({ myGroups }: Pick<Services, 'myGroups'>, deployment: Deployment): void {
  myGroups.showAll();
  const { group = '' } = deployment;
  const words = { name: shortName(deployment), group };
  const sentence =
    deployment.group === undefined
      ? vscode.l10n.t(
          '“{name}” is in no group, so all groups are shown until the window is reloaded.',
          words,
        )
      : vscode.l10n.t(
          '“{name}” is in “{group}”, so all groups are shown until the window is reloaded.',
          words,
        );
  showMessage(sentence, showMyGroupsAction);
}

/** Epoch ms; `undefined` unless the requests are paused. */
function pauseEnd({ cause }: Pick<Store, 'cause'>): number | undefined {
  return cause?.kind === 'paused' ? cause.until : undefined;
}

/**
 * Returns the IDs of the deployments that the row is about: one, all of an account or of the unseen
 * ones, or none for a row about a group or the whole view.
 */
function deploymentIdsOf(element: TreeElement): readonly string[] {
  if ('deployment' in element) return [element.deployment.id];
  // The row of a group does not say which of its deployments has something new.
  if (element.kind === 'group') return [];
  return 'deployments' in element ? element.deployments.map(({ id }) => id) : [];
}

/** Whether the problem of a deployment is below this row, or above it in the same deployment. */
function hasProblem(element: TreeElement): boolean {
  if ('deployment' in element) return isFailing(element.deployment);
  return element.kind === 'accountGroup' && element.deployments.some(isFailing);
}

/**
 * Resolves after half a second. By then VS Code has drawn the welcome view, which it does a moment
 * after the last row has gone: a focus that is moved to the view before is lost with the tree.
 */
export async function waitForWelcomeView(): Promise<void> {
  await sleep(500, undefined, { ref: false });
}

/**
 * Resolves when the view is visible, or after 5 seconds, because the user may have removed the
 * view.
 */
async function showView(view: vscode.TreeView<unknown>, preserveFocus: boolean): Promise<void> {
  let listener: vscode.Disposable | undefined;
  const shown = new Promise<void>((resolve) => {
    listener = view.onDidChangeVisibility(({ visible }) => {
      if (visible) resolve();
    });
  });
  try {
    await vscode.commands.executeCommand(`${viewIds.deployments}.focus`, { preserveFocus });
    if (!view.visible) await Promise.race([shown, sleep(5000, undefined, { ref: false })]);
  } finally {
    listener?.dispose();
  }
}

const maxDescriptionChars = 200;
const maxBadgeChars = 300;

/**
 * "Unreachable (TLS) · 7 failing · 29 of 30 · Acme", "payments +1 · 7 failing · as of 9:51 PM ·
 * Acme", beside the view's title, because `TreeView.message` would hide the welcome view. VS Code
 * cuts the end, so the most important part comes first. `now`: epoch ms. `asOf`: epoch ms as of
 * which the counts were true, absent if that is now.
 */
export function viewDescription(
  { counts, progress, cause }: Pick<Store, 'counts' | 'progress' | 'cause'>,
  organization: Organization,
  asOf?: number,
  now?: number,
): string {
  const isOutage = cause?.kind === 'failure';
  const isReading = progress !== undefined;
  const verdict = isOutage
    ? causeWithVerdict(cause, verdictsToChooseFrom(counts))
    : failingOrAllCounts(counts, isReading);
  // In an outage the first row says as of when.
  const isAsOfShown = !isOutage && Boolean(verdict) && asOf !== undefined;
  const texts = [
    verdict,
    isAsOfShown ? asOfShortTime(asOf, now) : undefined,
    progress && progressText(progress),
    organization.name,
  ];
  return inertLabel(joinWithDots(...texts), maxDescriptionChars);
}

/** "29 of 30" */
function progressText({ done, total }: NonNullable<Store['progress']>): string {
  return vscode.l10n.t({
    message: '{done} of {total}',
    args: { done: numberText(done), total: numberText(total) },
    comment: 'Deployments read so far',
  });
}
