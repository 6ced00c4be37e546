import { l10n } from 'vscode';
import { redactedDeployment } from '../../model/deploymentNames.js';
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
import { type Mutes, nothingRemembered, type Remembered } from '../../model/findings/state.js';
import { codeSpan, inertProse, shorten } from '../../model/inertText.js';
import type { Impact, SharedAccount } from '../../model/problems/impact.js';
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
import { joinSentences, numberText, plural } from './format.js';
import { accountLabel, adviceText, scopesInFull, unknownAdviceText } from './problem.js';

/** GitHub accepts at most 65,536 characters in an issue. */
const maxReportChars = 65_000;
const maxTable = { lines: 120, chars: 30_000 };
const maxMuted = { lines: 40, chars: 8_000 };
const maxUnreadNames = 10;
const maxHealthyNames = 100;
const maxHeadingChars = 200;
const maxMessageChars = 200;
/** Enough for ten scopes. */
const maxStepChars = 4_000;
/** Kept free for what surrounds the fields of one deployment. */
const maxFrameChars = 1_000;

interface ReportOptions {
  /** Who else has an account, and what the newest answer says of it. */
  readonly impact?: Pick<Impact, 'newestReading' | 'sharedAccounts'>;
  readonly ownerOf?: OwnerOf;
  readonly memory?: Remembered;
  readonly hasDashboard?: boolean;
  /** Applied to each text before it is cut, so that no part of a secret is left, and before anything is counted. */
  readonly redact?: Redact;
}

/**
 * Returns the Markdown that users paste into an issue or a chat: one table by cause, the names of
 * the healthy deployments, and for one deployment also its fields as JSON. Text of the platform and
 * of settings stands in it as plain words or as code.
 */
export function deploymentsReport(
  listed: readonly Deployment[],
  options: ReportOptions = {},
): string {
  const { redact = unchanged, ownerOf, memory = nothingRemembered, hasDashboard = false } = options;
  const deployments = listed.map((one) => redactedDeployment(one, redact));
  const causes = new CauseRows({
    memory,
    advice: (problem) => adviceWithWholeScopes(problem, redact),
    unknownStep: unknownAdviceText(hasDashboard),
    ...(ownerOf && { ownerOf }),
  });
  const mutes = new CauseRows({ memory });
  for (const deployment of deployments) {
    causes.add(deployment);
    mutes.addMuted(deployment, (problem) => endOfMute(problem, memory));
  }
  const causeRows = causes.rows;
  const muteRows = mutes.rows;
  const shared = new SharedCauses(listed, [...causeRows, ...muteRows], options);
  const [first] = deployments;
  const only = deployments.length === 1 ? first : undefined;
  const title = only ? nameAndId(only) : summary(deployments);
  const lines = [
    `# ${[title, ...readTimes(deployments)].join(' · ')}`,
    ...markdownTable({
      columns: causeColumns(),
      rows: causeRows,
      limit: maxTable,
      lastColumnMarkdown: (text) => inertProse(text, maxStepChars),
      additionsOf: (row) => shared.beside(row),
      redact,
    }),
    ...markdownTable({
      columns: [l10n.t('What is muted'), l10n.t('Deployments'), l10n.t('Muted until')],
      rows: muteRows,
      limit: maxMuted,
      lastColumnMarkdown: unchanged,
      additionsOf: (row) => shared.besideMuted(row),
      redact,
    }),
    ...healthyNames(deployments),
    ...unreadNames(deployments),
  ];
  if (only) {
    const usedChars = lines.join('\n').length + maxFrameChars;
    lines.push(...foldedFields(only, maxReportChars - usedChars, redact));
  }
  lines.push(
    '',
    l10n.t('Left out: base URL, organization, and {field}.', { field: codeSpan('serviceSub') }),
  );
  return `${lines.join('\n')}\n`;
}

/** "2026-11-20 12:00 UTC", "it changes, or 2026-11-20 12:00 UTC" */
function endOfMute(problem: Problem, memory: Mutes): string {
  const time = utcTime(memory.mutedUntil(problem) ?? 0);
  return memory.isMutedUntilChange(problem)
    ? l10n.t({ message: 'it changes, or {time}', args: { time }, comment: 'Muted until' })
    : time;
}

/** Whoever grants the scopes has no row or hover that names them whole. */
function adviceWithWholeScopes(problem: Problem, redact: Redact): string {
  return adviceText(problem, (scopes) => scopesInFull(scopes.map(redact)));
}

/** What all listed deployments together say of the accounts that have failed in those of a report. */
class SharedCauses {
  private readonly reported: ReadonlySet<string>;
  private readonly accounts: ReadonlyMap<string, SharedAccount>;
  private readonly sharedNames: ReadonlySet<string>;
  private readonly impact: ReportOptions['impact'];
  private readonly redact: Redact;

  constructor(
    reported: readonly Deployment[],
    rows: readonly CauseRow[],
    { impact, redact = unchanged }: ReportOptions,
  ) {
    this.reported = new Set(reported.map(({ id }) => id));
    this.accounts =
      impact?.sharedAccounts(new Set(rows.flatMap((row) => accountIdOf(row) ?? []))) ?? new Map();
    const known = Array.from(this.accounts.values()).flatMap(({ uses }) =>
      uses.map(({ deployment }) => deployment),
    );
    this.sharedNames = sharedAccountNames([...reported, ...new Set(known)]);
    this.impact = impact;
    this.redact = redact;
  }

  beside(row: CauseRow): RowAdditions {
    const working = this.workingOf(row);
    if (working)
      return { ...this.besideMuted(row), outcome: this.worksText(working, row.deployments.size) };
    const problem = this.newestOf(row);
    return {
      ...this.besideMuted(row),
      ...(problem && { nextStep: adviceWithWholeScopes(problem, this.redact) }),
    };
  }

  besideMuted(row: CauseRow): RowAdditions {
    const problem = this.newestOf(row) ?? row.problem;
    const message = this.messageOf(problem);
    const others = this.workingOf(row) ? [] : this.othersOf(row);
    return {
      ...(problem && { descriptionParts: this.wordsOf(problem) }),
      ...(message !== undefined && { message }),
      others,
    };
  }

  /** The account's problem by the newest answer of all listed deployments. */
  private newestOf(row: CauseRow): Problem | undefined {
    return this.accounts.get(accountIdOf(row) ?? '')?.finding.problem;
  }

  /** Two accounts of one name have their IDs. */
  private wordsOf(problem: Problem): readonly string[] {
    const [word = '', ...others] = problemParts(problem);
    if (problem.kind !== 'failedAccount') return [word, ...others];
    const { account } = problem.finding;
    const isShared = account.id && this.sharedNames.has(accountName(account));
    return isShared ? [word, account.id, ...others] : [word, ...others];
  }

  /** The newest answer about the account, where it says that the account works. */
  private workingOf(row: CauseRow): AccountReading | undefined {
    const id = accountIdOf(row);
    const newest = id === undefined ? undefined : this.impact?.newestReading(id);
    return newest?.finding.problem === undefined ? newest : undefined;
  }

  /** What the platform says of the error beside its code. */
  private messageOf(problem: Problem | undefined): string | undefined {
    if (problem?.kind !== 'failedAccount') return undefined;
    const { code, message = '' } = problem.finding.account.error ?? {};
    const text = message.replaceAll(/\s+/gu, ' ').trim();
    return text === '' || text === code ? undefined : shorten(this.redact(text), maxMessageChars);
  }

  /** Those that are not in the report, and whose own answers say that the account failed. */
  private othersOf(row: CauseRow): readonly Deployment[] {
    const { uses = [] } = this.accounts.get(accountIdOf(row) ?? '') ?? {};
    return uses.flatMap(({ deployment, finding }) => {
      const isOther = finding.problem !== undefined && !this.reported.has(deployment.id);
      return isOther && !isUnreadable(deployment)
        ? redactedDeployment(deployment, this.redact)
        : [];
    });
  }

  /** "Finance Slack works in “Expense approvals” as of 2026-11-20 11:59 UTC. Refresh the deployment." */
  private worksText({ deployment, answer, finding }: AccountReading, count: number): string {
    const words = {
      account: inertProse(this.redact(accountLabel(finding.account))),
      deployments: markdownName(redactedDeployment(deployment, this.redact)),
      time: utcTime(answer.asOf),
    };
    return joinSentences(
      l10n.t('{account} works in {deployments} as of {time}.', words),
      plural(count, l10n.t('Refresh the deployment.'), l10n.t('Refresh the deployments.')),
    );
  }
}

function accountIdOf({ problem }: CauseRow): string | undefined {
  return problem?.kind === 'failedAccount' ? problem.finding.account.id : undefined;
}

/** "30 deployments: 7 failing, 2 unknown" */
function summary(deployments: readonly Deployment[]): string {
  const counts = countDeployments(deployments);
  const texts = { total: numberText(counts.total), counts: allCountsText(counts) };
  return plural(
    counts.total,
    l10n.t('{total} deployment: {counts}', texts),
    l10n.t('{total} deployments: {counts}', texts),
  );
}

/** "Read 2026-11-20 11:55 – 12:00 UTC" */
function readTimes(deployments: readonly Deployment[]): readonly string[] {
  // What has failed since is said with its own time.
  const read = deployments.flatMap(
    ({ answer, failedRead: failure }) => failure?.at ?? answer?.asOf ?? [],
  );
  if (read.length === 0) return [];
  const from = utcTime(Math.min(...read));
  const to = utcTime(Math.max(...read));
  const day = from.slice(0, 'YYYY-MM-DD '.length);
  const end = to.startsWith(day) ? to.slice(day.length) : to;
  const time = (from === to ? to : `${from.replace(' UTC', '')} – ${end}`).replace(' UTC', '');
  return [
    l10n.t({ message: 'Read {time} UTC', args: { time }, comment: 'It was read at this time' }),
  ];
}

/** "17 healthy: “Access review”, “Billing sync”" */
function healthyNames(deployments: readonly Deployment[]): readonly string[] {
  const healthy = deployments.filter(({ state }) => state === 'satisfied');
  return nameLine(
    l10n.t('{count} healthy', { count: numberText(healthy.length) }),
    healthy,
    maxHealthyNames,
  );
}

/** "2 not read yet: “Lead intake”, “Order alerts”" */
function unreadNames(deployments: readonly Deployment[]): readonly string[] {
  const unread = deployments.filter(({ state }) => state === 'notYetRead');
  return nameLine(
    l10n.t('{count} not read yet', { count: numberText(unread.length) }),
    unread,
    maxUnreadNames,
  );
}

function nameLine(
  count: string,
  deployments: readonly Deployment[],
  max: number,
): readonly string[] {
  return deployments.length > 0 ? ['', `${count}: ${markdownNames(deployments, max)}`] : [];
}

/** "`Billing sync` (`dep_7f3a91c2`)" */
function nameAndId({ id, label = id }: Deployment): string {
  const idSpan = codeSpan(id, maxHeadingChars);
  return label === id ? idSpan : `${codeSpan(label, maxHeadingChars)} (${idSpan})`;
}

/**
 * The platform's fields of the deployment, as a folded block of JSON; nothing if it was not read. No
 * line of JSON can end the block, since none begins with a backtick.
 */
function foldedFields(
  { id, answer, failedRead }: Deployment,
  maxChars: number,
  redact: Redact,
): readonly string[] {
  if (!answer) return [];
  const fields = reportedFields(id, answer, failedRead !== undefined);
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
