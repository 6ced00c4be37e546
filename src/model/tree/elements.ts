import type { WithDecodeIssues } from '../../api/decode.js';
import type { Deployment } from '../deployment.js';
import type { State } from '../order.js';
import {
  type AccountFinding,
  type ConnectionFinding,
  type Problem,
  type RequirementFinding,
  type ScopeFinding,
} from '../problems/findings.js';
import type { SharedAccount } from '../problems/impact.js';
import type { OrganizationCause } from '../store/causes.js';

interface Base {
  /** Path from the root, by the keys of what rows are about. Stable across refreshes. */
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

/** Grouped by account: the deployments whose accounts are unknown now. */
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
  /** What is bound to the account in all of them. */
  readonly requirements: readonly RequirementFinding[];
  /** Those that the filter shows. */
  readonly members: readonly MemberElement[];
}

/** What the rows of a deployment have of their own, by their kind. */
interface Own {
  deployment: unknown;
  /** A deployment below an account, and its requirements there. */
  member: { readonly requirements: readonly RequirementFinding[] };
  /** Why the last read failed. */
  failure: { readonly failed: NonNullable<Deployment['failure']> };
  /** "2 fields unreadable" */
  unreadable: { readonly leftOut: WithDecodeIssues };
  requirement: { readonly finding: RequirementFinding };
  /** `finding` is absent if the id is not among the deployment's accounts. */
  account: {
    readonly role: 'connected' | 'bound' | 'eligible';
    readonly accountId: string | undefined;
    readonly finding: AccountFinding | undefined;
    /** Of an eligible account: why it is not advised. */
    readonly missingScopes: readonly string[];
  };
  connection: { readonly finding: ConnectionFinding };
  /** A scope of a connection method (`finding`), or one that an account was granted (`scope` only). */
  scope: { readonly scope: string; readonly finding: ScopeFinding | undefined };
  accountError: { readonly finding: AccountFinding };
  /** What helps against a problem, and since when the problem has been seen. `accountId`: in all deployments that have the account. */
  advice: { readonly problem: Problem; readonly accountId: string | undefined };
}

type OfDeployment<Kind extends keyof Own> = Base & Own[Kind] & { readonly kind: Kind; readonly deployment: Deployment };

/** A deployment's own row. VS Code keeps it over many readings, so what was read is looked up when it is drawn. */
export interface RootElement extends Base {
  readonly kind: 'deployment';
  readonly deployment: Pick<Deployment, 'id'>;
}
export type DeploymentElement = OfDeployment<'deployment'>;
export type MemberElement = OfDeployment<'member'>;
export type FailureElement = OfDeployment<'failure'>;
export type UnreadableElement = OfDeployment<'unreadable'>;
export type RequirementElement = OfDeployment<'requirement'>;
export type AccountElement = OfDeployment<'account'>;
export type ConnectionElement = OfDeployment<'connection'>;
export type ScopeElement = OfDeployment<'scope'>;
export type AccountErrorElement = OfDeployment<'accountError'>;
export type AdviceElement = OfDeployment<'advice'>;

type ElementOfDeployment = { [Kind in keyof Own]: OfDeployment<Kind> }[keyof Own];

/** An element with what was read. */
export type DrawnElement = CauseElement | UnseenElement | GroupElement | ElementOfDeployment;

type OtherElement = Exclude<DrawnElement, DeploymentElement>;

/** What VS Code has. */
export type TreeElement = OtherElement | RootElement;

/** The rows below another one. They are made whenever VS Code asks: it knows them by their ids. */
export function childrenOf(parent: DrawnElement): readonly OtherElement[] {
  if (parent.kind === 'group') return belowGroup(parent);
  return 'deployment' in parent ? placed(rowsBelow(parent), parent, parent.deployment) : [];
}

/** Whether a row has others below it. Those of a deployment are not made for that, because a list can have thousands. */
export function hasChildren(element: DrawnElement): boolean {
  if (element.kind === 'group') return element.members.length > 0;
  if (element.kind !== 'deployment') return 'deployment' in element && rowsBelow(element).length > 0;
  const { answer, failure } = element.deployment;
  if (answer === undefined) return failure !== undefined;
  const { authorization, decodeIssues } = answer;
  return Boolean(failure ?? authorization.accounts[0] ?? authorization.requirements[0] ?? decodeIssues[0]);
}

type WithoutPlace<T> = T extends unknown ? Omit<T, 'id' | 'parent' | 'deployment'> : never;

/** `name` tells a row apart from its siblings. */
type Unplaced = WithoutPlace<Exclude<ElementOfDeployment, DeploymentElement>> & { readonly name: string };

/** Gives rows their ids. Equal ones get an ordinal, because equal ids make VS Code throw. */
function placed(rows: readonly Unplaced[], parent: TreeElement, deployment: Deployment): readonly OtherElement[] {
  const counts = new Map<string, number>();
  return rows.map(({ name, ...row }) => {
    const nth = (counts.get(name) ?? 0) + 1;
    counts.set(name, nth);
    return { ...row, id: `${parent.id}/${name}${nth === 1 ? '' : `#${nth}`}`, parent, deployment };
  });
}

function belowGroup(group: GroupElement): readonly OtherElement[] {
  const { account, members } = group;
  if (account === undefined) return members;
  const { deployment } = account.newest;
  return [
    ...placed(troubleElements(account.finding, deployment, account.finding.account.id), group, deployment),
    ...members,
  ];
}

function rowsBelow(parent: ElementOfDeployment): readonly Unplaced[] {
  switch (parent.kind) {
    case 'deployment':
      return belowDeployment(parent.deployment);
    case 'member':
      return parent.requirements.map(requirementElement);
    case 'requirement':
      return belowRequirement(parent);
    case 'connection':
      return parent.finding.scopes.map((finding) => scopeElement(finding.scope, finding));
    case 'account':
      return belowAccount(parent);
    default:
      return [];
  }
}

function belowDeployment({ id, answer, failure }: Deployment): readonly Unplaced[] {
  const rows: Unplaced[] = [];
  if (failure !== undefined) rows.push({ kind: 'failure', copyId: id, failed: failure, name: 'failure' });
  if (answer === undefined) return rows;
  if (answer.decodeIssues.length > 0) {
    rows.push({ kind: 'unreadable', copyId: id, leftOut: answer, name: 'unreadable' });
  }
  const { requirements, accounts } = answer.findings;
  const connected = accounts.map((finding) => accountElement('connected', finding.account.id, finding));
  return [...rows, ...requirements.map(requirementElement), ...connected];
}

function requirementElement(finding: RequirementFinding): Unplaced {
  const { serviceId, binding } = finding.requirement;
  // The service gives requirements no id; within a deployment the binding tells them apart (readings.ts).
  const copyId = binding || serviceId;
  return { kind: 'requirement', copyId, finding, name: finding.key };
}

function belowRequirement({ finding, deployment }: RequirementElement): readonly Unplaced[] {
  const { cause, boundId, bound, connections } = finding;
  // The bound account is often eligible as well; one row of it is enough.
  const eligible = finding.eligible.filter(({ accountId }) => accountId !== boundId);
  return [
    ...(cause ? [adviceElement(cause, deployment.id)] : []),
    ...(boundId === undefined ? [] : [accountElement('bound', boundId, bound)]),
    ...eligible.map((one) => accountElement('eligible', one.accountId, one.account, one.missingScopes)),
    ...connections.map((connection): Unplaced => {
      const copyId = connection.connection.connectionMethodId;
      return { kind: 'connection', copyId, finding: connection, name: `connection:${encodePart(copyId)}` };
    }),
  ];
}

/** Only a connected account's own row opens. Below a requirement its row only points to that one. */
function belowAccount({ finding, role, deployment }: AccountElement): readonly Unplaced[] {
  if (role !== 'connected' || finding === undefined) return [];
  const { scopes = [] } = finding.account;
  return [...troubleElements(finding, deployment), ...scopes.map((scope) => scopeElement(scope))];
}

function scopeElement(scope: string, finding?: ScopeFinding): Unplaced {
  return { kind: 'scope', copyId: scope, scope, finding, name: `scope:${encodePart(scope)}` };
}

/** `ofAll`: the id of the account whose problem stands for all deployments that have it. */
function troubleElements(finding: AccountFinding, deployment: Deployment, ofAll?: string): readonly Unplaced[] {
  const { problem, account } = finding;
  const rows: Unplaced[] = [];
  // The account's own row says the code.
  if (account.error?.message) rows.push({ kind: 'accountError', copyId: account.id, finding, name: 'error' });
  if (problem) rows.push(adviceElement(problem, ofAll ?? deployment.id, ofAll));
  return rows;
}

function adviceElement(problem: Problem, copyId: string, accountId?: string): Unplaced {
  return { kind: 'advice', copyId, problem, accountId, name: 'advice' };
}

function accountElement(
  role: AccountElement['role'],
  accountId: string | undefined,
  finding?: AccountFinding,
  missingScopes: readonly string[] = [],
): Unplaced {
  const name = `${role}:${finding?.key ?? encodePart(accountId)}`;
  return { kind: 'account', copyId: accountId, role, accountId, finding, missingScopes, name };
}

/** One part of a row's id: percent-encoded, or a lone `%` for an absent value, so that different values stay different. */
export function encodePart(value: string | undefined): string {
  // `encodeURIComponent` throws on half a surrogate pair, which settings and answers can hold and JSON escapes.
  return value === undefined ? '%' : encodeURIComponent(JSON.stringify(value).slice(1, -1));
}
