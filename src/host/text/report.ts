import { l10n } from 'vscode';
import { redactedDeployment } from '../../model/deploymentNames.js';
import type { MuteEntry } from '../../model/entered/muteEntries.js';
import type { OwnerOf } from '../../model/entered/owners.js';
import { sharedAccountNames } from '../../model/findings/accountNames.js';
import type { AccountReading } from '../../model/findings/accountReadings.js';
import {
  countDeployments,
  type Deployment,
  isUnreadable,
} from '../../model/findings/deployment.js';
import type { Problem } from '../../model/findings/findings.js';
import { accountName } from '../../model/findings/readings.js';
import { nothingRemembered, type Remembered } from '../../model/findings/state.js';
import type { GroupName } from '../../model/groups.js';
import { codeSpan, inertProse, shorten } from '../../model/inertText.js';
import type { Impact, SharedAccount } from '../../model/problems/impact.js';
import type { EntryState } from '../../model/problems/mutes.js';
import { dataText, reportedFields } from '../../model/toolResult.js';
import {
  type CauseRow,
  CauseRows,
  causeColumns,
  markdownName,
  markdownNames,
  markdownTable,
  problemParts,
  type Redact,
  type RowAdditions,
  unchanged,
  utcTime,
} from './causeTable.js';
import { allCountsText } from './deployment.js';
import {
  firstWithMore,
  joinSentences,
  joinWithDots,
  listText,
  numberText,
  plural,
} from './format.js';
import { groupText } from './groups.js';
import { accountLabel, adviceText, scopesInFull, unknownAdviceText } from './problem.js';
import { endOfMute, idleMuteLines, MuteRows } from './reportedMutes.js';

/** GitHub accepts at most 65,536 characters in an issue. */
const maxReportChars = 65_000;
/** Of the table of causes. */
const maxTable = { lines: 120, chars: 30_000 };
/** Of the table of muted problems. */
const maxMuted = { lines: 40, chars: 8_000 };
const maxUnreadNames = 10;
const maxGroupNames = 5;
const maxHealthyNames = 100;
/** Of a label or an ID in the title. */
const maxHeadingChars = 200;
const maxMessageChars = 200;
/** Of a next step: enough for ten scopes. */
const maxStepChars = 4_000;
/** Kept free for the lines around the fields of one deployment, and the last line. */
const maxFrameChars = 1_000;

interface ReportOptions {
  /** Knows which deployments have an account, and what the newest answer says about it. */
  readonly impact?: Pick<Impact, 'newestReading' | 'sharedAccounts'>;
  readonly ownerOf?: OwnerOf;
  /** Knows which problems are muted; by default none is. */
  readonly memory?: Remembered;
  /** The groups that the report is limited to; `undefined` if it is not. */
  readonly groups?: readonly GroupName[] | undefined;
  /** What becomes of each entry of `mutes`; given only for a report on all deployments. */
  readonly muteStates?: ReadonlyMap<MuteEntry, EntryState>;
  /** Whether the platform has a dashboard where the user can look. */
  readonly hasDashboard?: boolean;
  /**
   * Applied before texts are cut to the bounds of the report, and before their characters are
   * counted. Names may already be shortened with an ellipsis, so it also has to find a part of a
   * secret beside one.
   */
  readonly redact?: Redact;
}

/**
 * Returns the Markdown that users paste into an issue or a chat: a table of causes, one of muted
 * problems, the names of the deployments that are healthy or not read yet, and for one deployment
 * also its fields as JSON. Text of the platform and of settings stands in it as plain words or as
 * code.
 */
export function deploymentsReport(
  reported: readonly Deployment[],
  options: ReportOptions = {},
): string {
  const { redact = unchanged, muteStates = new Map(), groups } = options;
  const deployments = reported.map((deployment) => redactedDeployment(deployment, redact));
  const [first] = deployments;
  const onlyDeployment = deployments.length === 1 ? first : undefined;

  const title = onlyDeployment ? nameAndId(onlyDeployment) : countsTitle(deployments);
  const lines = [
    `# ${joinWithDots(groupNames(groups, redact), title, readTimes(deployments))}`,
    ...tables(reported, deployments, options),
    ...idleMuteLines(muteStates, reported, redact),
    ...healthyNames(deployments),
    ...unreadNames(deployments),
  ];
  if (onlyDeployment) {
    const usedChars = lines.join('\n').length + maxFrameChars;
    lines.push(...foldedFields(onlyDeployment, maxReportChars - usedChars, redact));
  }
  const field = codeSpan('serviceSub');
  lines.push('', l10n.t('Left out: base URL, organization, and {field}.', { field }));
  return `${lines.join('\n')}\n`;
}

/**
 * Returns the lines of two tables: what is wrong, and what is muted. `deployments`: the reported
 * ones, redacted.
 */
function tables(
  reported: readonly Deployment[],
  deployments: readonly Deployment[],
  options: ReportOptions,
): readonly string[] {
  const { redact = unchanged, ownerOf, memory = nothingRemembered, hasDashboard = false } = options;
  const causes = new CauseRows({
    memory,
    advice: (problem) => adviceWithWholeScopes(problem, redact),
    unknownStep: unknownAdviceText(hasDashboard),
    ownerOf,
  });
  const mutes = new MuteRows({ memory });
  const endOf = (problem: Problem): string => endOfMute(problem, memory, redact);
  for (const deployment of deployments) {
    causes.add(deployment);
    mutes.addMuted(deployment, endOf);
  }
  const causeRows = causes.rows;
  const muteRows = mutes.rows;

  const accounts = new FailedAccounts(reported, [...causeRows, ...muteRows], options);
  const causeTable = markdownTable({
    columns: causeColumns(),
    rows: causeRows,
    limit: maxTable,
    nextStepMarkdown: (text) => inertProse(text, maxStepChars),
    additionsOf: (row) => accounts.additionsToCause(row),
    redact,
  });
  const muteTable = markdownTable({
    columns: [l10n.t('What is muted'), l10n.t('Deployments'), l10n.t('Muted until')],
    rows: muteRows,
    limit: maxMuted,
    nextStepMarkdown: unchanged,
    additionsOf: (row) => accounts.additionsToMute(row, endOf),
    redact,
  });
  return [...causeTable, ...muteTable];
}

/**
 * "Reconnect Finance Slack (slack) with the scope channels:read." No scope is cut at 80 characters,
 * because readers of a report have no row or hover that shows it whole.
 */
function adviceWithWholeScopes(problem: Problem, redact: Redact): string {
  return adviceText(problem, (scopes) => scopesInFull(scopes.map(redact)));
}

/**
 * What all listed deployments together say about the accounts that have failed in the reported
 * ones. A report asks it what to add to its rows. Without `impact`, it knows nothing of other
 * deployments.
 */
class FailedAccounts {
  private readonly reportedIds: ReadonlySet<string>;
  /** The failed accounts of the rows, by account ID. */
  private readonly accounts: ReadonlyMap<string, SharedAccount>;
  /** Names that several accounts have. */
  private readonly sharedNames: ReadonlySet<string>;
  private readonly impact: ReportOptions['impact'];
  private readonly redact: Redact;

  constructor(
    reported: readonly Deployment[],
    rows: readonly CauseRow[],
    { impact, redact = unchanged }: ReportOptions,
  ) {
    this.reportedIds = new Set(reported.map(({ id }) => id));
    const accountIds = new Set(rows.flatMap((row) => accountIdOf(row) ?? []));
    this.accounts = impact?.sharedAccounts(accountIds) ?? new Map();
    const holders = new Set<Deployment>();
    for (const { uses } of this.accounts.values()) {
      for (const { deployment } of uses) holders.add(deployment);
    }
    this.sharedNames = sharedAccountNames([...reported, ...holders]);
    this.impact = impact;
    this.redact = redact;
  }

  /**
   * Adds where the account works by now, else the step that the newest answer about it asks for.
   */
  additionsToCause(row: CauseRow): RowAdditions {
    const newestProblem = this.newestProblem(row);
    const additions = this.additionsTo(row, newestProblem ?? row.problem);
    const working = this.workingReading(row);
    if (working) return { ...additions, outcome: this.worksText(working, row.deployments.size) };
    if (!newestProblem) return additions;
    return { ...additions, nextStep: adviceWithWholeScopes(newestProblem, this.redact) };
  }

  /** Adds the platform's message, and in which other deployments the same is muted in this way. */
  additionsToMute(row: CauseRow, endOf: (problem: Problem) => string): RowAdditions {
    const { problem, nextStep } = row;
    const isMutedAlike = (other: Problem): boolean =>
      other.sign === problem?.sign && endOf(other) === nextStep;
    return this.additionsTo(row, problem, isMutedAlike);
  }

  /**
   * Adds what the platform says of this problem, and the other deployments in which the account has
   * a problem that belongs to the row.
   */
  private additionsTo(
    row: CauseRow,
    problem: Problem | undefined,
    belongs: (other: Problem) => boolean = () => true,
  ): RowAdditions {
    return {
      descriptionParts: problem && this.descriptionOf(problem),
      message: this.messageOf(problem),
      others: this.workingReading(row) ? [] : this.othersOf(row, belongs),
    };
  }

  /**
   * The account's problem by the newest answer of all listed deployments; `undefined` if it has
   * none.
   */
  private newestProblem(row: CauseRow): Problem | undefined {
    return this.sharedAccount(row)?.finding.problem;
  }

  private sharedAccount(row: CauseRow): SharedAccount | undefined {
    return this.accounts.get(accountIdOf(row) ?? '');
  }

  /**
   * ["Finance Slack failed", "token_revoked"]; with the ID second if several accounts have the
   * name.
   */
  private descriptionOf(problem: Problem): readonly string[] {
    const parts = problemParts(problem);
    if (problem.kind !== 'failedAccount') return parts;
    const { account } = problem.finding;
    const isNameShared = this.sharedNames.has(accountName(account));
    if (!account.id || !isNameShared) return parts;
    const [word = '', ...others] = parts;
    return [word, account.id, ...others];
  }

  /** The newest answer about the account if it says that the account works. */
  private workingReading(row: CauseRow): AccountReading | undefined {
    const id = accountIdOf(row);
    if (id === undefined) return undefined;
    const newest = this.impact?.newestReading(id);
    const hasFailed = newest?.finding.problem !== undefined;
    return hasFailed ? undefined : newest;
  }

  /**
   * "The workspace admin removed the app."; `undefined` if the platform says no more than the code.
   */
  private messageOf(problem: Problem | undefined): string | undefined {
    if (problem?.kind !== 'failedAccount') return undefined;
    const { error } = problem.finding.account;
    const message = (error?.message ?? '').replaceAll(/\s+/gu, ' ').trim();
    if (message === '' || message === error?.code) return undefined;
    return shorten(this.redact(message), maxMessageChars);
  }

  /** Deployments that are not reported, and whose own answers say that the account failed. */
  private othersOf(row: CauseRow, belongs: (problem: Problem) => boolean): readonly Deployment[] {
    const others: Deployment[] = [];
    for (const { deployment, finding } of this.sharedAccount(row)?.uses ?? []) {
      const { problem } = finding;
      const hasFailed = problem !== undefined && !isUnreadable(deployment);
      if (!hasFailed || this.reportedIds.has(deployment.id) || !belongs(problem)) continue;
      others.push(redactedDeployment(deployment, this.redact));
    }
    return others;
  }

  /**
   * "Finance Slack works in “Expense approvals” as of 2026-11-20 11:59 UTC. Refresh the
   * deployment." `count`: the deployments to refresh.
   */
  private worksText({ deployment, answer, finding }: AccountReading, count: number): string {
    const values = {
      account: inertProse(this.redact(accountLabel(finding.account))),
      deployments: markdownName(redactedDeployment(deployment, this.redact)),
      time: utcTime(answer.asOf),
    };
    return joinSentences(
      l10n.t('{account} works in {deployments} as of {time}.', values),
      plural(count, l10n.t('Refresh the deployment.'), l10n.t('Refresh the deployments.')),
    );
  }
}

/** `undefined` for a row that is about no account, or about one without an ID. */
function accountIdOf({ problem }: CauseRow): string | undefined {
  return problem?.kind === 'failedAccount' ? problem.finding.account.id : undefined;
}

/** "payments, ops, 3 more", as Markdown; `undefined` if the report is not limited to groups. */
function groupNames(groups: readonly GroupName[] | undefined, redact: Redact): string | undefined {
  if (groups === undefined) return undefined;
  const names = firstWithMore(groups, maxGroupNames, (group) =>
    inertProse(redact(groupText(group))),
  );
  return listText(names);
}

/** "30 deployments: 7 failing, 2 unknown" */
function countsTitle(deployments: readonly Deployment[]): string {
  const counts = countDeployments(deployments);
  const values = { total: numberText(counts.total), counts: allCountsText(counts) };
  return plural(
    counts.total,
    l10n.t('{total} deployment: {counts}', values),
    l10n.t('{total} deployments: {counts}', values),
  );
}

/** "Read 2026-11-20 11:55 – 12:00 UTC"; `undefined` if no deployment was read. */
function readTimes(deployments: readonly Deployment[]): string | undefined {
  const times: number[] = [];
  for (const { answer, failedRead } of deployments) {
    // A failed read is newer than the answer.
    const time = failedRead?.at ?? answer?.asOf;
    if (time !== undefined) times.push(time);
  }
  if (times.length === 0) return undefined;

  const from = withoutZone(utcTime(Math.min(...times)));
  const to = withoutZone(utcTime(Math.max(...times)));
  const dayOfFrom = from.slice(0, 'YYYY-MM-DD '.length);
  const end = to.startsWith(dayOfFrom) ? to.slice(dayOfFrom.length) : to;
  const time = from === to ? to : `${from} – ${end}`;
  return l10n.t({
    message: 'Read {time} UTC',
    args: { time },
    comment: 'It was read at this time',
  });
}

/** "2026-11-20 12:00" of "2026-11-20 12:00 UTC" */
function withoutZone(time: string): string {
  return time.replace(' UTC', '');
}

/** "17 healthy: “Access review”, “Billing sync”"; no lines if none is. */
function healthyNames(deployments: readonly Deployment[]): readonly string[] {
  const healthy = deployments.filter(({ state }) => state === 'satisfied');
  const count = l10n.t('{count} healthy', { count: numberText(healthy.length) });
  return namesBelowEmptyLine(count, healthy, maxHealthyNames);
}

/** "2 not read yet: “Lead intake”, “Order alerts”"; no lines if all are read. */
function unreadNames(deployments: readonly Deployment[]): readonly string[] {
  const unread = deployments.filter(({ state }) => state === 'notYetRead');
  const count = l10n.t('{count} not read yet', { count: numberText(unread.length) });
  return namesBelowEmptyLine(count, unread, maxUnreadNames);
}

/** ["", "2 healthy: “Access review”, “Billing sync”"]; empty without deployments. */
function namesBelowEmptyLine(
  countText: string,
  deployments: readonly Deployment[],
  max: number,
): readonly string[] {
  if (deployments.length === 0) return [];
  return ['', `${countText}: ${markdownNames(deployments, max)}`];
}

/** "`Billing sync` (`dep_7f3a91c2`)", without a label of its own "`dep_7f3a91c2`" */
function nameAndId({ id, label }: Deployment): string {
  const idSpan = codeSpan(id, maxHeadingChars);
  if (label === undefined || label === id) return idSpan;
  return `${codeSpan(label, maxHeadingChars)} (${idSpan})`;
}

/**
 * The platform's fields of the deployment, as a folded block of JSON; no lines if it was not read.
 * No line of JSON can end the block, because none begins with a backtick.
 */
function foldedFields(
  { id, answer, failedRead }: Deployment,
  maxChars: number,
  redact: Redact,
): readonly string[] {
  if (!answer) return [];
  const hasFailedSince = failedRead !== undefined;
  const fields = reportedFields(id, answer, hasFailedSince);
  const json = dataText(fields, { maxChars, redact, indent: 2 });
  return [
    '',
    '<details>',
    `<summary>${l10n.t('Fields')}</summary>`,
    '',
    '```json',
    json,
    '```',
    '',
    '</details>',
  ];
}
