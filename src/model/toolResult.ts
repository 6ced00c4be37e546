import type { Account } from '../api/authorization.js';
import * as documented from '../api/authorization.js';
import { type Fields, unknownFields, type WithDecodeIssues } from '../api/decode.js';
import type { Failure } from '../api/failure.js';
import { type OwnerOf, ownedBy } from './entered/owners.js';
import { countDeployments, type Deployment, type LastAnswer } from './findings/deployment.js';
import type { Finding, Findings, Problem, RequirementFinding } from './findings/findings.js';
import {
  mutedProblems,
  nothingRemembered,
  type Remembered,
  stateOfFindings,
  unmutedProblems,
} from './findings/state.js';
import { shorten } from './inertText.js';
import { visibleControls } from './invisibleCharacters.js';

/**
 * Why nothing new was read. `error` is a sentence of ours; the other texts are those of whatever
 * answered.
 */
export interface FailureFields {
  readonly error: string;
  readonly redirectedTo?: string;
  readonly webPageTitle?: string;
  readonly realm?: string;
  /** What the platform's answer says. */
  readonly response?: string;
}

/**
 * For an account that has failed in a deployment, returns the ID of another deployment whose newer
 * answer says that the account works; `undefined` if there is none.
 */
type FixSeenIn = (deploymentId: string, accountId: string | undefined) => string | undefined;

// The results are written as JSON, which leaves out the fields that are `undefined`.

interface AuthorizationOptions {
  /** Present if the answer is old, because a later read failed. */
  readonly stale?: FailureFields;
  readonly ownerOf?: OwnerOf;
  readonly memory?: Remembered;
  readonly fixSeenIn?: FixSeenIn;
}

/**
 * Returns the fields that docs/service.md names, and only the names of others. Each text of the
 * platform is a value of its own, so that none can be taken for ours.
 */
export function authorizationResult(
  deploymentId: string,
  answer: LastAnswer,
  { stale, ownerOf, memory = nothingRemembered, fixSeenIn }: AuthorizationOptions = {},
): object {
  const { findings, asOf } = answer;
  // `dataText` leaves out most of a long list, so each problem makes its fields only when it is
  // written.
  const toFields = (problem: Problem): object => ({
    toJSON: () => problemFields(problem, findings, { deploymentId, ownerOf, memory, fixSeenIn }),
  });
  const staleFields = stale ? { stale: true, ...stale } : {};
  return {
    deploymentId,
    ...staleFields,
    state: stale ? 'unknown' : stateOfFindings(findings, memory),
    readAt: timeText(asOf),
    ...clockFields(answer),
    problems: unmutedProblems(findings, memory).map(toFields),
    mutedProblems: unlessEmpty(mutedProblems(findings, memory).map(toFields)),
    ...platformFields(answer),
  };
}

/**
 * Returns the platform's fields for a report whose text says what is wrong. `isStale`: whether a
 * later read failed.
 */
export function reportedFields(deploymentId: string, answer: LastAnswer, isStale: boolean): object {
  const staleFields = isStale ? { stale: true, readAt: timeText(answer.asOf) } : {};
  return {
    deploymentId,
    ...staleFields,
    ...clockFields(answer),
    // `serviceSub` may identify a person at the service.
    ...platformFields(answer, { leavesOutServiceSub: true }),
  };
}

function platformFields(answer: LastAnswer, { leavesOutServiceSub = false } = {}): object {
  const { accounts, requirements } = answer.findings;
  return {
    requirements: requirements.map(requirementFields),
    accounts: accounts.map(({ account, state }) => ({
      ...documentedFields(account, documented.accountFields),
      // That an account works or has failed is clear from its `error`.
      state: state === 'unknown' ? state : undefined,
      serviceSub: leavesOutServiceSub ? undefined : account.serviceSub,
      error: errorFields(account),
    })),
    otherFields: unlessEmpty(unknownFields(answer.value, documented.deploymentAuthorizationFields)),
    ...unreadableFields(answer),
  };
}

function requirementFields(finding: RequirementFinding): object {
  const { requirement, missingScopes, isBoundAccountAbsent } = finding;
  return {
    ...documentedFields(requirement, documented.requirementFields),
    connections: requirement.connections?.map((connection) =>
      documentedFields(connection, documented.connectionFields),
    ),
    missingScopes: unlessEmpty(missingScopes),
    accountIdIsNotAmongTheAccounts: isBoundAccountAbsent || undefined,
  };
}

/**
 * Returns what is needed to compare `checkedAt`, a time by the platform's clock, with `readAt`, a
 * time by this machine's clock. `hasUnusableDate`: the clocks are more than a day apart, or the
 * answer had several times.
 */
function clockFields({ asOf, clockOffsetMs, hasUnusableDate }: LastAnswer): object {
  if (hasUnusableDate) return { clocksDiffer: true };
  return clockOffsetMs === 0 ? {} : { readAtByPlatformClock: timeText(asOf + clockOffsetMs) };
}

interface ProblemsOptions {
  /** Epoch ms. */
  readonly now: number;
  readonly ownerOf?: OwnerOf;
  readonly memory?: Remembered;
  readonly fixSeenIn?: FixSeenIn;
  /** Present if none of the deployments can be read at present. */
  readonly failed?: FailureFields;
  /** Says why a deployment could not be read. */
  readonly failureFieldsOf: (failure: Failure) => FailureFields;
}

/** Returns the counts and the problems of these deployments, and what is unknown of them. */
export function problemsResult(
  deployments: readonly Deployment[],
  options: ProblemsOptions,
): object {
  return {
    ...options.failed,
    deployments: countDeployments(deployments),
    problems: problemList(deployments, unmutedProblems, options),
    mutedProblems: unlessEmpty(problemList(deployments, mutedProblems, options)),
    unknownDeployments: unlessEmpty(unknownDeploymentList(deployments, options)),
  };
}

/**
 * Returns the deployments that could not be read, or not wholly. One of them counts as failing if
 * it has a problem, too: its `state` says so.
 */
function unknownDeploymentList(
  deployments: readonly Deployment[],
  { failureFieldsOf }: ProblemsOptions,
): readonly object[] {
  const unknown = deployments.filter(
    ({ failedRead, answer }) => failedRead || answer?.findings.isIncomplete === true,
  );
  // Like a problem, each makes its fields only when it is written.
  return unknown.map((deployment) => ({
    toJSON: () => unknownDeploymentFields(deployment, failureFieldsOf),
  }));
}

/** `failure` is present if the last read failed, the other reasons if it did not. */
function unknownDeploymentFields(
  { id, label, group, state, failedRead, answer }: Deployment,
  failureFieldsOf: ProblemsOptions['failureFieldsOf'],
): object {
  const ids = { deploymentId: id, label, group, state };
  if (failedRead) {
    const { failure } = failedRead;
    const status = 'status' in failure ? failure.status : undefined;
    return { ...ids, failure: { kind: failure.kind, status, ...failureFieldsOf(failure) } };
  }
  if (!answer) return ids;
  const unknownFindings = answer.findings.unknownFindings.map(unknownFindingFields);
  return { ...ids, unknown: unlessEmpty(unknownFindings), ...unreadableFields(answer) };
}

/** Returns the name of an account or requirement whose state is unknown. */
function unknownFindingFields(finding: Finding): object {
  if ('account' in finding) return { account: namesOf(finding.account) };
  const { binding, serviceId, accountId } = finding.requirement;
  return { requirement: { binding, serviceId, accountId } };
}

/** Returns failed accounts, then unsatisfied requirements, both in the order of the deployments. */
function problemList(
  deployments: readonly Deployment[],
  problemsIn: typeof unmutedProblems | typeof mutedProblems,
  options: ProblemsOptions,
): readonly object[] {
  const { memory = nothingRemembered } = options;
  const found = deployments.flatMap((deployment) => {
    const problems = problemsIn(deployment.answer?.findings, memory);
    return problems.map((problem) => ({ deployment, problem }));
  });
  const failed = found.filter(({ problem }) => problem.kind === 'failedAccount');
  const unsatisfied = found.filter(({ problem }) => problem.kind === 'unsatisfiedRequirement');
  // `dataText` leaves out most of a long list, so each problem makes its fields only when it is
  // written.
  return [...failed, ...unsatisfied].map(({ deployment, problem }) => ({
    toJSON: () => listedProblemFields(deployment, problem, options),
  }));
}

/** Returns the fields of a problem in a list of several deployments. */
function listedProblemFields(
  { id, label, group, failedRead, answer }: Deployment,
  problem: Problem,
  options: ProblemsOptions,
): object {
  const { now, ownerOf, memory = nothingRemembered, fixSeenIn } = options;
  const ids = { deploymentId: id, label, group };
  const stale = failedRead && true;
  if (answer === undefined) return { ...ids, stale };
  const { asOf, findings } = answer;
  return {
    ...ids,
    ...problemFields(problem, findings, { deploymentId: id, ownerOf, memory, fixSeenIn }),
    seenSince: timeText(memory.seenSince(problem) ?? asOf),
    readAt: timeText(asOf),
    ageInSeconds: Math.max(0, Math.round((now - asOf) / 1000)),
    stale,
  };
}

interface ProblemOptions {
  readonly deploymentId: string;
  readonly ownerOf: OwnerOf | undefined;
  readonly memory: Remembered;
  readonly fixSeenIn: FixSeenIn | undefined;
}

/** `findings`: those of the answer that has the problem. */
function problemFields(problem: Problem, findings: Findings, options: ProblemOptions): object {
  const { deploymentId, ownerOf, memory } = options;
  const mute = memory.muteOf(problem);
  const owner = ownerOf?.(ownedBy(problem, deploymentId));
  const details =
    problem.kind === 'failedAccount'
      ? failedAccountFields(problem, findings, options)
      : unsatisfiedRequirementFields(problem.finding);
  return {
    kind: problem.kind,
    ...details,
    owner,
    mutedUntil: mute && timeText(mute.until),
    // Present if it is muted for everyone.
    reason: mute?.forEveryone?.reason,
    // `mutedUntil` is then only the latest end of the mute.
    mutedUntilItChanges: mute?.isUntilChange || undefined,
  };
}

/**
 * `missingScopes`: those that the requirements need and the account lacks. `neededBy`: the
 * requirements that are not satisfied because of the account.
 */
function failedAccountFields(
  problem: Extract<Problem, { kind: 'failedAccount' }>,
  findings: Findings,
  { deploymentId, fixSeenIn }: ProblemOptions,
): object {
  const { account } = problem.finding;
  const worksIn = fixSeenIn?.(deploymentId, account.id);
  const neededBy = findings.effectsOf(problem).map(({ requirement: { binding, serviceId } }) => ({
    binding,
    serviceId,
  }));
  return {
    account: { ...namesOf(account), error: errorFields(account) ?? undefined },
    steps: [worksIn === undefined ? 'reconnectAccount' : 'refreshDeployment'],
    worksIn,
    missingScopes: unlessEmpty(problem.scopes),
    neededBy: unlessEmpty(neededBy),
  };
}

function unsatisfiedRequirementFields(finding: RequirementFinding): object {
  const { requirement, bound, isBoundAccountAbsent, missingScopes } = finding;
  const { binding, serviceId, accountId } = requirement;
  const advisable = finding.advisable();
  const eligibleAccounts = advisable.map((eligible) =>
    namesOf(eligible.account?.account ?? { id: eligible.accountId }),
  );
  const steps: string[] = [];
  if (bound) steps.push('reconnectBoundAccount');
  if (advisable.length > 0) steps.push('useEligibleAccount');
  if (steps.length === 0) steps.push('connectAccountInDashboard');
  return {
    requirement: { binding, serviceId, accountId },
    boundAccount: bound && namesOf(bound.account),
    accountIdIsNotAmongTheAccounts: isBoundAccountAbsent || undefined,
    steps,
    missingScopes: unlessEmpty(missingScopes),
    eligibleAccounts: unlessEmpty(eligibleAccounts),
  };
}

/** Returns only what an account is called, because every requirement may list every account. */
function namesOf({ id, label, serviceId }: Account): object {
  return { id, label, serviceId };
}

/** `null` if the platform sent that; `undefined` if it sent no error. */
function errorFields({ error }: Account): object | null | undefined {
  return error && documentedFields(error, documented.accountErrorFields);
}

/** Returns the fields with these names, and in `otherFields` the names of the others. */
function documentedFields(object: object, fields: Fields): object {
  const kept = Object.entries(object).filter(([name]) => Object.hasOwn(fields, name));
  return { ...Object.fromEntries(kept), otherFields: unlessEmpty(unknownFields(object, fields)) };
}

const maxPaths = 100;

/**
 * Returns where the answer could not be read: only the paths, never the values, and the total if
 * there are more than are listed.
 */
function unreadableFields({ decodeIssues }: WithDecodeIssues): object {
  const paths = decodeIssues.slice(0, maxPaths).map(({ path }) => path);
  const isCut = decodeIssues.length > paths.length;
  return {
    unreadableFields: unlessEmpty(paths),
    unreadableFieldCount: isCut ? decodeIssues.length : undefined,
  };
}

function unlessEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length > 0 ? list : undefined;
}

/** `at`: epoch ms. "2026-03-01T12:00:00.000Z" */
function timeText(at: number): string {
  return new Date(at).toISOString();
}

const maxResultChars = 40_000;

interface DataTextOptions {
  /** The most characters that the JSON has. */
  readonly maxChars?: number;
  /** The most items that each list has. */
  readonly maxItems?: number;
  /** The number of spaces by which each level is indented; 0 for compact JSON on one line. */
  readonly indent?: number;
  /** Applied to each text before it is cut. */
  readonly redact?: (text: string) => string;
}

const maxResultTextChars = 1000;
const minResultTextChars = 50;

/**
 * Returns JSON of at most `maxChars` characters, unless even one item of each list is too long.
 * Data that is too long loses the ends of its lists, where healthy things stand, and of its texts:
 * half of both until the remainder fits. Each list that is cut ends with the number of items that
 * were left out: `{ "leftOut": 12 }`.
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
  let text = cutJson(data, { maxChars, maxItems: items, maxTextChars: textChars, indent, redact });
  while (text.length > maxChars && items !== 1) {
    items = Math.max(1, Math.floor(items / 2));
    textChars = Math.max(minResultTextChars, Math.floor(textChars / 2));
    text = cutJson(data, { maxChars, maxItems: items, maxTextChars: textChars, indent, redact });
  }
  return text;
}

interface CutOptions extends Required<DataTextOptions> {
  readonly maxTextChars: number;
}

/**
 * Returns JSON with lists and texts cut to these lengths, which may be longer than `maxChars` even
 * so.
 */
function cutJson(data: object, options: CutOptions): string {
  const { maxChars, maxItems, maxTextChars, indent, redact } = options;
  let charsLeft = maxChars;
  const replacer = (_: string, part: unknown): unknown => {
    // Once the JSON is too long, the rest is `null`, which costs no time: it is used only if lists
    // cannot be cut further.
    if (charsLeft < 0) return null;
    const shown = typeof part === 'string' ? cleanText(redact(part), maxTextChars) : part;
    charsLeft -= typeof shown === 'string' ? shown.length : 1;
    if (!Array.isArray(shown) || shown.length <= maxItems) return shown;
    return [...shown.slice(0, maxItems), { leftOut: shown.length - maxItems }];
  };
  return JSON.stringify(data, replacer, indent);
}

/** Returns a sentence of ours as a tool's result. */
export function sentenceText(sentence: string): string {
  return cleanText(sentence, maxResultChars);
}

/**
 * Shortens a text and makes its control characters visible: the chat shows results to the user,
 * too, and JSON escapes few of the characters that cannot be seen or that reorder others.
 */
function cleanText(text: string, maxChars: number): string {
  return shorten(visibleControls(text.slice(0, 2 * maxChars)), maxChars);
}
