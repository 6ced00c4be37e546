import type { Account, Requirement } from '../api/authorization.js';
import { type LeftOut, leftOutCount } from '../api/decode.js';
import type { IntegrationInstall } from '../api/install.js';
import { type ObjectKind, unknownFields } from '../api/unknownFields.js';
import { countDeployments, type Deployment, type LastAnswer } from './deployment.js';
import { shorten, visibleControls } from './inertText.js';
import type { Findings, Problem } from './problems/findings.js';

/** Why nothing new was read: our sentence, and what the service had a part in. */
export interface FailedRead {
  readonly error: string;
  readonly redirectedTo?: string;
}

/**
 * What a language model gets: the reference's fields, the others by name only, problems first. Every text of the service is a
 * value of its own, so that none can be taken for ours.
 */
export function authorizationResult(deploymentId: string, answer: LastAnswer, stale?: FailedRead): object {
  const { authorization, findings, receivedAt } = answer;
  return {
    deploymentId,
    // What follows is older than the failure.
    ...(stale && { stale: true, ...stale }),
    state: findings.state,
    readAt: new Date(receivedAt).toISOString(),
    problems: findings.problems.map(problemFields),
    ...(findings.muted.length > 0 && { mutedProblems: findings.muted.map(problemFields) }),
    requirements: findings.requirements.map(({ requirement, missingScopes, boundAbsent }) => ({
      ...requirementFields(requirement),
      ...(missingScopes.length > 0 && { missingScopes }),
      ...(boundAbsent && { accountIdIsNotAmongTheAccounts: true }),
    })),
    accounts: findings.accounts.map(({ account }) => accountFields(account)),
    ...otherFields(authorization, 'deploymentAuthorization'),
    ...unreadable(answer),
  };
}

interface ProblemsOptions {
  /** Epoch ms. */
  readonly now: number;
  /** For IDs and labels, which come from settings and so may be anything. */
  readonly redact: (text: string) => string;
  /** What holds for all of them at present. */
  readonly error?: string;
}

/** The problems of the listed deployments as they were last read. */
export function problemsResult(deployments: readonly Deployment[], options: ProblemsOptions): object {
  const { error } = options;
  const muted = listed(deployments, (findings) => findings.muted, options);
  return {
    ...(error !== undefined && { error }),
    deployments: countDeployments(deployments),
    problems: listed(deployments, ({ problems }) => problems, options),
    ...(muted.length > 0 && { mutedProblems: muted }),
  };
}

const rank = { failedAccount: 0, unsatisfiedRequirement: 1 } as const;

/** Failed accounts first, else in the order of the deployments. */
function listed(
  deployments: readonly Deployment[],
  problemsOf: (findings: Findings) => readonly Problem[],
  { now, redact }: ProblemsOptions,
): readonly object[] {
  const entries = deployments.flatMap(({ id, label, failure, answer }) =>
    (answer ? problemsOf(answer.findings) : []).map((problem) => ({ id, label, failure, answer, problem })),
  );
  return entries
    .toSorted((a, b) => rank[a.problem.kind] - rank[b.problem.kind])
    .map(({ id, label, failure, answer, problem }) => ({
      deploymentId: redact(id),
      ...(label !== undefined && { label: redact(label) }),
      ...problemFields(problem),
      seenSince: new Date(problem.seenSince).toISOString(),
      ...(answer && age(answer, now)),
      ...(failure && { stale: true }),
    }));
}

function age({ receivedAt }: LastAnswer, now: number): object {
  const ageInSeconds = Math.max(0, Math.round((now - receivedAt) / 1000));
  return { readAt: new Date(receivedAt).toISOString(), ageInSeconds };
}

export function installResult(install: IntegrationInstall, leftOut: LeftOut): object {
  return { ...known(install, 'integrationInstall'), ...unreadable(leftOut) };
}

function problemFields(problem: Problem): object {
  const { mutedUntil } = problem;
  return {
    ...whatIsWrong(problem),
    ...(mutedUntil !== undefined && { mutedUntil: new Date(mutedUntil).toISOString() }),
  };
}

function whatIsWrong(problem: Problem): object {
  const { kind } = problem;
  if (problem.kind === 'failedAccount') {
    const { finding, scopes } = problem;
    return {
      kind,
      account: accountInProblem(finding.account),
      steps: ['reconnectAccount'],
      ...(scopes.length > 0 && { missingScopes: scopes }),
    };
  }
  const { requirement, bound, boundAbsent, missingScopes, eligible } = problem.finding;
  const { binding, serviceId, accountId } = requirement;
  const others = eligible.filter((entry) => entry.accountId !== accountId);
  const steps = [...(bound ? ['reconnectBoundAccount'] : []), ...(others.length > 0 ? ['useEligibleAccount'] : [])];
  return {
    kind,
    requirement: { binding, serviceId, accountId },
    ...(bound && { boundAccount: accountInProblem(bound.account) }),
    ...(boundAbsent && { accountIdIsNotAmongTheAccounts: true }),
    steps: steps.length > 0 ? steps : ['connectAccountInDashboard'],
    ...(missingScopes.length > 0 && { missingScopes }),
    ...(others.length > 0 && {
      eligibleAccounts: others.map(({ accountId: id, account }) => (account ? called(account.account) : { id })),
    }),
  };
}

/** Only what an account is called, because every requirement may list every account. */
function called({ id, label, serviceId }: Account): object {
  return { id, label, serviceId };
}

function accountInProblem(account: Account): object {
  return { ...called(account), ...(account.error && { error: known(account.error, 'accountError') }) };
}

function requirementFields(requirement: Requirement): object {
  const { connections } = requirement;
  return {
    ...known(requirement, 'requirement'),
    ...(connections && { connections: connections.map((connection) => known(connection, 'connection')) }),
  };
}

function accountFields(account: Account): object {
  return { ...known(account, 'account'), ...(account.error && { error: known(account.error, 'accountError') }) };
}

function known(object: object, kind: ObjectKind): object {
  const others = new Set(unknownFields(object, kind));
  return {
    ...Object.fromEntries(Object.entries(object).filter(([name]) => !others.has(name))),
    ...otherFields(object, kind),
  };
}

function otherFields(object: object, kind: ObjectKind): object {
  const names = unknownFields(object, kind);
  return names.length > 0 ? { otherFields: names } : {};
}

/** Only the paths, never what stood there, and the count if there are more than are listed. */
function unreadable(leftOut: LeftOut): object {
  const { decodeIssues } = leftOut;
  const count = leftOutCount(leftOut);
  if (count === 0) return {};
  return {
    unreadableFields: decodeIssues.map(({ path }) => path),
    ...(count > decodeIssues.length && { unreadableFieldCount: count }),
  };
}

/** Characters of a whole result. */
const longest = 40_000;

/**
 * Compact JSON of at most 40,000 characters. What is too long loses the ends of its lists, where the healthy ones stand, and of its
 * texts: half of both until the rest fits. At the end of a list stands how many were left out.
 */
export function dataText(data: object, mostItems = 200): string {
  let items = mostItems;
  let characters = 1000;
  for (;;) {
    const text = excerpt(data, items, characters);
    if (text.length <= longest || items === 1) return text;
    items = Math.floor(items / 2);
    characters = Math.max(50, Math.floor(characters / 2));
  }
}

function excerpt(data: object, items: number, characters: number): string {
  let room = longest;
  return JSON.stringify(data, (_, part: unknown) => {
    // As soon as it is too long, the rest is not looked at.
    if (room < 0) return null;
    const shown = typeof part === 'string' ? clean(part, characters) : part;
    room -= typeof shown === 'string' ? shown.length : 1;
    if (!Array.isArray(shown) || shown.length <= items) return shown;
    return [...shown.slice(0, items), { leftOut: shown.length - items }];
  });
}

/** A sentence of ours, which may hold a name that somebody chose. */
export function sentenceText(sentence: string): string {
  return clean(sentence, longest);
}

/** People read this too, and JSON escapes few of the characters that can't be seen or that reorder others. */
function clean(text: string, characters: number): string {
  return shorten(visibleControls(text.slice(0, 2 * characters)), characters);
}

/** The questions of so many inputs are kept, because some are never answered. */
const mostInputs = 100;

/**
 * What people were asked to agree to, by the input of the tool. VS Code doesn't tell which question an invocation answers, so if
 * several different ones are open for an input, nobody knows which one was agreed to.
 */
export class OpenQuestions<Q extends { readonly about: string }> {
  /** `asked`: all that were asked while others were open, by what they are about; `open`: how many nobody has answered yet. */
  private readonly byInput = new Map<string, { readonly asked: Map<string, Q>; open: number }>();

  add(input: unknown, question: Q): void {
    const key = JSON.stringify(input ?? null);
    const before = this.byInput.get(key);
    const entry = before !== undefined && before.open > 0 ? before : { asked: new Map<string, Q>(), open: 0 };
    entry.asked.set(question.about, question);
    entry.open += 1;
    this.byInput.delete(key);
    this.byInput.set(key, entry);
    const [oldest = key] = this.byInput.keys();
    if (this.byInput.size > mostInputs) this.byInput.delete(oldest);
  }

  /** The question that was agreed to; `undefined` if it could be one of several, or none. */
  take(input: unknown): Q | undefined {
    const entry = this.byInput.get(JSON.stringify(input ?? null));
    if (entry === undefined) return undefined;
    entry.open = Math.max(0, entry.open - 1);
    const [question, another] = entry.asked.values();
    return another === undefined ? question : undefined;
  }
}
