import type { WithDecodeIssues } from '../../api/decode.js';
import type { Ignored } from '../entered/ignoredEntries.js';
import { type AdviceKind, adviceKind } from '../findings/advice.js';
import { type Counts, type Deployment, isUnreadable } from '../findings/deployment.js';
import {
  type AccountFinding,
  type ConnectionFinding,
  type EligibleAccount,
  type Finding,
  groupBy,
  type MissingScopes,
  type Problem,
  type RequirementFinding,
  type ScopeFinding,
} from '../findings/findings.js';
import type { State } from '../findings/order.js';
import type { GroupName } from '../groups.js';
import type { SharedAccount } from '../problems/impact.js';
import type { OrganizationCause } from '../store/store.js';

/** What every row has. */
interface Base {
  /**
   * The path from the root, made of the keys of what rows are about. Stays the same across
   * refreshes.
   */
  readonly id: string;
  /** Absent at the root. */
  readonly parent?: TreeElement;
  /**
   * What Copy ID copies: the ID of what the row is about, as the list has it or the platform sent
   * it; `undefined` if there is none.
   */
  readonly copyId: string | undefined;
}

/** The rows at the root. */
type RootRow =
  /**
   * A first row that concerns the whole view: an organization's cause, or the workspace's trust.
   */
  | {
      readonly kind: 'cause';
      readonly cause: OrganizationCause | { readonly kind: 'untrusted'; readonly ignored: Ignored };
    }
  /** How many deployments Hide Healthy hides. `isAll`: whether no others are listed. */
  | { readonly kind: 'hidden'; readonly count: number; readonly isAll: boolean }
  /** The deployments that have no row because the user has chosen groups that they are not in. */
  | { readonly kind: 'otherGroups'; readonly counts: Counts }
  /**
   * A deployment, also below `group` and `unseen`. VS Code keeps the row over many refreshes, so
   * the provider replaces its deployment by the newest object.
   */
  | { readonly kind: 'deployment'; deployment: Deployment }
  /** Grouped by group: a group of deployments, or those that are in none. */
  | {
      readonly kind: 'group';
      readonly name: GroupName;
      /** The worst state of its deployments. */
      readonly state: State;
      readonly counts: Counts;
      /** All deployments of the group, which commands on this row are about. */
      readonly deployments: readonly Deployment[];
      /** Those that Hide Healthy does not hide. */
      readonly members: readonly Deployment[];
    }
  /**
   * Grouped by account: an account, or all requirements that are bound to no account of their
   * deployment.
   */
  | {
      readonly kind: 'accountGroup';
      /** `undefined` for the requirements without an account. */
      readonly account: SharedAccount | undefined;
      /** That of `account`, found where it is not muted if it is so anywhere. */
      readonly finding: AccountFinding | undefined;
      readonly state: State;
      /**
       * All deployments that commands on this row are about, first the one with the newest answer.
       */
      readonly deployments: readonly Deployment[];
      readonly requirements: readonly RequirementFinding[];
      /** How many of the requirements are not satisfied and not muted. */
      readonly unsatisfiedCount: number;
      /** The rows below, without those that Hide Healthy hides. */
      readonly members: readonly TreeElement[];
    }
  /**
   * Grouped by account: the deployments whose accounts are unknown now. Without any group, all
   * deployments that are shown, which then have no accounts or unknown ones.
   */
  | { readonly kind: 'unseen'; readonly deployments: readonly Deployment[] };

/** The rows below a deployment or an account. `deployment`: the one to which the row belongs. */
type RowOfDeployment = { readonly deployment: Deployment } & (
  | /** A deployment below an account, with its requirements that are bound to the account. */
  { readonly kind: 'member'; readonly requirements: readonly RequirementFinding[] }
  /** Why the last read failed. */
  | { readonly kind: 'failure'; readonly failed: NonNullable<Deployment['failedRead']> }
  /** What helps against a problem. */
  | { readonly kind: 'advice'; readonly problem: Problem }
  /** What helps against many problems of one kind. */
  | {
      readonly kind: 'joinedAdvice';
      readonly advice: AdviceKind;
      readonly problems: readonly Problem[];
    }
  /** The requirements that need one of the failed accounts whose advice is joined. */
  | { readonly kind: 'effects'; readonly findings: readonly RequirementFinding[] }
  /**
   * What helps where the platform leaves something open. Without findings, only a part of the
   * answer could not be read.
   */
  | { readonly kind: 'unknown'; readonly findings: readonly Finding[] }
  /** The parts of the answer that could not be read. */
  | { readonly kind: 'unreadable'; readonly leftOut: WithDecodeIssues }
  /** The satisfied requirements, folded. */
  | { readonly kind: 'satisfied'; readonly findings: readonly RequirementFinding[] }
  /** The accounts that work, folded: "3 accounts". */
  | { readonly kind: 'accounts'; readonly findings: readonly AccountFinding[] }
  | { readonly kind: 'requirement'; readonly finding: RequirementFinding }
  | {
      readonly kind: 'account';
      /** `connected`: below its deployment. `bound`, `eligible`: below a requirement. */
      readonly role: 'connected' | 'bound' | 'eligible';
      /** `undefined` if the deployment has no account with this ID. */
      readonly finding: AccountFinding | undefined;
      /** Why an eligible account is not advised. */
      readonly missing: MissingScopes | undefined;
    }
  /** A connection method of a requirement. */
  | { readonly kind: 'connection'; readonly finding: ConnectionFinding }
  /**
   * A scope of a connection method, which has a `finding`, or a scope that an account was granted.
   */
  | { readonly kind: 'scope'; readonly scope: string; readonly finding: ScopeFinding | undefined }
  /** An account's error that has a message: its code, or "failed" without one, and the message. */
  | { readonly kind: 'accountError'; readonly finding: AccountFinding }
  /** When the platform last checked an account. */
  | { readonly kind: 'check'; readonly finding: AccountFinding }
);

export type TreeElement = Base & (RootRow | RowOfDeployment);

export type ElementOf<Kind extends TreeElement['kind']> = Extract<
  TreeElement,
  { readonly kind: Kind }
>;

/**
 * Returns the rows below another. They are made anew whenever VS Code asks, which knows rows by
 * their IDs.
 */
export function childrenOf(parent: TreeElement): readonly TreeElement[] {
  if (parent.kind === 'accountGroup') return belowAccountGroup(parent);
  if (parent.kind === 'group')
    return parent.members.map((deployment) => deploymentElement(deployment, parent));
  if (parent.kind === 'unseen')
    return parent.deployments.map((deployment) => deploymentElement(deployment, parent));
  if (!('deployment' in parent)) return [];

  const identify = identifyBelow(parent, parent.deployment);
  switch (parent.kind) {
    case 'deployment':
      return belowDeployment(parent.deployment, identify);
    case 'member':
      return belowMember(parent, identify);
    case 'effects':
    case 'satisfied':
      return parent.findings.map((finding) => requirementElement(finding, identify));
    case 'accounts':
      return parent.findings.map((finding) => connectedElement(finding, identify));
    case 'requirement':
      return belowRequirement(parent.finding, identify);
    case 'account':
      return belowAccount(parent, identify);
    case 'connection':
      return parent.finding.scopes.map((finding) => scopeElement(finding.scope, identify, finding));
    default:
      return [];
  }
}

/**
 * Returns whether a row has others below it. The rows below a deployment or a requirement are not
 * made for that, because there can be thousands.
 */
export function hasChildren(element: TreeElement): boolean {
  switch (element.kind) {
    case 'accountGroup':
    case 'group':
      return element.members.length > 0;
    case 'deployment':
      return hasRowsBelow(element.deployment);
    case 'requirement': {
      const { boundId, requirement } = element.finding;
      const { connections = [], eligibleAccountIds = [] } = requirement;
      return boundId !== undefined || eligibleAccountIds.length > 0 || connections.length > 0;
    }
    default:
      return childrenOf(element).length > 0;
  }
}

function hasRowsBelow(deployment: Deployment): boolean {
  if (isUnreadable(deployment)) return true;
  const { answer } = deployment;
  if (answer === undefined) return false;
  const { accounts, requirements } = answer.value;
  return accounts.length > 0 || requirements.length > 0 || answer.decodeIssues.length > 0;
}

/** Without a parent, the row stands at the root. */
export function deploymentElement(
  deployment: Deployment,
  parent?: TreeElement,
): ElementOf<'deployment'> {
  const ownId = `deployment:${encodePart(deployment.id)}`;
  const common = { kind: 'deployment', copyId: deployment.id, deployment } as const;
  if (parent === undefined) return { ...common, id: ownId };
  return { ...common, id: `${parent.id}/${ownId}`, parent };
}

/** What the function makes that identifies a row. */
interface Identified extends Base {
  readonly parent: TreeElement;
  readonly deployment: Deployment;
}

/** `name`: distinguishes the row from its siblings. */
type Identify = (name: string, copyId: string | undefined) => Identified;

/**
 * Returns a function that identifies the rows below `parent`, one after another: "…/error",
 * "…/scope:chat%3Awrite". Siblings with one name get an ordinal, "…/error#2", because VS Code
 * throws when two rows have the same ID.
 */
function identifyBelow(parent: TreeElement, deployment: Deployment): Identify {
  const counts = new Map<string, number>();
  return (name, copyId) => {
    const nth = (counts.get(name) ?? 0) + 1;
    counts.set(name, nth);
    const ordinal = nth === 1 ? '' : `#${nth}`;
    return { id: `${parent.id}/${name}${ordinal}`, parent, deployment, copyId };
  };
}

/** Returns what to do, then what is wrong, and then, folded, what is not wrong. */
function belowDeployment(deployment: Deployment, identify: Identify): readonly TreeElement[] {
  const { id, answer, failedRead } = deployment;
  const rows: TreeElement[] = [];
  if (failedRead && isUnreadable(deployment))
    rows.push({ ...identify('failure', id), kind: 'failure', failed: failedRead });
  if (!answer) return rows;

  const { problems, accounts, requirements, unknownFindings } = answer.findings;
  const advice = adviceElements(problems, id, identify);
  rows.push(...advice);
  if (deployment.state === 'unknown' && !isUnreadable(deployment))
    rows.push({ ...identify('unknown', id), kind: 'unknown', findings: unknownFindings });

  const failed = accounts.filter(({ problem }) => problem !== undefined);
  rows.push(...failed.map((finding) => connectedElement(finding, identify)));
  // Where the advice for failed accounts is one row, so are the requirements that only need these
  // accounts.
  const isJoined = advice.some(
    (row) => row.kind === 'joinedAdvice' && row.advice === 'reconnectFailed',
  );
  const effects = isJoined ? requirements.filter(({ isEffect }) => isEffect) : [];
  if (effects.length > 0)
    rows.push({ ...identify('effects', id), kind: 'effects', findings: effects });
  for (const finding of requirements) {
    const isFolded = isJoined && finding.isEffect;
    if (finding.state !== 'satisfied' && !isFolded)
      rows.push(requirementElement(finding, identify));
  }
  const unknownAccounts = accounts.filter(({ state }) => state === 'unknown');
  rows.push(...unknownAccounts.map((finding) => connectedElement(finding, identify)));
  if (answer.decodeIssues.length > 0)
    rows.push({ ...identify('unreadable', id), kind: 'unreadable', leftOut: answer });

  const satisfied = requirements.filter(({ state }) => state === 'satisfied');
  if (satisfied.length > 0)
    rows.push({ ...identify('satisfied', id), kind: 'satisfied', findings: satisfied });
  const working = accounts.filter(({ state }) => state === 'works');
  if (working.length > 0)
    rows.push({ ...identify('accounts', id), kind: 'accounts', findings: working });
  return rows;
}

function belowAccountGroup(parent: ElementOf<'accountGroup'>): readonly TreeElement[] {
  const { account, finding, members } = parent;
  if (account === undefined || finding?.problem === undefined) return members;
  const identify = identifyBelow(parent, account.newest.deployment);
  return [
    adviceElement(finding.problem, parent.copyId, identify),
    ...errorElements(finding, identify),
    ...members,
  ];
}

/** The advice for a failed account is no part of it: that row stands below the account. */
function belowMember(
  { deployment, requirements }: ElementOf<'member'>,
  identify: Identify,
): readonly TreeElement[] {
  const problems = requirements.flatMap(({ problem }) => problem ?? []);
  return [
    ...adviceElements(problems, deployment.id, identify),
    ...requirements.map((finding) => requirementElement(finding, identify)),
  ];
}

/** Returns the bound account, the other eligible accounts, and the connection methods. */
function belowRequirement(finding: RequirementFinding, identify: Identify): readonly TreeElement[] {
  const { boundId, bound } = finding;
  const rows: TreeElement[] = [];
  if (boundId !== undefined)
    rows.push(accountElement('bound', { accountId: boundId, account: bound }, identify));
  for (const eligible of finding.eligible()) {
    // The bound account is often eligible, too, and has a row already.
    if (eligible.accountId !== boundId) rows.push(accountElement('eligible', eligible, identify));
  }
  for (const connection of finding.connections()) {
    const methodId = connection.connection.connectionMethodId;
    const identified = identify(`connection:${encodePart(methodId)}`, methodId);
    rows.push({ ...identified, kind: 'connection', finding: connection });
  }
  return rows;
}

/**
 * Only the row of an account below its deployment has rows below it; a row below a requirement
 * would repeat them.
 */
function belowAccount(
  { finding, role }: ElementOf<'account'>,
  identify: Identify,
): readonly TreeElement[] {
  if (role !== 'connected' || !finding) return [];
  const { id, scopes = [], checkedAt } = finding.account;
  const rows: TreeElement[] = [...errorElements(finding, identify)];
  for (const scope of scopes) rows.push(scopeElement(scope, identify));
  if (checkedAt) rows.push({ ...identify('check', id), kind: 'check', finding });
  return rows;
}

function requirementElement(finding: RequirementFinding, identify: Identify): TreeElement {
  const { serviceId, binding } = finding.requirement;
  // The platform gives requirements no ID; within a deployment the binding distinguishes them
  // (readings.ts).
  return { ...identify(finding.key, binding || serviceId), kind: 'requirement', finding };
}

function connectedElement(finding: AccountFinding, identify: Identify): TreeElement {
  return accountElement('connected', { accountId: finding.account.id, account: finding }, identify);
}

function accountElement(
  role: ElementOf<'account'>['role'],
  { accountId, account, missing }: Partial<EligibleAccount>,
  identify: Identify,
): TreeElement {
  const name = `${role}:${account?.key ?? encodePart(accountId)}`;
  return { ...identify(name, accountId), kind: 'account', role, finding: account, missing };
}

/** From so many problems of one kind on, one row says what helps against all of them. */
const manyProblems = 4;

/**
 * Returns what helps against these problems, in their order. A joined row stands for all problems
 * of its kind.
 */
function adviceElements(
  problems: readonly Problem[],
  copyId: string | undefined,
  identify: Identify,
): readonly TreeElement[] {
  const problemsByKind = groupBy(problems, adviceKind);
  const rows: TreeElement[] = [];
  for (const problem of problems) {
    const advice = adviceKind(problem);
    const problemsOfKind = problemsByKind.get(advice) ?? [];
    if (problemsOfKind.length < manyProblems) {
      rows.push(adviceElement(problem, copyId, identify));
    } else if (problem === problemsOfKind[0]) {
      const identified = identify(`advice:${advice}`, copyId);
      rows.push({ ...identified, kind: 'joinedAdvice', advice, problems: problemsOfKind });
    }
  }
  return rows;
}

function adviceElement(
  problem: Problem,
  copyId: string | undefined,
  identify: Identify,
): TreeElement {
  return { ...identify(`advice:${problem.key}`, copyId), kind: 'advice', problem };
}

/** Returns a row for the error if it has a message. The account's own row shows the code alone. */
function errorElements(finding: AccountFinding, identify: Identify): readonly TreeElement[] {
  const { id, error } = finding.account;
  return error?.message ? [{ ...identify('error', id), kind: 'accountError', finding }] : [];
}

function scopeElement(scope: string, identify: Identify, finding?: ScopeFinding): TreeElement {
  return { ...identify(`scope:${encodePart(scope)}`, scope), kind: 'scope', scope, finding };
}

/**
 * Returns one part of a row's ID: percent-encoded, or a lone `%` for an absent value, so that
 * different values stay different.
 */
export function encodePart(value: string | undefined): string {
  if (value === undefined) return '%';
  // `encodeURIComponent` throws on half a surrogate pair, which settings and answers can contain
  // and JSON escapes.
  return encodeURIComponent(JSON.stringify(value).slice(1, -1));
}
