import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import {
  type DeploymentAuthorization,
  decodeDeploymentAuthorization,
} from '../../../src/api/authorization.js';
import { DecodeIssues } from '../../../src/api/decode.js';
import type { Failure } from '../../../src/api/failure.js';
import type { ClockSkew } from '../../../src/api/httpTimes.js';
import type { Organization } from '../../../src/host/organizations/organization.js';
import { setRemoteWindow } from '../../../src/host/text/format.js';
import { Emitter } from '../../../src/model/base/emitter.js';
import {
  type Deployment,
  type LastAnswer,
  withFindings,
} from '../../../src/model/findings/deployment.js';
import { type Remembered, stateOfFindings } from '../../../src/model/findings/state.js';
import { Impact } from '../../../src/model/problems/impact.js';
import { MutesForEveryone } from '../../../src/model/problems/mutes.js';
import type { Store, StoreChange } from '../../../src/model/store/store.js';
import type { TreeSource } from '../../../src/views/tree/provider.js';
import { answerOf } from '../answers.js';
import { account, requirement } from '../platform/data.js';
import { answersOf } from './accountAnswers.js';
import { myGroupsIn } from './myGroups.js';

/** Noon, so that no test crosses a midnight in any zone by a few minutes. */
export const now = Date.UTC(2026, 10, 20, 12, 0, 0);
export const minutes = (count: number): number => count * 60_000;

/** For the tests of a `describe`: times have their zone, and rows say ages. Other tests are as in a local window. */
export function inRemoteWindow(): void {
  // After the graph of a test is made, which is as in a local window.
  beforeEach(() => setRemoteWindow(true));
  afterEach(() => setRemoteWindow(false));
}

export const organization: Organization = {
  id: 'o1',
  name: 'Acme production',
  baseUrl: 'https://api.acme.example/api/v1',
  source: 'keyring',
  hasSessionToken: false,
};

export interface DeploymentFacts
  extends Partial<
    Pick<Deployment, 'id' | 'label' | 'activity'> & Pick<LastAnswer, 'decodeIssues'> & ClockSkew
  > {
  readonly authorization?: DeploymentAuthorization;
  /** Minutes since its request was sent. */
  readonly age?: number;
  /** Minutes that its answer lay in a cache before. */
  readonly cachedFor?: number;
  readonly failure?: Failure;
  readonly memory?: Remembered;
}

/** No problem is muted, and each has been seen for longer than any answer is old. */
export const seenBefore: Remembered = {
  muteOf: () => undefined,
  hasChangedSinceMuted: () => false,
  seenSince: () => now - minutes(90),
  notifies: () => false,
};

export function deployment(facts: DeploymentFacts): Deployment {
  const {
    id = 'dep_1',
    label,
    activity = 'idle',
    failure,
    authorization: value,
    age = 0,
    decodeIssues = [],
  } = facts;
  const { memory = seenBefore, cachedFor = 0, clockOffsetMs = 0, hasUnusableDate = false } = facts;
  const sentAt = now - minutes(age);
  const times = { sentAt, asOf: sentAt - minutes(cachedFor), clockOffsetMs, hasUnusableDate };
  const answer =
    value &&
    withFindings(answerOf(value, { decodeIssues, sequence: sentAt, ...times }), id, memory);
  const read = answer ? stateOfFindings(answer.findings, memory) : 'notYetRead';
  const state = failure ? 'unknown' : read;
  const known = {
    ...(answer && { answer }),
    ...(failure && { failedRead: { failure, at: now - minutes(1) } }),
  };
  return {
    id,
    name: label ?? id,
    activity,
    state,
    ...(label !== undefined && { label }),
    ...known,
  };
}

export const billing: DeploymentAuthorization = {
  accounts: [
    account({
      id: 'acc_2',
      label: 'Finance Slack',
      serviceSub: 'T02',
      scopes: ['chat:write'],
      checkedAt: new Date(now - minutes(180)).toISOString(),
      error: { code: 'token_revoked', message: 'The workspace admin removed the app.' },
    }),
    { id: 'acc_1', label: 'Ops Slack', serviceId: 'slack', serviceSub: 'T01' },
  ],
  requirements: [
    requirement({
      accountId: 'acc_2',
      satisfied: false,
      eligibleAccountIds: ['acc_2', 'acc_1', 'acc_9'],
    }),
    { serviceId: 'stripe', binding: 'ledger', satisfied: true },
    { serviceId: 'google-sheets' },
  ],
};

/** With a problem of its own beside the failed account: a requirement whose bound account is sound and lacks a scope. */
export const twoProblems: DeploymentAuthorization = {
  accounts: [
    ...billing.accounts,
    {
      id: 'acc_3',
      label: 'Team Slack',
      serviceId: 'slack',
      connectionMethodId: 'slack-oauth',
      scopes: ['chat:write'],
    },
  ],
  requirements: [
    ...billing.requirements,
    requirement({
      accountId: 'acc_3',
      binding: 'digest',
      satisfied: false,
      eligibleAccountIds: ['acc_3', 'acc_1', 'acc_9'],
    }),
  ],
};

export const satisfied: DeploymentAuthorization = {
  accounts: [],
  requirements: [{ satisfied: true }, { satisfied: true }],
};

/** An answer as the platform sent it, of which not all can be read. */
export function sent(accounts: unknown, requirements: unknown = []) {
  const issues = new DecodeIssues();
  const authorization = decodeDeploymentAuthorization({ accounts, requirements }, issues)!;
  return { authorization, decodeIssues: issues.list };
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

export type Situation = Writable<TreeSource> & {
  readonly impact: Impact;
  readonly store: Writable<TreeSource['store'] & Pick<Store, 'accountAnswers' | 'onDidChange'>>;
};

export function sourceOf(...listed: readonly Deployment[]): Situation {
  const changed = new Emitter<StoreChange>();
  let deployments = listed;
  let accountAnswers = answersOf(listed);
  const store: Situation['store'] = {
    get accountAnswers() {
      return accountAnswers;
    },
    get deployments() {
      return deployments;
    },
    set deployments(others) {
      deployments = others;
      accountAnswers = answersOf(others);
      store.orderVersion += 1;
      changed.fire('all');
    },
    onDidChange: changed.event,
    orderVersion: 0,
    cause: undefined,
    progress: undefined,
    get: (id) => deployments.find((one) => one.id === id),
  };
  return {
    store,
    impact: new Impact(store),
    memory: seenBefore,
    muteEntries: { current: new MutesForEveryone([]), scopesOf: () => [] },
    changesWhileAway: { isNew: () => false },
    owners: { ownerOf: () => undefined },
    grouping: { by: 'deployment' },
    myGroups: myGroupsIn(() => deployments),
    organizations: { current: organization, list: [organization] },
    ignoredSettings: { current: {}, isRead: true },
    filter: { isOn: false },
    settings: { dashboardUrl: '' },
  };
}

export function below<T>(
  provider: { getChildren(element?: T): readonly T[] },
  element?: T,
): readonly T[] {
  return provider.getChildren(element).flatMap((child) => [child, ...below(provider, child)]);
}

export function look(item: vscode.TreeItem) {
  const icon = item.iconPath instanceof vscode.ThemeIcon ? item.iconPath : undefined;
  return {
    icon: [icon?.id, icon?.color?.id].filter(Boolean).join(' '),
    text: [item.label, item.description].filter((part) => typeof part === 'string').join(' | '),
    spoken: item.accessibilityInformation?.label ?? '',
    decorated: item.resourceUri?.path,
  };
}

/** What a person reads in a hover, line by line: without our links and colors. */
export function linesOf(hover: vscode.MarkdownString): string[] {
  return readIn(hover)
    .replaceAll(/\*\*\[([^\]]*)\]\(command:[^)]*\)\*\*/g, '$1')
    .replaceAll(/<span [^>]*>|<\/span>/g, '')
    .split('  \n');
}

export function readIn(hover: unknown): string {
  assert.ok(hover instanceof vscode.MarkdownString);
  return hover.value
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll('\u00A0', ' ');
}
