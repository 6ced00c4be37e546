import type { Account, Requirement } from '../api/authorization.js';
import { type LeftOut, leftOutCount } from '../api/decode.js';
import type { IntegrationInstall } from '../api/install.js';
import { type ObjectKind, unknownFields } from '../api/unknownFields.js';
import type { LastAnswer } from './deployment.js';
import type { FailedAccount, Problem, UnsatisfiedRequirement } from './findings.js';
import { shorten, visibleControls } from './inertText.js';

/** Why what is given is older than the question: our sentence, and what the service had a part in. */
interface Stale {
  readonly sentence: string;
  readonly redirectedTo?: string;
}

/**
 * What a language model gets: the reference's fields, the others by name only, problems first. Every text of the service is a
 * value of its own, so that none can be taken for ours.
 */
export function authorizationResult(deploymentId: string, answer: LastAnswer, stale?: Stale): object {
  const { authorization, findings, receivedAt } = answer;
  return {
    deploymentId,
    // The sentence says why the last attempt failed; what follows it is older.
    ...(stale && { stale: stale.sentence }),
    ...(stale?.redirectedTo !== undefined && { redirectedTo: stale.redirectedTo }),
    state: findings.state,
    readAt: new Date(receivedAt).toISOString(),
    problems: findings.problems.map(problemFields),
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

export function installResult(install: IntegrationInstall, leftOut: LeftOut): object {
  return { ...known(install, 'integrationInstall'), ...unreadable(leftOut) };
}

function problemFields(problem: Problem): object {
  return problem.kind === 'failedAccount' ? failedFields(problem) : unsatisfiedFields(problem);
}

function failedFields({ kind, finding, scopes }: FailedAccount): object {
  return { kind, account: failing(finding.account), step: 'reconnectAccount', ...(scopes.length > 0 && { scopes }) };
}

function unsatisfiedFields({ kind, finding }: UnsatisfiedRequirement): object {
  const { requirement, bound, boundAbsent, missingScopes } = finding;
  const { binding, serviceId, accountId } = requirement;
  const eligible = finding.eligible.filter((entry) => entry.accountId !== accountId);
  const others = eligible.length > 0;
  return {
    kind,
    requirement: { binding, serviceId, accountId },
    ...(bound && { boundAccount: failing(bound.account) }),
    ...(boundAbsent && { accountIdIsNotAmongTheAccounts: true }),
    step: bound
      ? others
        ? 'reconnectBoundAccountOrUseEligibleAccount'
        : 'reconnectBoundAccount'
      : others
        ? 'useEligibleAccount'
        : 'connectAccountInDashboard',
    ...(missingScopes.length > 0 && { missingScopes }),
    ...(others && {
      eligibleAccounts: eligible.map((entry) =>
        entry.account ? named(entry.account.account) : { id: entry.accountId },
      ),
    }),
  };
}

/** Only what an account is called, because every requirement may list every account. */
function named({ id, label, serviceId }: Account): object {
  return { id, label, serviceId };
}

function failing(account: Account): object {
  return { ...named(account), ...(account.error && { error: known(account.error, 'accountError') }) };
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
  const others = new Set(unknownFields(object, kind).map((field) => field.name));
  return {
    ...Object.fromEntries(Object.entries(object).filter(([name]) => !others.has(name))),
    ...otherFields(object, kind),
  };
}

function otherFields(object: object, kind: ObjectKind): object {
  const names = unknownFields(object, kind).map((field) => field.name);
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

/** How much of each list and text the first attempt keeps, and how much the last. */
const most = { items: 200, characters: 1000 };
const least = { items: 1, characters: 50 };

/**
 * Compact JSON of at most 40,000 characters. What is too long loses the ends of its lists, where the healthy ones stand, and of its
 * texts: half of both until the rest fits. At the end of a list stands how many were left out.
 */
export function dataText(data: object): string {
  let { items, characters } = most;
  for (;;) {
    const text = new Excerpt(items, characters).textOf(data);
    if (text.length <= longest || items === least.items) return text;
    items = half(items, least.items);
    characters = half(characters, least.characters);
  }
}

/** A sentence of ours, which may hold a name that somebody chose. */
export function sentenceText(sentence: string): string {
  return clean(sentence, longest);
}

function half(size: number, smallest: number): number {
  return Math.max(smallest, Math.floor(size / 2));
}

/** One attempt at a short enough text. As soon as it is too long, the rest is not looked at. */
class Excerpt {
  private room = longest;

  constructor(
    private readonly items: number,
    private readonly characters: number,
  ) {}

  textOf(data: object): string {
    return JSON.stringify(this.of(data));
  }

  private of(part: unknown): unknown {
    if (this.room < 0) return null;
    if (typeof part === 'string') {
      const text = clean(part, this.characters);
      this.room -= text.length;
      return text;
    }
    if (Array.isArray(part)) {
      const kept = part.slice(0, this.items).map((one) => this.of(one));
      return part.length > this.items ? [...kept, { leftOut: part.length - this.items }] : kept;
    }
    if (part === undefined) return undefined;
    this.room -= 1;
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, this.of(value)]));
  }
}

/** People read this too, and JSON escapes few of the characters that can't be seen or that reorder others. */
function clean(text: string, characters: number): string {
  return shorten(visibleControls(text.slice(0, 2 * characters)), characters);
}

interface OpenQuestion<Q> {
  /** Every question that was asked about this input while others about it were still open, by what it is about. */
  readonly asked: Map<string, Q>;
  /** How many of them nobody has answered yet. */
  open: number;
}

/** The questions of so many inputs are kept, because some are never answered. */
const mostInputs = 100;

/**
 * What people were asked to agree to, by the input of the tool. VS Code doesn't tell which question an invocation answers, so if
 * several different ones are open for an input, nobody knows which one was agreed to.
 */
export class OpenQuestions<Q extends { readonly about: string }> {
  private readonly byInput = new Map<string, OpenQuestion<Q>>();

  add(input: unknown, question: Q): void {
    const key = keyOf(input);
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
    const entry = this.byInput.get(keyOf(input));
    if (entry === undefined) return undefined;
    entry.open = Math.max(0, entry.open - 1);
    const [question, another] = entry.asked.values();
    return another === undefined ? question : undefined;
  }
}

function keyOf(input: unknown): string {
  return JSON.stringify(input) ?? '';
}
