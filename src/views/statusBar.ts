import * as vscode from 'vscode';
import { internalCommandIds, productName as product, viewIds } from '../host/ids.js';
import type { NoOrganization, Organization } from '../host/organizations/organization.js';
import type { Organizations } from '../host/organizations/organizations.js';
import type { Services } from '../host/services.js';
import { BriefCauses } from '../host/text/briefCauses.js';
import {
  asOfTime,
  causeAsOf,
  causeName,
  causeWithVerdict,
  causeWords,
  pausedUntilText,
  verdictWithTime,
} from '../host/text/cause.js';
import type { CauseRow } from '../host/text/causeTable.js';
import {
  allCountsWithTime,
  failingOrAllCounts,
  notHealthyCounts,
  shortestVerdictsWithIgnoredList,
  verdictsLongestFirst,
  verdictsWithIgnoredList,
} from '../host/text/deployment.js';
import {
  capitalized,
  firstWithMore,
  joinForScreenReader,
  joinWithDots,
  listText,
  numberText,
  plural,
} from '../host/text/format.js';
import { ignoredText } from '../host/text/ignored.js';
import { organizationName } from '../host/text/organization.js';
import { moreProblemsText } from '../host/text/problem.js';
import type { Clock } from '../model/base/time.js';
import { shortName } from '../model/deploymentNames.js';
import type { Ignored } from '../model/entered/ignoredEntries.js';
import { type Counts, isFailing } from '../model/findings/deployment.js';
import type { Mutes } from '../model/findings/state.js';
import { inertLabel, inertMarkdown, inertPlain } from '../model/inertText.js';
import type { Store } from '../model/store/store.js';
import { boldTitle, bulletList, commandLink, escaped, markdown } from './markdown.js';

export function registerStatusBar(
  services: Services,
  { now }: Pick<Clock, 'now'>,
): vscode.Disposable {
  const { store, organizations, deploymentList, ignoredSettings, memory, settings, verdictAge } =
    services;
  const item = vscode.window.createStatusBarItem('summary', vscode.StatusBarAlignment.Left, 40);
  item.name = product;
  item.command = `${viewIds.deployments}.focus`;
  const update = () => {
    const listsNothing = store.counts.total === 0 && deploymentList.listed.length === 0;
    const isShown = settings.statusBarEnabled && !listsNothing;
    const { asOf } = verdictAge;
    const summary = isShown ? statusSummary(organizations, store, asOf, now()) : undefined;
    if (!summary) return item.hide();
    const { current } = organizations;
    item.text = `$(${summary.icon}) ${inertLabel(summary.text)}`;
    item.tooltip = current
      ? statusHover(current, store, memory, { asOf, ignored: ignoredSettings.current })
      : summary.text;
    const words = summary.spoken ?? summary.text;
    item.accessibilityInformation = {
      label: inertPlain(spokenText(words, store.counts, summary.spokenAsOf)),
    };
    item.show();
  };
  update();
  const sources = [store, organizations, deploymentList, ignoredSettings, settings, verdictAge];
  return vscode.Disposable.from(...sources.map((one) => one.onDidChange(update)), item);
}

/** A screen reader says the product and how all deployments stand: it does not come to the hover. */
export function spokenText(words: string, counts: Counts, asOf?: string): string {
  const named = words.includes(product)
    ? words
    : vscode.l10n.t('{product}: {text}', { product, text: words });
  if (counts.total === 0) return named;
  const { worst, text: stands } = worstOfListed(counts);
  const others = notHealthyCounts({ ...counts, [worst]: 0 });
  return joinForScreenReader(named, stands === words ? undefined : stands, ...others, asOf);
}

const maxChars = 40;

interface StatusSummary {
  readonly icon: string;
  /** At most 40 characters, and a predicate: the status bar shows other extensions' items too. */
  readonly text: string;
  /** What a screen reader says before the counts, if it is not the text. */
  readonly spoken?: string;
  /** "as of 9:51 PM": what it says after the counts. */
  readonly spokenAsOf?: string;
}

/** `asOf`: as of when the counts were true, where that is not now. Epoch ms, as is `now`. */
export function statusSummary(
  organizations: Pick<Organizations, 'current' | 'missing'>,
  store: VerdictFacts & Pick<Store, 'cause'>,
  asOf?: number,
  now = Date.now(),
): StatusSummary | undefined {
  const { counts, progress, cause } = store;
  const { current, missing } = organizations;
  if (!current) return missing && summariesWithout()[missing];
  if (counts.total === 0) return undefined;
  const isReading = progress !== undefined;
  const stands = statusVerdict(store, asOf, now);
  const icon = isReading ? 'sync~spin' : stands.icon;
  if (cause?.kind === 'paused' && isReading) {
    // All that is left to read waits for the end of the pause.
    const text = causeWithVerdict(cause, verdictsLongestFirst(counts));
    return { ...stands, icon: 'debug-pause', text, spoken: pausedUntilText(cause.until) };
  }
  if (cause?.kind !== 'failure') return { ...stands, icon };
  return {
    icon: isReading ? icon : 'circle-slash',
    text: causeWithVerdict(cause, verdictsLongestFirst(counts)),
    spoken: joinWithDots(causeName(cause, now), causeAsOf(cause, now)),
  };
}

type VerdictFacts = Pick<Store, 'counts' | 'progress' | 'deployments'>;

function statusVerdict(
  { counts, progress, deployments }: VerdictFacts,
  asOf?: number,
  now?: number,
): StatusSummary {
  if (progress && failingOrAllCounts(counts, true) === undefined) {
    const values = { done: numberText(progress.done), total: numberText(progress.total) };
    return { icon: 'sync', text: vscode.l10n.t('Reading deployments: {done} of {total}', values) };
  }
  const { worst, icon: usual, text } = worstOfListed(counts);
  const icon = worst === 'failing' && deployments[0]?.state === 'failed' ? 'error' : usual;
  if (asOf === undefined) return { icon, text };
  const verdicts = counts.isListIgnored
    ? [text, ...verdictsWithIgnoredList(counts)]
    : [text, ...verdictsLongestFirst(counts)];
  return {
    icon,
    text: verdictWithTime(verdicts, asOf, now),
    spoken: text,
    spokenAsOf: asOfTime(asOf, now),
  };
}

function summariesWithout(): Partial<Readonly<Record<NoOrganization, StatusSummary>>> {
  return {
    notSignedIn: { icon: 'sign-in', text: vscode.l10n.t('{product}: not signed in', { product }) },
    chooseOne: {
      icon: 'organization',
      text: vscode.l10n.t('{product}: no organization', { product }),
    },
    chosenGone: { icon: 'sign-in', text: vscode.l10n.t('{product}: signed out', { product }) },
    waiting: { icon: 'lock', text: vscode.l10n.t('{product}: keyring waiting', { product }) },
    unreadable: { icon: 'lock', text: vscode.l10n.t('{product}: keyring unreadable', { product }) },
  };
}

interface WorstSummary extends StatusSummary {
  readonly worst: Exclude<keyof Counts, 'total' | 'isListIgnored' | 'isListUnread'>;
}

/** The worst that is true of some; what is true of the others stands in the hover. */
function worstOf({ total, failing, unknown, notYetRead, muted }: Counts): WorstSummary {
  if (failing > 0) {
    const count = numberText(failing);
    const words = plural(
      failing,
      vscode.l10n.t('{count} deployment failing', { count }),
      vscode.l10n.t('{count} deployments failing', { count }),
    );
    return { worst: 'failing', icon: 'warning', text: words };
  }
  if (unknown > 0) {
    const count = numberText(unknown);
    const words = plural(
      unknown,
      vscode.l10n.t('{count} deployment unknown', { count }),
      vscode.l10n.t('{count} deployments unknown', { count }),
    );
    return { worst: 'unknown', icon: 'question', text: words };
  }
  if (notYetRead > 0) {
    const words =
      notYetRead === total
        ? vscode.l10n.t('Deployments not read yet')
        : vscode.l10n.t('Not all deployments read yet');
    return { worst: 'notYetRead', icon: 'circle-large-outline', text: words };
  }
  if (muted > 0) {
    const words = vscode.l10n.t('No deployments failing, {count} muted', {
      count: numberText(muted),
    });
    return { worst: 'muted', icon: 'circle-slash', text: words };
  }
  return { worst: 'healthy', icon: 'pass', text: vscode.l10n.t('Deployments healthy') };
}

/** "1 healthy, workspace list ignored". That nothing is wrong is never said by an icon while a list was not looked at. */
function worstOfListed(counts: Counts): WorstSummary {
  const worst = worstOf(counts);
  const { isListIgnored, isListUnread } = counts;
  const isGood = worst.worst === 'healthy' || worst.worst === 'muted';
  const icon = isGood && (isListIgnored || isListUnread) ? 'workspace-untrusted' : worst.icon;
  if (!isListIgnored) return { ...worst, icon };
  const verdicts = shortestVerdictsWithIgnoredList(counts);
  return {
    ...worst,
    icon,
    text: capitalized(verdicts.find(({ length }) => length <= maxChars) ?? verdicts[1]),
  };
}

const maxCauses = 6;
const maxReasons = 3;
const maxLinks = 3;
const maxLinkChars = 60;

interface HoverFacts {
  /** Epoch ms: as of when the counts were true, where that is not now. */
  readonly asOf?: number | undefined;
  /** What an untrusted workspace sets. */
  readonly ignored?: Ignored;
}

/**
 * Each cause once with its deployments, worst first: "Finance Slack failed · Billing sync, Expense
 * approvals".
 */
export function statusHover(
  organization: Organization,
  { deployments, counts, cause }: Pick<Store, 'deployments' | 'counts' | 'cause'>,
  memory: Mutes,
  { asOf, ignored = {} }: HoverFacts = {},
): vscode.MarkdownString {
  const causes = new BriefCauses(memory);
  for (const deployment of deployments) {
    if (isFailing(deployment) || deployment.state === 'unknown') causes.add(deployment);
  }
  const hover = markdown(
    boldTitle(organizationName(organization), allCountsWithTime(counts, asOf)),
    cause && escaped(causeWords(cause, organization).sentence),
    counts.isListIgnored && escaped(ignoredText(ignored)),
    bulletList([...problemItems(causes), ...unknownItem(causes, counts)]),
  );
  // Only our own links can run this command: text of the platform is inert, so it can't make a link.
  hover.isTrusted = { enabledCommands: [internalCommandIds.revealDeployment] };
  return hover;
}

function problemItems(causes: BriefCauses): readonly string[] {
  const worst = causes.worst(maxCauses, (state) => state !== 'unknown');
  const more = escaped(moreProblemsText(worst.moreProblems));
  return [...worst.rows.map(causeItem), ...(more ? [more] : [])];
}

/** "3 unknown", and below it why: "Not found (404) · Billing sync", "1 more". */
function unknownItem(causes: BriefCauses, counts: Counts): readonly string[] {
  const { rows, moreDeployments: more } = causes.worst(maxReasons, (state) => state === 'unknown');
  if (rows.length === 0) return [];
  const [count = ''] = notHealthyCounts({ ...counts, failing: 0, notYetRead: 0, muted: 0 });
  const rest = more > 0 ? [vscode.l10n.t('{count} more', { count: numberText(more) })] : [];
  const below = [...rows.map(causeItem), ...rest].map((item) => `  - ${item}`);
  return [[count, ...below].join('\n')];
}

function causeItem({ descriptionParts, deployments }: CauseRow): string {
  const links = firstWithMore(Array.from(deployments), maxLinks, (deployment) =>
    commandLink(
      shortName(deployment, maxLinkChars),
      internalCommandIds.revealDeployment,
      deployment.id,
    ),
  );
  return joinWithDots(inertMarkdown(descriptionParts.join(' · '), 200), listText(links));
}
