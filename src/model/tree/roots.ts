import { type Deployment, isKeptByOnlyProblems } from '../deployment.js';
import type { AccountFinding, ConnectionFinding, RequirementFinding } from '../findings.js';
import { encodePart, SiblingIds } from '../rowId.js';
import type { Store } from '../store/store.js';
import type {
  AccountElement,
  ConnectionElement,
  DeploymentElement,
  RequirementElement,
  TreeElement,
} from './elements.js';

export interface RootOptions {
  readonly onlyProblems: boolean;
  /** This workspace is not trusted: a list of deployments that it may have is not used. */
  readonly untrusted: boolean;
}

/**
 * The rows of the Deployments view. A deployment's row is one object for as long as it is listed, and its `deployment`
 * is always the newest: a view can fire a change for it and VS Code finds the row it knows. Rows below are made when
 * asked for, and kept until the deployment changes.
 */
export interface TreeElements {
  roots(options: RootOptions): readonly TreeElement[];
  children(element: TreeElement): readonly TreeElement[];
  /** Without making the children. */
  hasChildren(element: TreeElement): boolean;
  /** Whether one of these, listed, has begun or ceased to be among the roots since they were last asked for. */
  haveMoved(deploymentIds: Iterable<string>, options: Pick<RootOptions, 'onlyProblems'>): boolean;
  /** Undefined if no deployment of that id is listed. */
  elementOf(deploymentId: string): DeploymentElement | undefined;
  /** The same, of those that were among the roots when they were last asked for. */
  shownElementOf(deploymentId: string): DeploymentElement | undefined;
  /** How many these are. */
  readonly shownCount: number;
  /** Drops what was made from answers. Rows that VS Code still holds stay as good as new ones. */
  forget(): void;
}

type Source = Pick<Store, 'deployments' | 'cause' | 'get'>;

export function createTreeElements(store: Source): TreeElements {
  return new Elements(store);
}

class Elements implements TreeElements {
  private readonly rows = new Map<string, DeploymentRow>();
  private made = new WeakMap<TreeElement, { of: Deployment; children: readonly TreeElement[] }>();
  /** How often roots were asked for: a row that was among the last ones says so by this number. */
  private asked = 0;
  /** Rows in the order of the last time: mostly the next one's. */
  private order: readonly DeploymentRow[] = [];

  constructor(private readonly store: Source) {}

  roots({ onlyProblems, untrusted }: RootOptions): readonly TreeElement[] {
    const roots: TreeElement[] = [];
    const { cause, deployments } = this.store;
    if (untrusted) roots.push({ kind: 'cause', id: 'untrusted', cause: { kind: 'untrusted' } });
    if (cause !== undefined) roots.push({ kind: 'cause', id: 'cause', cause });
    if (this.rows.size > deployments.length) this.forgetUnlisted();
    const shown = onlyProblems ? deployments.filter(isKeptByOnlyProblems) : deployments;
    this.asked++;
    const before = this.order;
    const order = shown.map(({ id }, at) => {
      const row = before[at]?.deploymentId === id ? before[at] : this.row(id);
      row.givenAt = this.asked;
      return row;
    });
    this.order = order;
    return roots.length === 0 ? order : [...roots, ...order];
  }

  haveMoved(deploymentIds: Iterable<string>, { onlyProblems }: Pick<RootOptions, 'onlyProblems'>): boolean {
    for (const id of deploymentIds) {
      const deployment = this.store.get(id);
      if (deployment === undefined) continue;
      const given = this.shownElementOf(id) !== undefined;
      if (given !== (!onlyProblems || isKeptByOnlyProblems(deployment))) return true;
    }
    return false;
  }

  elementOf(deploymentId: string): DeploymentElement | undefined {
    return this.store.get(deploymentId) === undefined ? undefined : this.row(deploymentId);
  }

  shownElementOf(deploymentId: string): DeploymentElement | undefined {
    const row = this.rows.get(deploymentId);
    const given = this.asked > 0 && row?.givenAt === this.asked;
    return given && this.store.get(deploymentId) !== undefined ? row : undefined;
  }

  get shownCount(): number {
    return this.order.length;
  }

  forget(): void {
    this.rows.clear();
    this.made = new WeakMap();
    this.order = [];
  }

  hasChildren(element: TreeElement): boolean {
    switch (element.kind) {
      case 'deployment': {
        const { answer, failure } = element.deployment;
        if (failure !== undefined) return true;
        if (answer === undefined) return false;
        const { accounts, requirements } = answer.authorization;
        return accounts.length > 0 || requirements.length > 0 || answer.problems.length > 0;
      }
      case 'requirement':
      case 'connection':
      case 'account':
        return this.children(element).length > 0;
      default:
        return false;
    }
  }

  children(element: TreeElement): readonly TreeElement[] {
    if (!('deployment' in element)) return [];
    const made = this.made.get(element);
    if (made !== undefined && looksTheSame(made.of, element.deployment)) return made.children;
    const children = makeChildren(element);
    this.made.set(element, { of: element.deployment, children });
    return children;
  }

  private row(deploymentId: string): DeploymentRow {
    let row = this.rows.get(deploymentId);
    if (row === undefined) {
      row = new DeploymentRow(deploymentId, this.store);
      this.rows.set(deploymentId, row);
    }
    return row;
  }

  private forgetUnlisted(): void {
    for (const id of this.rows.keys()) if (this.store.get(id) === undefined) this.rows.delete(id);
  }
}

class DeploymentRow implements DeploymentElement {
  readonly kind = 'deployment';
  readonly id: string;
  /** Which time the roots were asked for when it was last among them. */
  givenAt = 0;

  constructor(
    readonly deploymentId: string,
    private readonly store: Source,
  ) {
    this.id = `deployment:${encodePart(deploymentId)}`;
  }

  /** A row that left the list may still be held by VS Code: it remembers nothing of what was read. */
  get deployment(): Deployment {
    const id = this.deploymentId;
    return this.store.get(id) ?? { id, name: id, state: 'notYetRead', activity: 'idle' };
  }
}

/** A read that starts or waits changes nothing below the deployment's own row. */
function looksTheSame(a: Deployment, b: Deployment): boolean {
  return a === b || (a.answer === b.answer && a.failure === b.failure && a.name === b.name);
}

function makeChildren(element: TreeElement): readonly TreeElement[] {
  switch (element.kind) {
    case 'deployment':
      return underDeployment(element);
    case 'requirement':
      return underRequirement(element);
    case 'connection':
      return underConnection(element);
    case 'account':
      return underAccount(element);
    default:
      return [];
  }
}

function underDeployment(parent: DeploymentElement): readonly TreeElement[] {
  const { deployment } = parent;
  const { answer, failure } = deployment;
  const ids = new SiblingIds(parent.id);
  const rows: TreeElement[] = [];
  if (failure !== undefined) rows.push({ kind: 'failure', id: ids.next('failure'), parent, deployment });
  if (answer === undefined) return rows;
  if (answer.problems.length > 0) rows.push({ kind: 'unreadable', id: ids.next('unreadable'), parent, deployment });
  for (const finding of answer.findings.requirements) {
    // Not by its account: one that is bound to another stays the same row, expanded and selected as it was.
    const { serviceId, binding } = finding.requirement;
    rows.push({ kind: 'requirement', id: ids.next('requirement', serviceId, binding), parent, deployment, finding });
  }
  for (const finding of answer.findings.accounts) {
    rows.push(accountRow(parent, ids, deployment, 'connected', finding.account.id, finding));
  }
  return rows;
}

function underRequirement(parent: RequirementElement): readonly TreeElement[] {
  const { deployment, finding } = parent;
  const ids = new SiblingIds(parent.id);
  const rows: TreeElement[] = [];
  const { problem } = finding;
  if (problem !== undefined) rows.push({ kind: 'step', id: ids.next('step'), parent, deployment, problem });
  const boundId = boundIdOf(finding);
  if (boundId !== undefined) rows.push(accountRow(parent, ids, deployment, 'bound', boundId, finding.bound));
  for (const { accountId, account } of finding.eligible) {
    // The bound account is often eligible as well; one row of it is enough.
    if (accountId !== boundId) rows.push(accountRow(parent, ids, deployment, 'eligible', accountId, account));
  }
  for (const connection of finding.connections) rows.push(connectionRow(parent, ids, deployment, connection));
  return rows;
}

function boundIdOf({ bound, boundAbsent, requirement }: RequirementFinding): string | undefined {
  return bound?.account.id ?? (boundAbsent ? requirement.accountId : undefined);
}

function underConnection(parent: ConnectionElement): readonly TreeElement[] {
  const { deployment } = parent;
  const ids = new SiblingIds(parent.id);
  return parent.finding.scopes.map((finding) => {
    const { scope } = finding;
    return { kind: 'scope', id: ids.next('scope', scope), parent, deployment, scope, finding };
  });
}

/** Only the connected account's own row opens; where a requirement names it, the row is a pointer. */
function underAccount(parent: AccountElement): readonly TreeElement[] {
  const { deployment, finding, role } = parent;
  if (role !== 'connected' || finding === undefined) return [];
  const ids = new SiblingIds(parent.id);
  const rows: TreeElement[] = [];
  const { problem, account } = finding;
  if (problem !== undefined) {
    rows.push({ kind: 'accountError', id: ids.next('error'), parent, deployment, finding });
    rows.push({ kind: 'step', id: ids.next('step'), parent, deployment, problem });
  }
  for (const scope of account.scopes ?? []) {
    rows.push({ kind: 'scope', id: ids.next('scope', scope), parent, deployment, scope });
  }
  if (account.checkedAt !== undefined) {
    rows.push({ kind: 'lastCheck', id: ids.next('lastCheck'), parent, deployment, finding });
  }
  return rows;
}

function accountRow(
  parent: TreeElement,
  ids: SiblingIds,
  deployment: Deployment,
  role: AccountElement['role'],
  accountId: string | undefined,
  finding: AccountFinding | undefined,
): AccountElement {
  // Without an id an account is told apart by what it is called.
  const name = accountId === undefined ? finding?.name : undefined;
  const id = name === undefined ? ids.next(role, accountId) : ids.next(role, undefined, name);
  return {
    kind: 'account',
    id,
    parent,
    deployment,
    role,
    ...(accountId !== undefined && { accountId }),
    ...(finding && { finding }),
  };
}

function connectionRow(
  parent: TreeElement,
  ids: SiblingIds,
  deployment: Deployment,
  finding: ConnectionFinding,
): ConnectionElement {
  const id = ids.next('connection', finding.connection.connectionMethodId);
  return { kind: 'connection', id, parent, deployment, finding };
}
