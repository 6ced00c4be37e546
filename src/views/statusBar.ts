import * as vscode from 'vscode';
import { internalCommandIds, productName, viewIds } from '../host/ids.js';
import type { Organization } from '../host/organizations/organization.js';
import type { Organizations } from '../host/organizations/organizations.js';
import type { Services } from '../host/services.js';
import { causeSentence, causeWord } from '../host/text/cause.js';
import { countsText, deploymentSummary, progressText, staleWord } from '../host/text/deployment.js';
import { numberText, parts, plural } from '../host/text/format.js';
import { organizationName } from '../host/text/organization.js';
import type { Counts, Deployment } from '../model/deployment.js';
import { inertLabel, inertMarkdown, inertPlain } from '../model/inertText.js';
import type { Store } from '../model/store/store.js';
import { commandLink, list, markdown, text, title } from './markdown.js';

type StatusBarServices = Pick<Services, 'store' | 'organizations' | 'deploymentList' | 'settings'>;

/** The summary in the status bar, while the setting allows it and something is listed. */
export class StatusBar implements vscode.Disposable {
  private item: vscode.StatusBarItem | undefined;
  private readonly subscriptions: readonly vscode.Disposable[];

  constructor(private readonly services: StatusBarServices) {
    const update = () => this.update();
    const { store, organizations, deploymentList, settings } = services;
    this.subscriptions = [store, organizations, deploymentList, settings].map((one) => one.onDidChange(update));
    update();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.item?.dispose();
  }

  private update(): void {
    const { store, organizations, deploymentList, settings } = this.services;
    const listsNothing = store.counts.total === 0 && deploymentList.listed.length === 0;
    const summary = settings.statusBarEnabled && !listsNothing ? statusSummary(organizations, store) : undefined;
    if (!summary) {
      this.item?.hide();
      return;
    }
    this.item ??= createItem();
    this.item.text = `$(${summary.icon}) ${inertLabel(summary.text)}`;
    this.item.tooltip = organizations.current ? statusHover(organizations.current, store) : summary.text;
    this.item.accessibilityInformation = { label: inertPlain(summary.spoken) };
    this.item.show();
  }
}

function createItem(): vscode.StatusBarItem {
  const item = vscode.window.createStatusBarItem('summary', vscode.StatusBarAlignment.Left, 40);
  item.name = productName;
  item.command = `${viewIds.deployments}.focus`;
  return item;
}

export interface StatusSummary {
  /** Codicon: how bad it is. */
  readonly icon: string;
  readonly text: string;
  /** For the screen reader, which sees neither the icon nor where the words come from. */
  readonly spoken: string;
}

/** One short line; `undefined` without deployments, when the item is hidden. */
export function statusSummary(
  organizations: Pick<Organizations, 'current' | 'missing'>,
  { counts, progress, cause, deployments }: Pick<Store, 'counts' | 'progress' | 'cause' | 'deployments'>,
): StatusSummary | undefined {
  if (!organizations.current) return missingOrganization(organizations.missing);
  if (counts.total === 0) return undefined;
  // During a pause nothing is being checked, although a refresh may be waiting for its end.
  if (cause?.kind === 'paused') return named('debug-pause', causeWord(cause));
  if (progress) return named('sync~spin', parts(vscode.l10n.t('checking…'), progressText(progress)));
  if (cause) return named('circle-slash', causeWord(cause));
  if (counts.withProblems > 0) return problems(counts, deployments[0]?.state === 'failed' ? 'error' : 'warning');
  return noProblems(counts);
}

function missingOrganization(missing: Organizations['missing']): StatusSummary | undefined {
  switch (missing) {
    case 'notSignedIn':
      return named('sign-in', vscode.l10n.t('not signed in'));
    case 'chooseOne':
      return named('organization', vscode.l10n.t('no organization chosen'));
    case 'unreadable':
      return named('lock', vscode.l10n.t('keyring cannot be read'));
    default:
      return undefined;
  }
}

function problems(counts: Counts, icon: string): StatusSummary {
  const values = { count: numberText(counts.withProblems), total: numberText(counts.total) };
  const words = plural(
    counts.total,
    vscode.l10n.t('{count} of {total} deployment', values),
    vscode.l10n.t('{count} of {total} deployments', values),
  );
  return { icon, text: parts(words, staleWord(counts)), spoken: spoken(countsText(counts)) };
}

function noProblems(counts: Counts): StatusSummary {
  const total = numberText(counts.total);
  const all = plural(
    counts.total,
    vscode.l10n.t('{total} deployment', { total }),
    vscode.l10n.t('{total} deployments', { total }),
  );
  const [icon, doubt] = doubtOf(counts);
  return { icon, text: parts(all, doubt, staleWord(counts)), spoken: spoken(countsText(counts)) };
}

/** The icon, and what is not known, where there is no problem. */
function doubtOf({ total, unknown, notYetRead, stale }: Counts): readonly [icon: string, doubt?: string] {
  if (notYetRead === total) return ['circle-large-outline', vscode.l10n.t('not checked yet')];
  const unclear = unknown + notYetRead;
  if (unclear > 0) return ['question', vscode.l10n.t('{count} unknown', { count: numberText(unclear) })];
  return [stale > 0 ? 'history' : 'pass'];
}

/** Words that don't mention deployments start with the product's name, because the status bar shows other extensions' items too. */
function named(icon: string, words: string): StatusSummary {
  const all = spoken(words);
  return { icon, text: all, spoken: all };
}

function spoken(words: string): string {
  return vscode.l10n.t('{product}: {text}', { product: productName, text: words });
}

const mostShown = 5;

/** Organization, counts, and the worst five, each a link to its row. */
export function statusHover(
  organization: Organization,
  { deployments, counts, cause }: Pick<Store, 'deployments' | 'counts' | 'cause'>,
): vscode.MarkdownString {
  const now = Date.now();
  const bad = deployments.filter(({ state }) => state !== 'satisfied' && state !== 'notYetRead');
  const worst = bad.slice(0, mostShown).map((deployment) => line(deployment, now));
  const hover = markdown(
    title(organizationName(organization), countsText(counts)),
    cause && text(causeSentence(cause, organization)),
    list(worst, bad.length),
  );
  // Only our own links can run this command: text of the service is inert, so it can't make a link.
  hover.isTrusted = { enabledCommands: [internalCommandIds.revealDeployment] };
  return hover;
}

function line(deployment: Deployment, now: number): string {
  return parts(
    commandLink(deployment.name, internalCommandIds.revealDeployment, deployment.id),
    inertMarkdown(deploymentSummary(deployment, now), 200),
  );
}
