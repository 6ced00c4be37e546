import type { LeftOut } from '../../api/decode.js';
import type { Deployment } from '../deployment.js';
import type { State } from '../order.js';
import type {
  AccountFinding,
  ConnectionFinding,
  Problem,
  RequirementFinding,
  ScopeFinding,
} from '../problems/findings.js';
import type { SharedAccount } from '../problems/impact.js';
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

/** Grouped by account: the deployments of which nobody knows to which accounts they belong now. */
export interface UnseenElement extends Base {
  readonly kind: 'unseen';
  readonly deployments: readonly Deployment[];
}

/** Grouped by account: an account; without one, the requirements that are bound to none of their deployment's. */
export interface GroupElement extends Base {
  readonly kind: 'group';
  readonly account: SharedAccount | undefined;
  readonly finding: AccountFinding | undefined;
  readonly state: State;
  /** All that commands on this row are about, and first the one that has the newest answer. */
  readonly deployments: readonly Deployment[];
  /** Those that the filter shows. */
  readonly members: readonly Member[];
}

/** A deployment in a group, and its requirements there. */
export interface Member {
  readonly deployment: Deployment;
  readonly requirements: readonly RequirementFinding[];
}

type OfDeployment<Kind extends string, Own = unknown> = Base &
  Own & { readonly kind: Kind; readonly deployment: Deployment };

export type DeploymentElement = OfDeployment<'deployment'>;
/** A deployment below an account. */
export type MemberElement = OfDeployment<'member', Pick<Member, 'requirements'>>;
/** Why the last read failed. */
export type FailureElement = OfDeployment<'failure', { readonly failed: NonNullable<Deployment['failure']> }>;
/** "2 fields unreadable" */
export type UnreadableElement = OfDeployment<'unreadable', { readonly leftOut: LeftOut }>;
export type RequirementElement = OfDeployment<'requirement', { readonly finding: RequirementFinding }>;
export interface AccountElement extends OfDeployment<'account'> {
  readonly role: 'connected' | 'bound' | 'eligible';
  readonly accountId?: string | undefined;
  /** Absent: the id is not among the deployment's accounts. */
  readonly finding?: AccountFinding | undefined;
}
export type ConnectionElement = OfDeployment<'connection', { readonly finding: ConnectionFinding }>;
/** A scope of a connection method (`finding`), or one that an account was granted (`scope` only). */
export type ScopeElement = OfDeployment<'scope', { readonly scope: string; readonly finding?: ScopeFinding }>;
export type AccountErrorElement = OfDeployment<'accountError', { readonly finding: AccountFinding }>;
/** What helps against a problem, and since when the problem has been seen. `accountId`: in all deployments that have the account. */
export type AdviceElement = OfDeployment<
  'advice',
  { readonly problem: Problem; readonly accountId?: string | undefined }
>;

type ElementOfDeployment =
  | DeploymentElement
  | MemberElement
  | FailureElement
  | UnreadableElement
  | RequirementElement
  | AccountElement
  | ConnectionElement
  | ScopeElement
  | AccountErrorElement
  | AdviceElement;

export type TreeElement = CauseElement | UnseenElement | GroupElement | ElementOfDeployment;

/** Makes the rows below others when asked for them, and keeps them until their deployment changes. */
export class Children {
  private made = new WeakMap<TreeElement, { of: Deployment | undefined; rows: readonly TreeElement[] }>();

  of(element: TreeElement): readonly TreeElement[] {
    const of = 'deployment' in element ? element.deployment : undefined;
    const made = this.made.get(element);
    if (made !== undefined && haveEqualRows(made.of, of)) return made.rows;
    const rows = rowsBelow(element);
    this.made.set(element, { of, rows });
    return rows;
  }

  /** Whether a row has others below it. Those of a root are not made for that, because a list can have thousands. */
  has(element: TreeElement): boolean {
    if (element.kind === 'group') return true;
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
function haveEqualRows(a: Deployment | undefined, b: Deployment | undefined): boolean {
  if (a === b) return true;
  return a !== undefined && b !== undefined && a.answer === b.answer && a.failure === b.failure && a.name === b.name;
}

function rowsBelow(element: TreeElement): readonly TreeElement[] {
  switch (element.kind) {
    case 'group':
      return belowGroup(element);
    case 'member':
      return belowMember(element);
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
  const below = new RowsBelow(parent, parent.deployment);
  if (failure !== undefined) below.add({ kind: 'failure', copyId: id, failed: failure }, 'failure');
  if (answer === undefined) return below.rows;
  if (answer.decodeIssues.length > 0) below.add({ kind: 'unreadable', copyId: id, leftOut: answer }, 'unreadable');
  for (const finding of answer.findings.requirements) addRequirement(below, finding);
  for (const finding of answer.findings.accounts) addAccount(below, 'connected', finding.account.id, finding);
  return below.rows;
}

function belowGroup(parent: GroupElement): readonly TreeElement[] {
  const { account, members } = parent;
  const rows = members.map(
    ({ deployment, requirements }): MemberElement => ({
      kind: 'member',
      id: `${parent.id}/member:${encodePart(deployment.id)}`,
      parent,
      copyId: deployment.id,
      deployment,
      requirements,
    }),
  );
  if (account === undefined) return rows;
  const below = new RowsBelow(parent, account.newest.deployment);
  addTrouble(below, account.finding, account.finding.account.id);
  return [...below.rows, ...rows];
}

function belowMember(parent: MemberElement): readonly TreeElement[] {
  const below = new RowsBelow(parent, parent.deployment);
  for (const finding of parent.requirements) addRequirement(below, finding);
  return below.rows;
}

function addRequirement(below: RowsBelow, finding: RequirementFinding): void {
  const { serviceId, binding } = finding.requirement;
  // The service gives requirements no id; within a deployment the binding tells them apart (readings.ts).
  const copyId = binding || serviceId;
  // The account is no part of the row's id, so that a requirement that gets another one stays expanded and selected.
  below.add({ kind: 'requirement', copyId, finding }, 'requirement', serviceId, binding);
}

function belowRequirement(parent: RequirementElement): readonly TreeElement[] {
  const { finding, deployment } = parent;
  const below = new RowsBelow(parent, parent.deployment);
  if (finding.problem !== undefined) {
    below.add({ kind: 'advice', copyId: deployment.id, problem: finding.problem }, 'advice');
  }
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
  const below = new RowsBelow(parent, parent.deployment);
  for (const finding of parent.finding.scopes) {
    const { scope } = finding;
    below.add({ kind: 'scope', copyId: scope, scope, finding }, 'scope', scope);
  }
  return below.rows;
}

/** Only a connected account's own row opens. Below a requirement its row only points to that one. */
function belowAccount(parent: AccountElement): readonly TreeElement[] {
  const { finding, role } = parent;
  if (role !== 'connected' || finding === undefined) return [];
  const below = new RowsBelow(parent, parent.deployment);
  addTrouble(below, finding);
  for (const scope of finding.account.scopes ?? []) below.add({ kind: 'scope', copyId: scope, scope }, 'scope', scope);
  return below.rows;
}

/** `ofAll`: the id of the account whose problem stands for all deployments that have it. */
function addTrouble(below: RowsBelow, finding: AccountFinding, ofAll?: string): void {
  const { problem, account } = finding;
  // The account's own row says the code.
  if (account.error?.message) below.add({ kind: 'accountError', copyId: account.id, finding }, 'error');
  if (problem === undefined) return;
  below.add({ kind: 'advice', copyId: ofAll ?? below.deployment.id, problem, accountId: ofAll }, 'advice');
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

  constructor(
    private readonly parent: TreeElement,
    readonly deployment: Deployment,
  ) {}

  /** `idParts` tell the row apart from its siblings. Equal ones get an ordinal, because equal ids make VS Code throw. */
  add(row: WithoutPlace<ElementOfDeployment>, ...idParts: readonly [string, ...(string | undefined)[]]): void {
    const { parent, deployment } = this;
    const name = idParts.map(encodePart).join(':');
    const count = (this.counts.get(name) ?? 0) + 1;
    this.counts.set(name, count);
    const id = `${parent.id}/${name}${count === 1 ? '' : `#${count}`}`;
    this.rows.push({ ...row, id, parent, deployment });
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
