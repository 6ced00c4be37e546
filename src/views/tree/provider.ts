import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { Grouping } from '../../host/grouping.js';
import type { HideHealthy } from '../../host/hideHealthy.js';
import type { IgnoredSettings } from '../../host/list/ignoredSettings.js';
import type { MuteEntries } from '../../host/list/muteEntries.js';
import type { Owners } from '../../host/list/owners.js';
import type { Organizations } from '../../host/organizations/organizations.js';
import type { Settings } from '../../host/settings.js';
import { asOfTime, causeAsOf } from '../../host/text/cause.js';
import { DisposableOwner } from '../../model/base/disposableOwner.js';
import { neighborOf } from '../../model/base/neighbor.js';
import { type Clock, systemClock } from '../../model/base/time.js';
import { type Deployment, isUnreadable } from '../../model/findings/deployment.js';
import type { Remembered } from '../../model/findings/state.js';
import type { MyGroups } from '../../model/myGroups.js';
import type { Impact } from '../../model/problems/impact.js';
import type { Store, StoreChange } from '../../model/store/store.js';
import { rootsByAccount } from '../../model/tree/accountGroups.js';
import {
  childrenOf,
  deploymentElement,
  type ElementOf,
  hasChildren,
  type TreeElement,
} from '../../model/tree/elements.js';
import { isSameGroup, rootsByGroup } from '../../model/tree/groups.js';
import {
  deploymentsInGroups,
  firstInGroups,
  firstRows,
  isShown,
  lastRows,
} from '../../model/tree/roots.js';
import {
  deploymentHover,
  failureHover,
  problemHover,
  requirementHover,
  unknownHover,
} from '../hover.js';
import { markdown } from '../markdown.js';
import { grayed, type RowContent, type RowContext, treeItem } from './row.js';
import {
  accountErrorRow,
  accountRow,
  accountRowHover,
  accountsHover,
  accountsRow,
  checkRow,
} from './rows/account.js';
import { accountGroupHover, accountGroupRow, unseenHover, unseenRow } from './rows/accountGroup.js';
import { connectionHover, connectionRow, scopeHover, scopeRow } from './rows/connection.js';
import { deploymentRow, hiddenRow } from './rows/deployment.js';
import {
  adviceRow,
  causeRow,
  causeRowHover,
  failureRow,
  unknownRow,
  unreadableLines,
  unreadableRow,
} from './rows/failure.js';
import { groupHover, groupRow, otherGroupsRow } from './rows/group.js';
import { joinedAdviceHover, joinedAdviceRow } from './rows/joinedAdvice.js';
import {
  effectsHover,
  effectsRow,
  requirementRow,
  satisfiedHover,
  satisfiedRow,
} from './rows/requirement.js';

/** What the rows are made from. */
export interface TreeSource {
  readonly store: Pick<Store, 'deployments' | 'cause' | 'get' | 'progress' | 'orderVersion'>;
  readonly organizations: Pick<Organizations, 'current' | 'list'>;
  readonly ignoredSettings: Pick<IgnoredSettings, 'current' | 'isRead'>;
  readonly filter: Pick<HideHealthy, 'isOn'>;
  readonly grouping: Pick<Grouping, 'by'>;
  readonly myGroups: Pick<
    MyGroups,
    'chosen' | 'covers' | 'deployments' | 'isLimited' | 'otherCounts'
  >;
  readonly impact: RowContext['impact'] & Pick<Impact, 'holdersVersion'>;
  readonly memory: Remembered;
  readonly muteEntries: Pick<MuteEntries, 'current' | 'scopesOf'>;
  readonly changesWhileAway: RowContext['changesWhileAway'];
  readonly owners: Pick<Owners, 'ownerOf'>;
  readonly settings: Pick<Settings, 'dashboardUrl'>;
}

/**
 * VS Code compares each changed row with its siblings: from here on, drawing all rows is faster.
 */
const maxChangedRows = 500;

/** The rows at the top of the tree. */
interface TopRows {
  readonly all: TreeElement[];
  /** The rows of the deployments among them, by deployment ID; empty while these are grouped. */
  readonly rowsById: Map<string, ElementOf<'deployment'>>;
  /**
   * Grouped by account or group, these among them, with the row of unseen deployments; else empty.
   */
  readonly groups: readonly TreeElement[];
}

/** What rows of all deployments depend on. */
interface SharedFacts {
  readonly cause: unknown;
  /** `Impact.holdersVersion`: changes when an account is in more or fewer deployments. */
  readonly holdersVersion: number;
  /** `Store.orderVersion`: changes when the deployments are sorted. */
  readonly orderVersion: number;
  /** What the row counts that stands for the deployments of groups that are not chosen. */
  readonly otherCounts: unknown;
  /** Which deployments the user wants to have rows. */
  readonly wanted: unknown;
}

/**
 * The rows of the Deployments view, made from the store's findings whenever VS Code asks. Owns the
 * event by which VS Code asks once more. `DeploymentsView` says what has changed, and finds rows by
 * their deployment.
 */
export class DeploymentsProvider
  extends DisposableOwner
  implements vscode.TreeDataProvider<TreeElement>
{
  private readonly rowsChanged = this.own(new vscode.EventEmitter<TreeElement[] | undefined>());
  readonly onDidChangeTreeData = this.rowsChanged.event;
  /**
   * The rows that VS Code got last, by deployment ID. VS Code knows a row by its object, so a
   * deployment keeps the object as long as it is shown.
   */
  private rowsById = new Map<string, ElementOf<'deployment'>>();
  /** Grouped by group, the rows below groups that VS Code got since, by deployment ID. */
  private readonly rowsBelowGroups = new Map<string, TreeElement>();
  /**
   * The groups that VS Code got last, which keep their order until the store sorts the deployments,
   * or the user wants to see other ones.
   */
  private groups: readonly TreeElement[] = [];
  /** The facts as they were when VS Code last asked for all rows. */
  private drawnFacts: SharedFacts;

  constructor(
    private readonly source: TreeSource,
    private readonly clock: Clock = systemClock,
  ) {
    super();
    this.drawnFacts = this.currentFacts();
  }

  getChildren(element?: TreeElement): TreeElement[] {
    if (element) return this.childrenOf(element);
    const { all, rowsById, groups } = this.topRows();
    this.drawnFacts = this.currentFacts();
    this.rowsById = rowsById;
    this.rowsBelowGroups.clear();
    this.groups = groups;
    return all;
  }

  private childrenOf(element: TreeElement): TreeElement[] {
    const rows = childrenOf(this.withNewestDeployment(element));
    if (element.kind === 'group') {
      for (const row of rows)
        if (row.kind === 'deployment') this.rowsBelowGroups.set(row.deployment.id, row);
    }
    return [...rows];
  }

  /**
   * Returns the row at the top as VS Code gets it when it asks next; `undefined` in an empty tree.
   */
  firstRow(): TreeElement | undefined {
    return this.topRows().all[0];
  }

  /** Without an organization the tree is empty, whatever the store still holds. */
  private topRows(): TopRows {
    const { store, organizations, filter, grouping, ignoredSettings, myGroups } = this.source;
    const { deployments } = store;
    const rowsById = new Map<string, ElementOf<'deployment'>>();
    if (!organizations.current) return { all: [], rowsById, groups: [] };

    const { current: ignored, isRead } = ignoredSettings;
    const mayListMore = !isRead || ignored.deployments !== undefined;
    const first = firstRows(store.cause, ignored, deployments.length > 0);
    const last = lastRows({ filter, myGroups, mayBeOthers: mayListMore });
    if (grouping.by !== 'deployment') {
      const groups = this.groupsBy(grouping.by);
      return { all: [...first, ...groups, ...last], rowsById, groups };
    }

    for (const deployment of deployments) {
      if (!isShown(deployment, this.source)) continue;
      const row = this.rowsById.get(deployment.id) ?? deploymentElement(deployment);
      rowsById.set(deployment.id, row);
    }
    return { all: [...first, ...rowsById.values(), ...last], rowsById, groups: [] };
  }

  private groupsBy(by: 'account' | 'group'): readonly TreeElement[] {
    const { store, filter, myGroups, memory } = this.source;
    const { orderVersion, wanted } = this.drawnFacts;
    const isOrderKept = store.orderVersion === orderVersion;
    const areSameWanted = isDeepStrictEqual(this.wanted(), wanted);
    const formerRoots = isOrderKept && areSameWanted ? this.groups : [];
    if (by === 'group') return rootsByGroup(store.deployments, { filter, myGroups, formerRoots });
    return rootsByAccount(store.deployments, { filter, myGroups, memory, formerRoots });
  }

  getParent(element: TreeElement): TreeElement | undefined {
    return element.parent;
  }

  getTreeItem(element: TreeElement): vscode.TreeItem {
    return treeItem(element.id, this.contentOf(element), hasChildren(element));
  }

  /** What the row shows: gray, and spoken with its time, if its data is not of now. */
  private contentOf(element: TreeElement): RowContent {
    const row = rowContent(this.withNewestDeployment(element), this.rowContext());
    const oldAnswer = oldAnswerOf(element);
    if (oldAnswer) return grayed(row, asOfTime(oldAnswer.asOf, this.clock.now()));
    const { cause } = this.source.store;
    const isOutage = cause?.kind === 'failure';
    if (!isOutage || element.kind === 'cause') return row;
    return grayed(row, causeAsOf(cause, this.clock.now()));
  }

  resolveTreeItem(item: vscode.TreeItem, element: TreeElement): vscode.TreeItem {
    item.tooltip = rowHover(this.withNewestDeployment(element), this.rowContext());
    return item;
  }

  /**
   * Returns the first row of the deployment, also if VS Code has not asked for it or Hide Healthy
   * hides it; `undefined` if the deployment is not listed, or is in none of the groups that the
   * user has chosen. While rows are grouped, returns only a row of the groups that VS Code got
   * last.
   */
  rowOf(deploymentId: string): TreeElement | undefined {
    return this.rowAmong(this.groups, deploymentId);
  }

  /**
   * As `rowOf`, but below new groups, because the store may have changed since VS Code asked for
   * them.
   */
  newestRowOf(deploymentId: string): TreeElement | undefined {
    const { by } = this.source.grouping;
    const groups = by === 'deployment' ? [] : this.groupsBy(by);
    return this.rowAmong(groups, deploymentId);
  }

  private rowAmong(groups: readonly TreeElement[], deploymentId: string): TreeElement | undefined {
    const { store, grouping, myGroups } = this.source;
    if (grouping.by !== 'deployment') return firstInGroups(groups, deploymentId);
    const deployment = store.get(deploymentId);
    if (deployment === undefined || !myGroups.covers(deployment)) return undefined;
    return this.rowsById.get(deploymentId) ?? deploymentElement(deployment);
  }

  /**
   * Returns the ID of the deployment whose row takes the place of these deployments' rows once they
   * are gone: the next one after the first of them, else the one before. A deployment in several
   * groups has the place of its first row. If none of the given deployments has a row, returns the
   * first deployment that has one; `undefined` if there is no other deployment.
   */
  neighborOf(deploymentIds: readonly string[]): string | undefined {
    const isGrouped = this.source.grouping.by !== 'deployment';
    const shown = isGrouped ? deploymentsInGroups(this.groups) : [...this.rowsById.keys()];
    return neighborOf(shown, deploymentIds);
  }

  /**
   * Has VS Code draw the rows of these deployments, or all rows if the change concerns more. VS
   * Code ignores the change of a row that it never got, so a row that the filter adds or removes is
   * such a change.
   */
  redraw(deployments: StoreChange): void {
    if (deployments === 'all' || this.mustRedrawAll()) {
      this.redrawAll();
      return;
    }

    const { store, grouping } = this.source;
    const listed = [...deployments].flatMap((id) => store.get(id) ?? []);
    if (listed.length === 0) return;
    if (grouping.by !== 'deployment') {
      // One answer can change several groups by account.
      const areSame = grouping.by === 'group' && this.areGroupsSame();
      if (areSame) this.redrawRows(listed.flatMap(({ id }) => this.rowsBelowGroups.get(id) ?? []));
      else this.redrawAll();
      return;
    }

    const isAddedOrRemoved = listed.some(
      (deployment) => this.rowsById.has(deployment.id) !== isShown(deployment, this.source),
    );
    if (isAddedOrRemoved) this.redrawAll();
    else this.redrawRows(listed.flatMap(({ id }) => this.rowsById.get(id) ?? []));
  }

  /** Whether the rows of groups, and which rows stand below them, are as VS Code got them last. */
  private areGroupsSame(): boolean {
    const groups = this.groupsBy('group');
    if (groups.length !== this.groups.length) return false;
    return groups.every((group, index) => isSameGroup(group, this.groups[index]));
  }

  private redrawRows(rows: TreeElement[]): void {
    if (rows.length > maxChangedRows) this.redrawAll();
    else if (rows.length > 0) this.rowsChanged.fire(rows);
  }

  redrawRow(row: TreeElement): void {
    // The rows of groups are made anew, and VS Code ignores the change of a row that it never got.
    if (this.source.grouping.by !== 'deployment') this.redrawAll();
    else this.rowsChanged.fire([row]);
  }

  private redrawAll(): void {
    this.rowsChanged.fire(undefined);
  }

  /**
   * Whether the outage or pause, the counts of groups that are not chosen, or how many deployments
   * have an account, has changed since VS Code last asked for all rows. During a refresh each
   * answer can change the last of these, so it counts only when the refresh has ended.
   */
  private mustRedrawAll(): boolean {
    const { store, impact, myGroups } = this.source;
    const isRefreshing = store.progress !== undefined;
    const hasCauseChanged = !isDeepStrictEqual(store.cause, this.drawnFacts.cause);
    const haveOthersChanged = !isDeepStrictEqual(myGroups.otherCounts, this.drawnFacts.otherCounts);
    const haveHoldersChanged = impact.holdersVersion !== this.drawnFacts.holdersVersion;
    return hasCauseChanged || haveOthersChanged || (haveHoldersChanged && !isRefreshing);
  }

  private currentFacts(): SharedFacts {
    const { store, impact, myGroups } = this.source;
    return {
      cause: store.cause,
      holdersVersion: impact.holdersVersion,
      orderVersion: store.orderVersion,
      otherCounts: myGroups.otherCounts,
      wanted: this.wanted(),
    };
  }

  private wanted(): unknown {
    const { filter, myGroups } = this.source;
    return [filter.isOn, myGroups.isLimited ? myGroups.chosen : undefined];
  }

  /**
   * Puts the newest state of the deployment into its own row, and returns the row. VS Code may
   * still have a row whose deployment has left the list: that one shows nothing of what was read.
   */
  private withNewestDeployment(element: TreeElement): TreeElement {
    if (element.kind !== 'deployment') return element;
    const { id } = element.deployment;
    element.deployment = this.source.store.get(id) ?? {
      id,
      name: id,
      state: 'notYetRead',
      activity: 'idle',
    };
    return element;
  }

  private rowContext(): RowContext {
    const { store, organizations, impact, memory, muteEntries, owners, settings } = this.source;
    const { changesWhileAway } = this.source;
    return {
      organization: organizations.current,
      isOneOfSeveral: organizations.list.length > 1,
      cause: store.cause,
      now: this.clock.now(),
      impact,
      memory,
      muteEntries,
      changesWhileAway,
      owners,
      hasDashboard: settings.dashboardUrl !== '',
    };
  }
}

/** Kinds of rows that say themselves that the last read of their deployment failed. */
const kindsThatNameFailedRead: readonly TreeElement['kind'][] = ['deployment', 'member', 'failure'];

/**
 * For a row that shows a part of the last answer of a deployment that can no longer be read, and
 * does not say so itself, returns that answer; `undefined` for other rows.
 */
function oldAnswerOf(element: TreeElement): Deployment['answer'] {
  if (!('deployment' in element) || kindsThatNameFailedRead.includes(element.kind))
    return undefined;
  return isUnreadable(element.deployment) ? element.deployment.answer : undefined;
}

function rowContent(element: TreeElement, context: RowContext): RowContent {
  switch (element.kind) {
    case 'cause':
      return causeRow(element, context);
    case 'hidden':
      return hiddenRow(element);
    case 'deployment':
    case 'member':
      return deploymentRow(element, context);
    case 'otherGroups':
      return otherGroupsRow(element);
    case 'group':
      return groupRow(element);
    case 'accountGroup':
      return accountGroupRow(element, context);
    case 'unseen':
      return unseenRow(element);
    case 'failure':
      return failureRow(element, context);
    case 'advice':
      return adviceRow(element, context);
    case 'joinedAdvice':
      return joinedAdviceRow(element, context);
    case 'effects':
      return effectsRow(element);
    case 'unknown':
      return unknownRow(element, context);
    case 'unreadable':
      return unreadableRow(element);
    case 'satisfied':
      return satisfiedRow(element);
    case 'accounts':
      return accountsRow(element);
    case 'requirement':
      return requirementRow(element, context);
    case 'account':
      return accountRow(element, context);
    case 'connection':
      return connectionRow(element);
    case 'scope':
      return scopeRow(element);
    case 'accountError':
      return accountErrorRow(element, context);
    case 'check':
      return checkRow(element, context);
  }
}

/**
 * Returns `undefined` for a row without a hover: VS Code shows its label there. It would show the
 * URI of a row that has a color, so each of those has a hover.
 */
function rowHover(element: TreeElement, context: RowContext): vscode.MarkdownString | undefined {
  switch (element.kind) {
    case 'cause':
      return causeRowHover(element, context);
    case 'hidden':
    case 'otherGroups':
      return undefined;
    case 'deployment':
    case 'member':
      return deploymentHover(element.deployment, context);
    case 'group':
      return groupHover(element, context);
    case 'accountGroup':
      return accountGroupHover(element, context);
    case 'unseen':
      return unseenHover(element);
    case 'failure':
      return failureHover(element.deployment, context);
    case 'advice':
      return problemHover(element.problem, element.deployment, context);
    case 'joinedAdvice':
      return joinedAdviceHover(element, context);
    case 'effects':
      return effectsHover(element);
    case 'unknown':
      return unknownHover(element.findings, element.deployment, context);
    case 'unreadable':
      return markdown(unreadableLines(element.leftOut));
    case 'satisfied':
      return satisfiedHover(element);
    case 'accounts':
      return accountsHover(element);
    case 'requirement':
      return requirementHover(element.finding, element.deployment, context);
    case 'account':
    case 'accountError':
    case 'check':
      return accountRowHover(element, context);
    case 'connection':
      return connectionHover(element);
    case 'scope':
      return scopeHover(element);
  }
}
