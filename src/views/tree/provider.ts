import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { IgnoredSettings } from '../../host/list/ignoredSettings.js';
import type { Owners } from '../../host/list/owners.js';
import type { Organizations } from '../../host/organizations/organizations.js';
import type { Settings } from '../../host/settings.js';
import { asOfTime, causeAsOf } from '../../host/text/cause.js';
import type { ViewOption } from '../../host/viewOption.js';
import { DisposableOwner } from '../../model/base/disposableOwner.js';
import { neighborOf } from '../../model/base/neighbor.js';
import { type Clock, systemClock } from '../../model/base/time.js';
import { type Deployment, isUnreadable } from '../../model/findings/deployment.js';
import type { Remembered } from '../../model/findings/state.js';
import type { Impact } from '../../model/problems/impact.js';
import type { Store, StoreChange } from '../../model/store/store.js';
import {
  childrenOf,
  deploymentElement,
  type ElementOf,
  hasChildren,
  type TreeElement,
} from '../../model/tree/elements.js';
import {
  deploymentsInGroups,
  firstInGroups,
  firstRows,
  groupedRoots,
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
import { groupHover, groupRow, unseenHover, unseenRow } from './rows/group.js';
import { joinedAdviceHover, joinedAdviceRow } from './rows/joinedAdvice.js';
import {
  effectsHover,
  effectsRow,
  requirementRow,
  satisfiedHover,
  satisfiedRow,
} from './rows/requirement.js';

export interface TreeSource {
  readonly store: Pick<Store, 'deployments' | 'cause' | 'get' | 'progress' | 'orderVersion'>;
  readonly organizations: Pick<Organizations, 'current' | 'list'>;
  readonly ignoredSettings: Pick<IgnoredSettings, 'current' | 'isRead'>;
  readonly filter: Pick<ViewOption, 'isOn'>;
  readonly grouping: Pick<ViewOption, 'isOn'>;
  readonly impact: RowContext['impact'] & Pick<Impact, 'holdersVersion'>;
  readonly memory: Remembered;
  readonly changesWhileAway: RowContext['changesWhileAway'];
  readonly owners: Pick<Owners, 'ownerOf'>;
  readonly settings: Pick<Settings, 'dashboardUrl'>;
}

/** VS Code compares each row that is named with all rows beside it, so to ask for all is faster than to name more. */
const maxNamedRows = 500;

/** The roots, of which either deployments or groups are below the first row. */
interface TopRows {
  readonly all: TreeElement[];
  readonly roots: Map<string, ElementOf<'deployment'>>;
  readonly groups: readonly TreeElement[];
}

export class DeploymentsProvider
  extends DisposableOwner
  implements vscode.TreeDataProvider<TreeElement>
{
  private readonly changed = this.own(new vscode.EventEmitter<TreeElement[] | undefined>());
  readonly onDidChangeTreeData = this.changed.event;
  /** The roots that VS Code got last: by deployment, or the accounts. A deployment keeps its object, by which VS Code knows it. */
  private roots = new Map<string, ElementOf<'deployment'>>();
  private groups: readonly TreeElement[] = [];
  /** What rows say besides their own deployment, as it was when VS Code last asked for all of them. */
  private drawn: { readonly cause: unknown; readonly impact: number; readonly settled: number };

  constructor(
    private readonly source: TreeSource,
    private readonly clock: Clock = systemClock,
  ) {
    super();
    this.drawn = this.toDraw();
  }

  /** Not signed in always empties the tree, whatever the store still holds. */
  getChildren(element?: TreeElement): TreeElement[] {
    if (element) return [...childrenOf(this.upToDate(element))];
    const { all, roots, groups } = this.topRows();
    this.drawn = this.toDraw();
    this.roots = roots;
    this.groups = groups;
    return all;
  }

  /** The row at the top once VS Code has asked for all of them. */
  firstRow(): TreeElement | undefined {
    return this.topRows().all[0];
  }

  private topRows(): TopRows {
    const { store, organizations, filter, grouping, memory, ignoredSettings } = this.source;
    const roots = new Map<string, ElementOf<'deployment'>>();
    if (!organizations.current) return { all: [], roots, groups: [] };
    const { current: ignored, isRead } = ignoredSettings;
    const first = firstRows(store.cause, ignored, store.deployments.length > 0);
    const last = lastRows(store.deployments, filter, !isRead || ignored.deployments !== undefined);
    if (grouping.isOn) {
      const placed = store.orderVersion === this.drawn.settled ? this.groups : [];
      const groups = groupedRoots(store.deployments, { filter, memory, formerRoots: placed });
      return { all: [...first, ...groups, ...last], roots, groups };
    }
    for (const deployment of store.deployments) {
      const { id } = deployment;
      if (isShown(deployment, filter))
        roots.set(id, this.roots.get(id) ?? deploymentElement(deployment));
    }
    return { all: [...first, ...roots.values(), ...last], roots, groups: [] };
  }

  getParent(element: TreeElement): TreeElement | undefined {
    return element.parent;
  }

  getTreeItem(element: TreeElement): vscode.TreeItem {
    return treeItem(element.id, this.contentOf(element), hasChildren(element));
  }

  /** What the row shows: gray, and spoken with its time, if its data is old. */
  private contentOf(element: TreeElement): RowContent {
    const row = rows[element.kind](this.upToDate(element), this.context());
    const answer = oldAnswer(element);
    if (answer) return grayed(row, asOfTime(answer.asOf, this.clock.now()));
    const { cause } = this.source.store;
    if (cause?.kind !== 'failure' || element.kind === 'cause') return row;
    return grayed(row, causeAsOf(cause, this.clock.now()));
  }

  resolveTreeItem(item: vscode.TreeItem, element: TreeElement): vscode.TreeItem {
    item.tooltip = hovers[element.kind]?.(this.upToDate(element), this.context());
    return item;
  }

  /** The row that VS Code knows; `undefined` if the deployment has left the list, or is in no group. */
  rowOf(deploymentId: string): TreeElement | undefined {
    const { store, grouping } = this.source;
    if (grouping.isOn) return firstInGroups(this.groups, deploymentId);
    const deployment = store.get(deploymentId);
    return deployment && (this.roots.get(deploymentId) ?? deploymentElement(deployment));
  }

  /**
   * In the order of the rows. Of a deployment in several groups its first row counts; of one that
   * has no row the first row of all is next.
   */
  neighborOf(deploymentIds: readonly string[]): string | undefined {
    const shown = this.source.grouping.isOn
      ? deploymentsInGroups(this.groups)
      : [...this.roots.keys()];
    return neighborOf(shown, deploymentIds);
  }

  /** A row that the filter lets in or takes out is a change of everything, because VS Code passes over rows that it never got. */
  refresh(deployments: StoreChange): void {
    const { store, filter, grouping, impact } = this.source;
    // While many answers come, each changes in how many deployments accounts are. Rows that say so are drawn again in the end.
    const isOutdated =
      !isDeepStrictEqual(store.cause, this.drawn.cause) ||
      (store.progress === undefined && impact.holdersVersion !== this.drawn.impact);
    if (deployments === 'all' || isOutdated) return this.changed.fire(undefined);
    const listed = [...deployments].flatMap((id) => store.get(id) ?? []);
    const hasMoved = listed.some((one) => this.roots.has(one.id) !== isShown(one, filter));
    // One answer can move several accounts, so all groups change together.
    if (grouping.isOn ? listed.length > 0 : hasMoved) return this.changed.fire(undefined);
    const rows = listed.flatMap(({ id }) => this.roots.get(id) ?? []);
    if (rows.length > 0) this.changed.fire(rows.length > maxNamedRows ? undefined : rows);
  }

  refreshRow(row: TreeElement): void {
    this.changed.fire([row]);
  }

  /** VS Code may still have a row whose deployment left the list. It shows nothing of what was read. */
  private upToDate(element: TreeElement): TreeElement {
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

  private toDraw(): DeploymentsProvider['drawn'] {
    const { store, impact } = this.source;
    return { cause: store.cause, impact: impact.holdersVersion, settled: store.orderVersion };
  }

  private context(): RowContext {
    const { store, organizations, impact, memory, owners, settings, changesWhileAway } =
      this.source;
    return {
      organization: organizations.current,
      isOneOfSeveral: organizations.list.length > 1,
      cause: store.cause,
      now: this.clock.now(),
      impact,
      memory,
      changesWhileAway,
      owners,
      hasDashboard: settings.dashboardUrl !== '',
    };
  }
}

/** Kinds of rows that say that their deployment could not be read. */
const saysFailure: readonly TreeElement['kind'][] = ['deployment', 'member', 'failure'];

/** The answer that a row below an unreadable deployment still shows; `undefined` of other rows. */
function oldAnswer(element: TreeElement): Deployment['answer'] {
  if (!('deployment' in element) || saysFailure.includes(element.kind)) return undefined;
  return isUnreadable(element.deployment) ? element.deployment.answer : undefined;
}

/** As a method it takes the elements of any kind; what is listed for a kind takes its own. */
type Make<E, T> = { make(element: E, context: RowContext): T }['make'];
type ByKind<T> = { readonly [E in TreeElement as E['kind']]: Make<E, T> };

const rows: Readonly<Record<TreeElement['kind'], Make<TreeElement, RowContent>>> = {
  cause: causeRow,
  hidden: hiddenRow,
  deployment: deploymentRow,
  member: deploymentRow,
  group: groupRow,
  unseen: unseenRow,
  failure: failureRow,
  advice: adviceRow,
  joinedAdvice: joinedAdviceRow,
  effects: effectsRow,
  unknown: unknownRow,
  unreadable: unreadableRow,
  satisfied: satisfiedRow,
  accounts: accountsRow,
  requirement: requirementRow,
  account: accountRow,
  connection: connectionRow,
  scope: scopeRow,
  accountError: accountErrorRow,
  check: checkRow,
} satisfies ByKind<RowContent>;

/**
 * Of rows without one VS Code shows the label; of a row that has a color the address by which it
 * gets that.
 */
const hovers: Partial<
  Readonly<Record<TreeElement['kind'], Make<TreeElement, vscode.MarkdownString>>>
> = {
  cause: causeRowHover,
  deployment: ({ deployment }, context) => deploymentHover(deployment, context),
  member: ({ deployment }, context) => deploymentHover(deployment, context),
  group: groupHover,
  unseen: unseenHover,
  failure: ({ deployment }, context) => failureHover(deployment, context),
  advice: ({ problem, deployment }, context) => problemHover(problem, deployment, context),
  joinedAdvice: joinedAdviceHover,
  effects: effectsHover,
  unknown: ({ findings, deployment }, context) => unknownHover(findings, deployment, context),
  unreadable: ({ leftOut }) => markdown(unreadableLines(leftOut)),
  satisfied: satisfiedHover,
  accounts: accountsHover,
  requirement: ({ finding, deployment }, context) => requirementHover(finding, deployment, context),
  account: accountRowHover,
  connection: connectionHover,
  scope: scopeHover,
  accountError: accountRowHover,
  check: accountRowHover,
} satisfies Partial<ByKind<vscode.MarkdownString>>;
