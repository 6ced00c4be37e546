import type { Account } from '../api/authorization.js';
import * as documented from '../api/authorization.js';
import { type Fields, unknownFields, type WithDecodeIssues } from '../api/decode.js';
import { type OwnerOf, ownedBy } from './entered/owners.js';
import { countDeployments, type Deployment, type LastAnswer } from './findings/deployment.js';
import type { Findings, Problem } from './findings/findings.js';
import {
  countedProblems,
  mutedProblems,
  nothingRemembered,
  type Remembered,
  stateOfFindings,
} from './findings/state.js';
import { shorten } from './inertText.js';
import { visibleControls } from './invisibleCharacters.js';

/** Why nothing new was read. `error`: our sentence. The others are texts of whoever answered. */
export interface FailedRead {
  readonly error: string;
  readonly redirectedTo?: string;
  readonly webPageTitle?: string;
  readonly realm?: string;
}

/** Returns the deployment whose newer answer says that an account works which has failed in this one. */
type FixSeenIn = (deploymentId: string, accountId: string | undefined) => string | undefined;

// Fields that are `undefined` are not in the result.

interface AuthorizationOptions {
  /** Why the answer is old: a later read failed. */
  readonly stale?: FailedRead;
  readonly ownerOf?: OwnerOf;
  readonly memory?: Remembered;
  readonly fixSeenIn?: FixSeenIn;
}

/** The fields that docs/service.md names, the others by name only. Every text of the platform is a value of its own, so that none can be taken for ours. */
export function authorizationResult(
  deploymentId: string,
  answer: LastAnswer,
  { stale, ownerOf, memory = nothingRemembered, fixSeenIn }: AuthorizationOptions = {},
): object {
  const { findings, asOf } = answer;
  // Most of a long list is left out, so each problem makes its fields only when it is written.
  const fieldsOf = (problem: Problem) => ({
    toJSON: () => problemFields(problem, findings, { deploymentId, ownerOf, memory, fixSeenIn }),
  });
  return {
    deploymentId,
    ...(stale && { stale: true, ...stale }),
    state: stale ? 'unknown' : stateOfFindings(findings, memory),
    readAt: timeText(asOf),
    ...clocks(answer),
    problems: countedProblems(findings, memory).map(fieldsOf),
    mutedProblems: unlessEmpty(mutedProblems(findings, memory).map(fieldsOf)),
    ...platformFields(answer),
  };
}

/** The same fields for what is pasted elsewhere, which says the rest in words. `isStale`: a later read failed. */
export function reportedFields(deploymentId: string, answer: LastAnswer, isStale: boolean): object {
  const stale = isStale && { stale: true, readAt: timeText(answer.asOf) };
  // `serviceSub` may identify a person at the service.
  return {
    deploymentId,
    ...stale,
    ...clocks(answer),
    ...platformFields(answer, { leavesOutServiceSub: true }),
  };
}

function platformFields(answer: LastAnswer, { leavesOutServiceSub = false } = {}): object {
  const { value, findings } = answer;
  return {
    requirements: findings.requirements.map(
      ({ requirement, missingScopes, isBoundAccountAbsent }) => ({
        ...known(requirement, documented.requirementFields),
        connections: requirement.connections?.map((connection) =>
          known(connection, documented.connectionFields),
        ),
        missingScopes: unlessEmpty(missingScopes),
        accountIdIsNotAmongTheAccounts: isBoundAccountAbsent || undefined,
      }),
    ),
    accounts: findings.accounts.map(({ account, state }) => ({
      ...known(account, documented.accountFields),
      state: state === 'unknown' ? state : undefined,
      serviceSub: leavesOutServiceSub ? undefined : account.serviceSub,
      error: errorFields(account),
    })),
    otherFields: unlessEmpty(unknownFields(value, documented.deploymentAuthorizationFields)),
    ...unreadable(answer),
  };
}

/** For `checkedAt`, which the platform says by its own clock. */
function clocks({ asOf, clockOffsetMs, hasUnusableDate }: LastAnswer): object {
  if (hasUnusableDate) return { clocksDiffer: true };
  return clockOffsetMs === 0 ? {} : { readAtByPlatformClock: timeText(asOf + clockOffsetMs) };
}

interface ProblemsOptions {
  /** Epoch ms. */
  readonly now: number;
  readonly ownerOf?: OwnerOf;
  readonly memory?: Remembered;
  readonly fixSeenIn?: FixSeenIn;
  /** What holds for all of them at present. */
  readonly failed?: FailedRead;
}

export function problemsResult(
  deployments: readonly Deployment[],
  options: ProblemsOptions,
): object {
  return {
    ...options.failed,
    deployments: countDeployments(deployments),
    problems: listed(deployments, countedProblems, options),
    mutedProblems: unlessEmpty(listed(deployments, mutedProblems, options)),
  };
}

/** Failed accounts first, else in the order of the deployments. Most of a long list is left out, so each makes its fields itself. */
function listed(
  deployments: readonly Deployment[],
  problemsIn: typeof countedProblems,
  options: ProblemsOptions,
) {
  const { memory = nothingRemembered } = options;
  const entries = deployments.flatMap((deployment) =>
    problemsIn(deployment.answer?.findings, memory).map((problem) => ({ deployment, problem })),
  );
  const kinds = ['failedAccount', 'unsatisfiedRequirement'] as const;
  const inOrder = kinds.flatMap((kind) => entries.filter(({ problem }) => problem.kind === kind));
  return inOrder.map(({ deployment, problem }) => ({
    toJSON: () => listedFields(deployment, problem, options),
  }));
}

function listedFields(
  { id, label, failedRead, answer }: Deployment,
  problem: Problem,
  options: ProblemsOptions,
) {
  const { now, ownerOf, memory = nothingRemembered, fixSeenIn } = options;
  return {
    deploymentId: id,
    label,
    ...(answer &&
      problemFields(problem, answer.findings, { deploymentId: id, ownerOf, memory, fixSeenIn })),
    seenSince: answer && timeText(memory.seenSince(problem) ?? answer.asOf),
    readAt: answer && timeText(answer.asOf),
    ageInSeconds: answer && Math.max(0, Math.round((now - answer.asOf) / 1000)),
    stale: failedRead && true,
  };
}

interface ProblemOptions {
  readonly deploymentId: string;
  readonly ownerOf: OwnerOf | undefined;
  readonly memory: Remembered;
  readonly fixSeenIn: FixSeenIn | undefined;
}

function problemFields(problem: Problem, findings: Findings, options: ProblemOptions) {
  const { deploymentId, ownerOf, memory } = options;
  const { kind } = problem;
  const mutedUntil = memory.mutedUntil(problem);
  const owner = ownerOf?.(ownedBy(problem, deploymentId));
  return {
    kind,
    ...whatIsWrong(problem, findings, options),
    owner,
    mutedUntil: mutedUntil && timeText(mutedUntil),
    // Then `mutedUntil` is only its latest end.
    mutedUntilItChanges: memory.isMutedUntilChange(problem) || undefined,
  };
}

function whatIsWrong(
  problem: Problem,
  findings: Findings,
  { deploymentId, fixSeenIn }: ProblemOptions,
): object {
  if (problem.kind === 'failedAccount') {
    const { finding, scopes } = problem;
    const worksIn = fixSeenIn?.(deploymentId, finding.account.id);
    const effects = findings
      .effectsOf(problem)
      .map(({ requirement: { binding, serviceId } }) => ({ binding, serviceId }));
    return {
      account: { ...called(finding.account), error: errorFields(finding.account) ?? undefined },
      steps: [worksIn === undefined ? 'reconnectAccount' : 'refreshDeployment'],
      worksIn,
      missingScopes: unlessEmpty(scopes),
      neededBy: unlessEmpty(effects),
    };
  }
  const { requirement, bound, isBoundAccountAbsent, missingScopes } = problem.finding;
  const advisable = problem.finding.advisable();
  const { binding, serviceId, accountId } = requirement;
  const steps = [
    ...(bound ? ['reconnectBoundAccount'] : []),
    ...(advisable.length > 0 ? ['useEligibleAccount'] : []),
  ];
  return {
    requirement: { binding, serviceId, accountId },
    boundAccount: bound && called(bound.account),
    accountIdIsNotAmongTheAccounts: isBoundAccountAbsent || undefined,
    steps: unlessEmpty(steps) ?? ['connectAccountInDashboard'],
    missingScopes: unlessEmpty(missingScopes),
    eligibleAccounts: unlessEmpty(
      advisable.map(({ accountId: id, account }) => called(account?.account ?? { id })),
    ),
  };
}

/** Only what an account is called, because every requirement may list every account. */
function called({ id, label, serviceId }: Account): object {
  return { id, label, serviceId };
}

function errorFields({ error }: Account): object | null | undefined {
  return error && known(error, documented.accountErrorFields);
}

function known(object: object, fields: Fields): object {
  const kept = Object.entries(object).filter(([name]) => Object.hasOwn(fields, name));
  return { ...Object.fromEntries(kept), otherFields: unlessEmpty(unknownFields(object, fields)) };
}

const maxPaths = 100;

/** Only the paths, never what stood there, and the count if there are more than are listed. */
function unreadable(leftOut: WithDecodeIssues): object {
  const count = leftOut.decodeIssues.length;
  const paths = leftOut.decodeIssues.slice(0, maxPaths).map(({ path }) => path);
  return {
    unreadableFields: unlessEmpty(paths),
    unreadableFieldCount: count > paths.length ? count : undefined,
  };
}

function unlessEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length > 0 ? list : undefined;
}

function timeText(at: number): string {
  return new Date(at).toISOString();
}

const maxResultChars = 40_000;

interface DataTextOptions {
  /** Most characters of the JSON. */
  readonly maxChars?: number;
  /** Most items of each list. */
  readonly maxItems?: number;
  /** Spaces by which each level is indented; 0 is compact JSON on one line. */
  readonly indent?: number;
  /** Applied to each text before it is cut. */
  readonly redact?: (text: string) => string;
}

const maxResultTextChars = 1000;

/**
 * JSON of at most `maxChars` characters. What is too long loses the ends of its lists, where the
 * healthy ones stand, and of its texts: half of both until the rest fits. At the end of a list
 * stands how many were left out.
 */
export function dataText(data: object, options: DataTextOptions = {}): string {
  const {
    maxChars = maxResultChars,
    maxItems = 200,
    indent = 0,
    redact = (text) => text,
  } = options;
  let items = maxItems;
  let textChars = maxResultTextChars;
  for (;;) {
    const text = excerpt(data, { maxChars, items, textChars, indent, redact });
    if (text.length <= maxChars || items === 1) return text;
    items = Math.max(1, Math.floor(items / 2));
    textChars = Math.max(50, Math.floor(textChars / 2));
  }
}

interface ExcerptOptions {
  readonly maxChars: number;
  readonly items: number;
  readonly textChars: number;
  readonly indent: number;
  readonly redact: (text: string) => string;
}

function excerpt(data: object, options: ExcerptOptions): string {
  const { maxChars, items, textChars, indent, redact } = options;
  let room = maxChars;
  const write = (_: string, part: unknown): unknown => {
    // As soon as it is too long, the rest is not looked at.
    if (room < 0) return null;
    const shown = typeof part === 'string' ? clean(redact(part), textChars) : part;
    room -= typeof shown === 'string' ? shown.length : 1;
    if (!Array.isArray(shown) || shown.length <= items) return shown;
    return [...shown.slice(0, items), { leftOut: shown.length - items }];
  };
  return JSON.stringify(data, write, indent);
}

export function sentenceText(sentence: string): string {
  return clean(sentence, maxResultChars);
}

/** The chat shows this, too, and JSON escapes few of the characters that can't be seen or that reorder others. */
function clean(text: string, characters: number): string {
  return shorten(visibleControls(text.slice(0, 2 * characters)), characters);
}
