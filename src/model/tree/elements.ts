import type { Deployment } from '../deployment.js';
import type { AccountFinding, ConnectionFinding, Problem, RequirementFinding, ScopeFinding } from '../findings.js';
import type { OrganizationCause } from '../store/causes.js';

interface Base {
  /** Path from the root: ids percent-encoded, with an ordinal among equal siblings. Stable across refreshes. */
  readonly id: string;
  readonly parent?: TreeElement;
  /** What Copy ID copies: the id of what the row is about, as the service sent it; `undefined` if it sent none. */
  readonly copyId: string | undefined;
}

/** A first row that concerns the whole view: an organization-wide cause, or the workspace's trust. */
export interface CauseElement extends Base {
  readonly kind: 'cause';
  readonly cause: OrganizationCause | { readonly kind: 'untrusted' };
}

interface OfDeployment extends Base {
  readonly deployment: Deployment;
}

export interface DeploymentElement extends OfDeployment {
  readonly kind: 'deployment';
}
/** Why the last read failed, as a row under the deployment. */
export interface FailureElement extends OfDeployment {
  readonly kind: 'failure';
}
/** "2 fields of this answer could not be read". */
export interface UnreadableElement extends OfDeployment {
  readonly kind: 'unreadable';
}
export interface RequirementElement extends OfDeployment {
  readonly kind: 'requirement';
  readonly finding: RequirementFinding;
}
export interface AccountElement extends OfDeployment {
  readonly kind: 'account';
  readonly role: 'connected' | 'bound' | 'eligible';
  readonly accountId?: string | undefined;
  /** Absent: the id is not among the deployment's accounts. */
  readonly finding?: AccountFinding | undefined;
}
export interface ConnectionElement extends OfDeployment {
  readonly kind: 'connection';
  readonly finding: ConnectionFinding;
}
/** A scope of a connection method (`finding`), or one that an account holds (`scope` only). */
export interface ScopeElement extends OfDeployment {
  readonly kind: 'scope';
  readonly scope: string;
  readonly finding?: ScopeFinding;
}
export interface AccountErrorElement extends OfDeployment {
  readonly kind: 'accountError';
  readonly finding: AccountFinding;
}
export interface LastCheckElement extends OfDeployment {
  readonly kind: 'lastCheck';
  readonly finding: AccountFinding;
}
/** What helps against a problem, and since when the problem has been seen. */
export interface AdviceElement extends OfDeployment {
  readonly kind: 'advice';
  readonly problem: Problem;
}

type ElementOfDeployment =
  | DeploymentElement
  | FailureElement
  | UnreadableElement
  | RequirementElement
  | AccountElement
  | ConnectionElement
  | ScopeElement
  | AccountErrorElement
  | LastCheckElement
  | AdviceElement;

export type TreeElement = CauseElement | ElementOfDeployment;

/** Makes the rows below others when asked for them, and keeps them until their deployment changes. */
export class Children {
  private made = new WeakMap<TreeElement, { of: Deployment; rows: readonly TreeElement[] }>();

  of(element: TreeElement): readonly TreeElement[] {
    if (element.kind === 'cause') return [];
    const made = this.made.get(element);
    if (made !== undefined && haveEqualRows(made.of, element.deployment)) return made.rows;
    const rows = rowsBelow(element);
    this.made.set(element, { of: element.deployment, rows });
    return rows;
  }

  /** Whether a row has others below it. A deployment's are not made for that, because a list can have thousands. */
  has(element: TreeElement): boolean {
    if (element.kind !== 'deployment') return this.of(element).length > 0;
    const { answer, failure } = element.deployment;
    if (failure !== undefined) return true;
    if (answer === undefined) return false;
    const { accounts, requirements } = answer.authorization;
    return accounts.length > 0 || requirements.length > 0 || answer.decodeIssues.length > 0;
  }

  forget(): void {
    this.made = new WeakMap();
  }
}

/** A read that starts or waits changes nothing below the deployment's own row. */
function haveEqualRows(a: Deployment, b: Deployment): boolean {
  return a === b || (a.answer === b.answer && a.failure === b.failure && a.name === b.name);
}

function rowsBelow(element: ElementOfDeployment): readonly TreeElement[] {
  switch (element.kind) {
    case 'deployment':
      return belowDeployment(element);
    case 'requirement':
      return belowRequirement(element);
    case 'connection':
      return belowConnection(element);
    case 'account':
      return belowAccount(element);
    default:
      return [];
  }
}

function belowDeployment(parent: DeploymentElement): readonly TreeElement[] {
  const { id, answer, failure } = parent.deployment;
  const below = new RowsBelow(parent);
  if (failure !== undefined) below.add({ kind: 'failure', copyId: id }, 'failure');
  if (answer === undefined) return below.rows;
  if (answer.decodeIssues.length > 0) below.add({ kind: 'unreadable', copyId: id }, 'unreadable');
  for (const finding of answer.findings.requirements) {
    const { serviceId, binding } = finding.requirement;
    // The service gives requirements no id; within a deployment the binding tells them apart (readings.ts).
    const copyId = binding || serviceId;
    // The account is no part of the row's id, so that a requirement that gets another one stays expanded and selected.
    below.add({ kind: 'requirement', copyId, finding }, 'requirement', serviceId, binding);
  }
  for (const finding of answer.findings.accounts) addAccount(below, 'connected', finding.account.id, finding);
  return below.rows;
}

function belowRequirement(parent: RequirementElement): readonly TreeElement[] {
  const { finding, deployment } = parent;
  const below = new RowsBelow(parent);
  if (finding.problem !== undefined) addAdvice(below, deployment, finding.problem);
  const boundId = boundIdOf(finding);
  if (boundId !== undefined) addAccount(below, 'bound', boundId, finding.bound);
  for (const { accountId, account } of finding.eligible) {
    // The bound account is often eligible as well; one row of it is enough.
    if (accountId !== boundId) addAccount(below, 'eligible', accountId, account);
  }
  for (const connection of finding.connections) {
    const copyId = connection.connection.connectionMethodId;
    below.add({ kind: 'connection', copyId, finding: connection }, 'connection', copyId);
  }
  return below.rows;
}

function boundIdOf({ bound, boundAbsent, requirement }: RequirementFinding): string | undefined {
  return bound?.account.id ?? (boundAbsent ? requirement.accountId : undefined);
}

function belowConnection(parent: ConnectionElement): readonly TreeElement[] {
  const below = new RowsBelow(parent);
  for (const finding of parent.finding.scopes) {
    const { scope } = finding;
    below.add({ kind: 'scope', copyId: scope, scope, finding }, 'scope', scope);
  }
  return below.rows;
}

/** Only a connected account's own row opens. Below a requirement its row only points to that one. */
function belowAccount(parent: AccountElement): readonly TreeElement[] {
  const { deployment, finding, role } = parent;
  if (role !== 'connected' || finding === undefined) return [];
  const below = new RowsBelow(parent);
  const { problem, account } = finding;
  const copyId = account.id;
  if (problem !== undefined) {
    below.add({ kind: 'accountError', copyId, finding }, 'error');
    addAdvice(below, deployment, problem);
  }
  for (const scope of account.scopes ?? []) below.add({ kind: 'scope', copyId: scope, scope }, 'scope', scope);
  if (account.checkedAt !== undefined) below.add({ kind: 'lastCheck', copyId, finding }, 'lastCheck');
  return below.rows;
}

function addAdvice(below: RowsBelow, deployment: Deployment, problem: Problem): void {
  below.add({ kind: 'advice', copyId: deployment.id, problem }, 'advice');
}

function addAccount(
  below: RowsBelow,
  role: AccountElement['role'],
  accountId: string | undefined,
  finding: AccountFinding | undefined,
): void {
  // Without an id an account is told apart by its name.
  const idParts = accountId === undefined && finding !== undefined ? [undefined, finding.name] : [accountId];
  below.add({ kind: 'account', copyId: accountId, role, accountId, finding }, role, ...idParts);
}

type WithoutPlace<T> = T extends unknown ? Omit<T, 'id' | 'parent' | 'deployment'> : never;

/** Gathers the rows below one row, and gives them their ids. */
class RowsBelow {
  readonly rows: TreeElement[] = [];
  private readonly counts = new Map<string, number>();

  constructor(private readonly parent: ElementOfDeployment) {}

  /** `idParts` tell the row apart from its siblings. Equal ones get an ordinal, because equal ids make VS Code throw. */
  add(row: WithoutPlace<ElementOfDeployment>, ...idParts: readonly [string, ...(string | undefined)[]]): void {
    const { parent } = this;
    const name = idParts.map(encodePart).join(':');
    const count = (this.counts.get(name) ?? 0) + 1;
    this.counts.set(name, count);
    const id = `${parent.id}/${name}${count === 1 ? '' : `#${count}`}`;
    this.rows.push({ ...row, id, parent, deployment: parent.deployment });
  }
}

/** One part of a row's id: percent-encoded, or a lone `%` for an absent value, so that different values stay different. */
export function encodePart(value: string | undefined): string {
  if (value === undefined) return '%';
  if (/^[\w.-]*$/.test(value)) return value;
  // `encodeURIComponent` throws on half a surrogate pair; settings and answers can hold one.
  return value.replace(/\p{Surrogate}|[^\p{Surrogate}\w.-]/gu, (character) =>
    /\p{Surrogate}/u.test(character)
      ? `%u${character.charCodeAt(0).toString(16)}`
      : encodeURIComponent(character).replace(/[!'()*~]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`),
  );
}
