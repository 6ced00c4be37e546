import type { WithDecodeIssues } from '../../api/decode.js';
import type { Ignored } from '../entered/ignoredEntries.js';
import { type AdviceKind, adviceKind } from '../findings/advice.js';
import { type Deployment, isUnreadable } from '../findings/deployment.js';
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
import type { SharedAccount } from '../problems/impact.js';
import type { OrganizationCause } from '../store/store.js';

interface Base {
  /** Path from the root, by the keys of what rows are about. Stable across refreshes. */
  readonly id: string;
  readonly parent?: TreeElement;
  /** What Copy ID copies: the id of what the row is about, as the platform sent it; `undefined` if it sent none. */
  readonly copyId: string | undefined;
}

type OfView =
  /** A first row that concerns the whole view: an organization-wide cause, or the workspace's trust. */
  | {
      readonly kind: 'cause';
      readonly cause: OrganizationCause | { readonly kind: 'untrusted'; readonly ignored: Ignored };
    }
  /** What Hide Healthy hides. `isAll`: there is nothing else. */
  | { readonly kind: 'hidden'; readonly count: number; readonly isAll: boolean }
  /** A deployment's own row. VS Code keeps it over many readings, so the provider puts the newest one into it. */
  | { readonly kind: 'deployment'; deployment: Deployment }
  /** Grouped by account: an account; without one, the requirements that are bound to none of their deployment's. */
  | {
      readonly kind: 'group';
      readonly account: SharedAccount | undefined;
      readonly finding: AccountFinding | undefined;
      readonly state: State;
      /** All that commands on this row are about, and first the one that has the newest answer. */
      readonly deployments: readonly Deployment[];
      readonly requirements: readonly RequirementFinding[];
      /** How many of the requirements are not satisfied, and not muted. */
      readonly unsatisfied: number;
      /** Those that the filter shows. */
      readonly members: readonly TreeElement[];
    }
  /** Grouped by account: the deployments whose accounts are unknown now. */
  | { readonly kind: 'unseen'; readonly deployments: readonly Deployment[] };

type OfDeployment = { readonly deployment: Deployment } & (
  | /** A deployment below an account, and its requirements there. */
  { readonly kind: 'member'; readonly requirements: readonly RequirementFinding[] }
  | { readonly kind: 'failure'; readonly failed: NonNullable<Deployment['failedRead']> }
  | { readonly kind: 'advice'; readonly problem: Problem }
  /** One for many problems of one kind. */
  | {
      readonly kind: 'joinedAdvice';
      readonly advice: AdviceKind;
      readonly problems: readonly Problem[];
    }
  /** The requirements that need one of the failed accounts whose advice is joined. */
  | { readonly kind: 'effects'; readonly findings: readonly RequirementFinding[] }
  /**
   * What helps where the platform leaves something open. Without findings it is only a part that
   * could not be read.
   */
  | { readonly kind: 'unknown'; readonly findings: readonly Finding[] }
  | { readonly kind: 'unreadable'; readonly leftOut: WithDecodeIssues }
  | { readonly kind: 'satisfied'; readonly findings: readonly RequirementFinding[] }
  /** "3 accounts" that work. */
  | { readonly kind: 'accounts'; readonly findings: readonly AccountFinding[] }
  | { readonly kind: 'requirement'; readonly finding: RequirementFinding }
  | {
      readonly kind: 'account';
      readonly role: 'connected' | 'bound' | 'eligible';
      /** Absent if the id is not among the deployment's accounts. */
      readonly finding: AccountFinding | undefined;
      /** Of an eligible account: why it is not advised. */
      readonly missing: MissingScopes | undefined;
    }
  | { readonly kind: 'connection'; readonly finding: ConnectionFinding }
  /** A scope of a connection method (`finding`), or one that an account was granted (`scope` only). */
  | { readonly kind: 'scope'; readonly scope: string; readonly finding: ScopeFinding | undefined }
  | { readonly kind: 'accountError'; readonly finding: AccountFinding }
  | { readonly kind: 'check'; readonly finding: AccountFinding }
);

export type TreeElement = Base & (OfView | OfDeployment);

export type ElementOf<Kind extends TreeElement['kind']> = Extract<
  TreeElement,
  { readonly kind: Kind }
>;

/** The rows below another one. They are made whenever VS Code asks: it knows them by their ids. */
export function childrenOf(parent: TreeElement): readonly TreeElement[] {
  if (parent.kind === 'group') return belowGroup(parent);
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
 * Whether a row has others below it. Those of a deployment or a requirement are not made for that,
 * because there can be thousands.
 */
export function hasChildren(element: TreeElement): boolean {
  switch (element.kind) {
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
  const { answer } = deployment;
  if (isUnreadable(deployment)) return true;
  const { value, decodeIssues = [] } = answer ?? {};
  return Boolean(value?.accounts[0] ?? value?.requirements[0] ?? decodeIssues[0]);
}

export function deploymentElement(
  deployment: Deployment,
  parent?: TreeElement,
): ElementOf<'deployment'> {
  const id = `${parent ? `${parent.id}/` : ''}deployment:${encodePart(deployment.id)}`;
  return { kind: 'deployment', id, copyId: deployment.id, deployment, ...(parent && { parent }) };
}

/** `name` tells a row apart from its siblings; equal ones get an ordinal, because equal ids make VS Code throw. */
function identifyBelow(parent: TreeElement, deployment: Deployment) {
  const counts = new Map<string, number>();
  return (name: string, copyId: string | undefined) => {
    const nth = (counts.get(name) ?? 0) + 1;
    counts.set(name, nth);
    return { id: `${parent.id}/${name}${nth === 1 ? '' : `#${nth}`}`, parent, deployment, copyId };
  };
}

type Identify = ReturnType<typeof identifyBelow>;

/** What to do, what is wrong, and then, folded, what is not. */
function belowDeployment(deployment: Deployment, identify: Identify): readonly TreeElement[] {
  const { id, answer, failedRead } = deployment;
  const rows: TreeElement[] = [];
  if (failedRead && isUnreadable(deployment))
    rows.push({ ...identify('failure', id), kind: 'failure', failed: failedRead });
  if (!answer) return rows;
  const { problems, accounts, requirements, unknownFindings: unknown } = answer.findings;
  const satisfied = requirements.filter(({ state }) => state === 'satisfied');
  const working = accounts.filter(({ state }) => state === 'works');
  const advice = adviceElements(problems, id, identify);
  const isJoined = advice.some(
    (row) => row.kind === 'joinedAdvice' && row.advice === 'reconnectFailed',
  );
  const isFolded = ({ isEffect }: RequirementFinding): boolean => isJoined && isEffect;
  const effects = requirements.filter(isFolded);
  rows.push(...advice);
  if (deployment.state === 'unknown' && !isUnreadable(deployment)) {
    rows.push({ ...identify('unknown', id), kind: 'unknown', findings: unknown });
  }
  for (const finding of accounts)
    if (finding.problem) rows.push(connectedElement(finding, identify));
  if (effects.length > 0)
    rows.push({ ...identify('effects', id), kind: 'effects', findings: effects });
  for (const finding of requirements) {
    if (finding.state !== 'satisfied' && !isFolded(finding))
      rows.push(requirementElement(finding, identify));
  }
  for (const finding of accounts)
    if (finding.state === 'unknown') rows.push(connectedElement(finding, identify));
  if (answer.decodeIssues.length > 0) {
    rows.push({ ...identify('unreadable', id), kind: 'unreadable', leftOut: answer });
  }
  if (satisfied.length > 0)
    rows.push({ ...identify('satisfied', id), kind: 'satisfied', findings: satisfied });
  if (working.length > 0)
    rows.push({ ...identify('accounts', id), kind: 'accounts', findings: working });
  return rows;
}

function belowGroup(parent: ElementOf<'group'>): readonly TreeElement[] {
  const { account, members } = parent;
  const { problem } = account?.finding ?? {};
  if (!account || !problem) return members;
  const identify = identifyBelow(parent, account.newest.deployment);
  return [
    adviceElement(problem, parent.copyId, identify),
    ...errorElements(account.finding, identify),
    ...members,
  ];
}

/** What helps against its failed account stands below the account. */
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

function belowRequirement(finding: RequirementFinding, identify: Identify): readonly TreeElement[] {
  const { boundId, bound } = finding;
  // The bound account is often eligible as well; one row of it is enough.
  const eligible = finding.eligible().filter(({ accountId }) => accountId !== boundId);
  return [
    ...(boundId === undefined
      ? []
      : [accountElement('bound', { accountId: boundId, account: bound }, identify)]),
    ...eligible.map((account) => accountElement('eligible', account, identify)),
    ...finding.connections().map((connection): TreeElement => {
      const id = connection.connection.connectionMethodId;
      return {
        ...identify(`connection:${encodePart(id)}`, id),
        kind: 'connection',
        finding: connection,
      };
    }),
  ];
}

/** Only a connected account's own row opens. Below a requirement its row only points to that one. */
function belowAccount(
  { finding, role }: ElementOf<'account'>,
  identify: Identify,
): readonly TreeElement[] {
  if (role !== 'connected' || !finding) return [];
  const { id, scopes = [], checkedAt } = finding.account;
  const rows = [
    ...errorElements(finding, identify),
    ...scopes.map((scope) => scopeElement(scope, identify)),
  ];
  return checkedAt ? [...rows, { ...identify('check', id), kind: 'check', finding }] : rows;
}

function requirementElement(finding: RequirementFinding, identify: Identify): TreeElement {
  const { serviceId, binding } = finding.requirement;
  // The platform gives requirements no id; within a deployment the binding tells them apart (readings.ts).
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
  const at = identify(`${role}:${account?.key ?? encodePart(accountId)}`, accountId);
  return { ...at, kind: 'account', role, finding: account, missing };
}

/** From so many problems of one kind on, one row says what helps against all of them. */
const manyProblems = 4;

/** A joined one stands where the first of its problems would. */
function adviceElements(
  problems: readonly Problem[],
  copyId: string | undefined,
  identify: Identify,
): readonly TreeElement[] {
  const byKind = groupBy(problems, adviceKind);
  return problems.flatMap((problem): TreeElement | [] => {
    const advice = adviceKind(problem);
    const alike = byKind.get(advice) ?? [];
    if (alike.length < manyProblems) return adviceElement(problem, copyId, identify);
    if (problem !== alike[0]) return [];
    return {
      ...identify(`advice:${advice}`, copyId),
      kind: 'joinedAdvice',
      advice,
      problems: alike,
    };
  });
}

function adviceElement(
  problem: Problem,
  copyId: string | undefined,
  identify: Identify,
): TreeElement {
  return { ...identify(`advice:${problem.key}`, copyId), kind: 'advice', problem };
}

/** The account's own row says the code. */
function errorElements(finding: AccountFinding, identify: Identify): readonly TreeElement[] {
  const { id, error } = finding.account;
  return error?.message ? [{ ...identify('error', id), kind: 'accountError', finding }] : [];
}

function scopeElement(scope: string, identify: Identify, finding?: ScopeFinding): TreeElement {
  return { ...identify(`scope:${encodePart(scope)}`, scope), kind: 'scope', scope, finding };
}

/** One part of a row's id: percent-encoded, or a lone `%` for an absent value, so that different values stay different. */
export function encodePart(value: string | undefined): string {
  // `encodeURIComponent` throws on half a surrogate pair, which settings and answers can hold and JSON escapes.
  return value === undefined ? '%' : encodeURIComponent(JSON.stringify(value).slice(1, -1));
}
