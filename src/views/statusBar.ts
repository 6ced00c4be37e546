import * as vscode from 'vscode';
import { productName as product, viewIds } from '../host/ids.js';
import type { NoOrganization, Organization } from '../host/organizations/organization.js';
import type { Organizations } from '../host/organizations/organizations.js';
import type { Services } from '../host/services.js';
import {
  asOfTime,
  causeAsOf,
  causeName,
  causeWithVerdict,
  causeWords,
  maxVerdictChars,
  pausedUntilText,
  verdictWithTime,
} from '../host/text/cause.js';
import {
  allCountsWithTime,
  failingOrAllCounts,
  notHealthyCounts,
  otherGroupsText,
  shortestVerdictsWithIgnoredList,
  verdictsToChooseFrom,
  verdictsWithIgnoredList,
} from '../host/text/deployment.js';
import {
  capitalized,
  joinForScreenReader,
  joinWithDots,
  numberText,
  plural,
} from '../host/text/format.js';
import { groupsWord, groupWordChars } from '../host/text/groups.js';
import { ignoredText } from '../host/text/ignored.js';
import { organizationName } from '../host/text/organization.js';
import type { Clock } from '../model/base/time.js';
import type { Ignored } from '../model/entered/ignoredEntries.js';
import type { CountName, Counts } from '../model/findings/deployment.js';
import type { Mutes } from '../model/findings/state.js';
import { inertLabel, inertPlain } from '../model/inertText.js';
import type { Store } from '../model/store/store.js';
import { causeList, causesHover } from './causeList.js';
import { boldTitle, escaped } from './markdown.js';

/** Shows the state of all deployments in the status bar until the result is disposed of. */
export function registerStatusBar(
  services: Services,
  { now }: Pick<Clock, 'now'>,
): vscode.Disposable {
  const { store, organizations, deploymentList, ignoredSettings, memory, settings } = services;
  const { myGroups, verdictAge } = services;
  const item = vscode.window.createStatusBarItem('summary', vscode.StatusBarAlignment.Left, 40);
  item.name = product;
  item.command = `${viewIds.deployments}.focus`;

  const update = () => {
    const listsNothing = store.counts.total === 0 && deploymentList.listed.length === 0;
    const isShown = settings.statusBarEnabled && !listsNothing;
    const { asOf } = verdictAge;
    const { counts, deployments } = myGroups;
    const { cause, progress } = store;
    const facts = { counts, deployments, cause, progress };
    const summary = isShown ? statusSummary(organizations, facts, asOf, now()) : undefined;
    if (!summary) {
      item.hide();
      return;
    }

    const { current } = organizations;
    item.text = `$(${summary.icon}) ${inertLabel(summary.text)}`;
    item.tooltip = current
      ? statusHover(current, facts, memory, {
          asOf,
          ignored: ignoredSettings.current,
          otherCounts: myGroups.otherCounts,
        })
      : summary.text;
    const spoken = spokenText(summary.spoken ?? summary.text, counts, summary.spokenAsOf);
    item.accessibilityInformation = { label: inertPlain(spoken) };
    item.show();
  };

  update();
  const ofTheList = [store, deploymentList, ignoredSettings, myGroups];
  const sources = [...ofTheList, organizations, settings, verdictAge];
  const subscriptions = sources.map((source) => source.onDidChange(update));
  return vscode.Disposable.from(...subscriptions, item);
}

/**
 * "Automation Platform: Unreachable (DNS), 1 deployment failing, 1 unknown": these words with the
 * product and all counts, because a screen reader does not reach the hover. A verdict is said in
 * its long form. `asOf`: "as of 9:51 PM".
 */
export function spokenText(words: string, counts: Counts, asOf?: string): string {
  if (counts.total === 0) return withProduct(words);
  const { worst, text, spoken } = verdictOnListed(counts);
  const otherCounts = notHealthyCounts({ ...counts, [worst]: 0 });
  const verdict = words === text ? [withProduct(spoken)] : [withProduct(words), spoken];
  return joinForScreenReader(...verdict, ...otherCounts, asOf);
}

/** "Automation Platform: 3 deployments failing"; the words alone if they name the product. */
function withProduct(words: string): string {
  if (words.includes(product)) return words;
  return vscode.l10n.t('{product}: {text}', { product, text: words });
}

interface StatusSummary {
  /** The ID of a codicon. */
  readonly icon: string;
  /** At most 40 characters, and a predicate: the status bar shows other extensions' items, too. */
  readonly text: string;
  /** What a screen reader says before the counts. Absent if it is the text. */
  readonly spoken?: string;
  /** "as of 9:51 PM": what a screen reader says after the counts. */
  readonly spokenAsOf?: string;
}

/**
 * What the status bar shows; `undefined` if that is nothing. `now`: epoch ms. `asOf`: epoch ms as
 * of which the counts were true, absent if that is now.
 */
export function statusSummary(
  organizations: Pick<Organizations, 'current' | 'noCurrentReason'>,
  store: VerdictFacts & Pick<Store, 'cause'>,
  asOf?: number,
  now = Date.now(),
): StatusSummary | undefined {
  const { counts, progress, cause } = store;
  const { current, noCurrentReason } = organizations;
  if (!current) return noCurrentReason && summariesWithoutOrganization()[noCurrentReason];
  if (counts.total === 0) return undefined;

  const isReading = progress !== undefined;
  const summary = verdictSummary(store, asOf, now);
  const icon = isReading ? 'sync~spin' : summary.icon;
  if (cause?.kind === 'paused' && isReading) {
    // What is still to be read waits for the end of the pause.
    const text = causeWithVerdict(cause, verdictsToChooseFrom(counts));
    return { ...summary, icon: 'debug-pause', text, spoken: pausedUntilText(cause.until) };
  }
  if (cause?.kind === 'failure') {
    return {
      icon: isReading ? icon : 'circle-slash',
      text: causeWithVerdict(cause, verdictsToChooseFrom(counts)),
      spoken: joinWithDots(causeName(cause, now), causeAsOf(cause, now)),
    };
  }
  return { ...summary, icon };
}

type VerdictFacts = Pick<Store, 'counts' | 'progress' | 'deployments'>;

/**
 * "3 deployments failing", "3 deployments failing · as of 9:51 PM", "Reading deployments: 2 of 30".
 * Knows nothing of outages and pauses.
 */
function verdictSummary(
  { counts, progress, deployments }: VerdictFacts,
  asOf?: number,
  now?: number,
): StatusSummary {
  if (progress && failingOrAllCounts(counts, true) === undefined) {
    const values = { done: numberText(progress.done), total: numberText(progress.total) };
    return { icon: 'sync', text: vscode.l10n.t('Reading deployments: {done} of {total}', values) };
  }

  const verdict = verdictOnListed(counts);
  const { text } = verdict;
  const hasFailedAccount = verdict.worst === 'failing' && deployments[0]?.state === 'failed';
  const icon = hasFailedAccount ? 'error' : verdict.icon;
  if (asOf === undefined) return { icon, text };

  const shorterVerdicts = counts.isListIgnored
    ? verdictsWithIgnoredList(counts)
    : verdictsToChooseFrom(counts);
  return {
    icon,
    text: verdictWithTime([text, ...shorterVerdicts], asOf, now),
    spoken: text,
    spokenAsOf: asOfTime(asOf, now),
  };
}

/** "Automation Platform: not signed in". Absent while the sign-ins are read. */
function summariesWithoutOrganization(): Partial<Readonly<Record<NoOrganization, StatusSummary>>> {
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

interface Verdict {
  /** The count that the verdict is about. */
  readonly worst: Exclude<CountName, 'total'>;
  /** The ID of a codicon. */
  readonly icon: string;
  /** At most 40 characters. */
  readonly text: string;
}

/**
 * "3 deployments failing": the worst state that any deployment has, without the groups that the
 * user has chosen. The hover counts the others.
 */
function worstVerdict({ total, failing, unknown, notYetRead, muted }: Counts): Verdict {
  if (failing > 0) {
    const count = numberText(failing);
    const text = plural(
      failing,
      vscode.l10n.t('{count} deployment failing', { count }),
      vscode.l10n.t('{count} deployments failing', { count }),
    );
    return { worst: 'failing', icon: 'warning', text };
  }
  if (unknown > 0) {
    const count = numberText(unknown);
    const text = plural(
      unknown,
      vscode.l10n.t('{count} deployment unknown', { count }),
      vscode.l10n.t('{count} deployments unknown', { count }),
    );
    return { worst: 'unknown', icon: 'question', text };
  }
  if (notYetRead > 0) {
    const text =
      notYetRead === total
        ? vscode.l10n.t('Deployments not read yet')
        : vscode.l10n.t('Not all deployments read yet');
    return { worst: 'notYetRead', icon: 'circle-large-outline', text };
  }
  if (muted > 0) {
    const text = vscode.l10n.t('No deployments failing, {count} muted', {
      count: numberText(muted),
    });
    return { worst: 'muted', icon: 'circle-slash', text };
  }
  return { worst: 'healthy', icon: 'pass', text: vscode.l10n.t('Deployments healthy') };
}

/**
 * "3 deployments failing"; "1 healthy, workspace list ignored" in a workspace that is not trusted;
 * "payments +1 · 3 deployments failing", "payments: healthy" with chosen groups, because nothing is
 * claimed of the others. While the list of the workspace is ignored or unread, no icon says that
 * nothing is wrong. `spoken`: the verdict where there is room for it.
 */
function verdictOnListed(counts: Counts): Verdict & { readonly spoken: string } {
  const verdict = worstVerdict(counts);
  const { isListIgnored, isListUnread } = counts;
  const isGood = verdict.worst === 'healthy' || verdict.worst === 'muted';
  const isListUnseen = isListIgnored === true || isListUnread === true;
  const icon = isGood && isListUnseen ? 'workspace-untrusted' : verdict.icon;

  const texts = [...verdictsOfGroups(counts, verdict), ...verdictsToChooseFrom(counts)];
  const fitting = texts.find(({ length }) => length <= maxVerdictChars);
  const [spoken] = verdictsOfGroups(counts, verdict, groupWordChars.sentence);
  return { ...verdict, icon, text: fitting ?? texts.at(-1)!, spoken };
}

/**
 * Texts of which the status bar shows the first one that fits, at least one: "payments +1 · 3
 * deployments failing", "payments +1 · 3 failing, list ignored".
 */
function verdictsOfGroups(
  { groups, ...counts }: Counts,
  { worst, text }: Verdict,
  groupChars: number = groupWordChars.short,
): readonly [string, ...string[]] {
  const word = groupsWord(groups, groupChars);
  if (counts.isListIgnored) {
    const [long, short] = shortestVerdictsWithIgnoredList(counts);
    if (word === undefined) return [capitalized(long), capitalized(short)];
    return [joinWithDots(word, long), joinWithDots(word, short)];
  }
  if (word === undefined) return [text];
  if (worst === 'healthy') return [vscode.l10n.t('{groups}: healthy', { groups: word })];
  return [joinWithDots(word, text)];
}

interface StatusHoverOptions {
  /** Epoch ms as of which the counts were true. Absent if that is now. */
  readonly asOf?: number | undefined;
  /** What a workspace that is not trusted sets. */
  readonly ignored?: Ignored;
  /** Of the deployments in groups that the user has not chosen. */
  readonly otherCounts?: Counts | undefined;
}

/**
 * Each cause once with its deployments, worst first: "Finance Slack failed · Billing sync, Expense
 * approvals".
 */
export function statusHover(
  organization: Organization,
  { deployments, counts, cause }: Pick<Store, 'deployments' | 'counts' | 'cause'>,
  memory: Mutes,
  { asOf, ignored = {}, otherCounts }: StatusHoverOptions = {},
): vscode.MarkdownString {
  return causesHover(
    boldTitle(organizationName(organization), allCountsWithTime(counts, asOf)),
    cause && escaped(causeWords(cause, organization).sentence),
    counts.isListIgnored && escaped(ignoredText(ignored)),
    causeList(deployments, counts, memory),
    otherCounts && escaped(otherGroupsText(otherCounts)),
  );
}
