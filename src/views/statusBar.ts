import * as vscode from 'vscode';
import type { Failure } from '../api/failure.js';
import { internalCommandIds, productName as product, viewIds } from '../host/ids.js';
import type { Organization } from '../host/organizations/organization.js';
import type { Organizations } from '../host/organizations/organizations.js';
import type { Services } from '../host/services.js';
import { causeWords } from '../host/text/cause.js';
import { isUnsendable } from '../host/text/connection.js';
import { countsText, deploymentSummary } from '../host/text/deployment.js';
import { numberText, parts, plural } from '../host/text/format.js';
import { organizationName } from '../host/text/organization.js';
import { type Counts, type Deployment, standing } from '../model/deployment.js';
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
    const { current } = organizations;
    this.item ??= createItem();
    this.item.text = `$(${summary.icon}) ${inertLabel(summary.text)}`;
    this.item.tooltip = current ? statusHover(current, store) : summary.text;
    this.item.accessibilityInformation = { label: inertPlain(spokenText(summary.text, store.counts)) };
    this.item.show();
  }
}

/** A screen reader says the product and all counts: it does not come to the hover. */
function spokenText(words: string, counts: Counts): string {
  const named = words.includes(product) ? words : vscode.l10n.t('{product}: {text}', { product, text: words });
  return parts(named, countsText(counts));
}

function createItem(): vscode.StatusBarItem {
  const item = vscode.window.createStatusBarItem('summary', vscode.StatusBarAlignment.Left, 40);
  item.name = product;
  item.command = `${viewIds.deployments}.focus`;
  return item;
}

export interface StatusSummary {
  /** Codicon: how bad it is. */
  readonly icon: string;
  /** At most 40 characters, and a predicate: the status bar shows other extensions' items too. */
  readonly text: string;
}

/** `undefined` where nothing is known to say. */
export function statusSummary(
  organizations: Pick<Organizations, 'current' | 'missing'>,
  { counts, progress, cause, deployments }: Pick<Store, 'counts' | 'progress' | 'cause' | 'deployments'>,
): StatusSummary | undefined {
  if (!organizations.current) return missingOrganization(organizations.missing);
  // During a pause nothing is being read, although a refresh may be waiting for its end.
  if (cause?.kind === 'paused') {
    return { icon: 'debug-pause', text: vscode.l10n.t('{product}: rate limited', { product }) };
  }
  if (counts.total === 0) return undefined;
  if (progress) {
    const { done, total } = progress;
    const values = { done: numberText(done), total: numberText(total) };
    return { icon: 'sync~spin', text: vscode.l10n.t('Reading deployments: {done} of {total}', values) };
  }
  if (cause) return { icon: 'circle-slash', text: causeText(cause.failure) };
  return standingText(counts, deployments[0]?.state === 'failed' ? 'error' : 'warning');
}

function missingOrganization(missing: Organizations['missing']): StatusSummary | undefined {
  switch (missing) {
    case 'notSignedIn':
      return { icon: 'sign-in', text: vscode.l10n.t('{product}: not signed in', { product }) };
    case 'chooseOne':
      return { icon: 'organization', text: vscode.l10n.t('{product}: no organization', { product }) };
    case 'unreadable':
      return { icon: 'lock', text: vscode.l10n.t('{product}: keyring unreadable', { product }) };
    default:
      return undefined;
  }
}

function causeText(failure: Failure): string {
  return failure.kind === 'unreachable' && !isUnsendable(failure.cause)
    ? vscode.l10n.t('{product} unreachable', { product })
    : vscode.l10n.t('{product}: token rejected', { product });
}

/** The worst that is true of some; what is true of the others stands in the hover. */
function standingText({ total, failing, unknown, notYetRead, muted }: Counts, failingIcon: string): StatusSummary {
  if (failing > 0) {
    const count = numberText(failing);
    const words = plural(
      failing,
      vscode.l10n.t('{count} deployment failing', { count }),
      vscode.l10n.t('{count} deployments failing', { count }),
    );
    return { icon: failingIcon, text: words };
  }
  if (unknown > 0) {
    const count = numberText(unknown);
    const words = plural(
      unknown,
      vscode.l10n.t('{count} deployment unknown', { count }),
      vscode.l10n.t('{count} deployments unknown', { count }),
    );
    return { icon: 'question', text: words };
  }
  if (notYetRead === 0 && muted > 0) {
    const count = numberText(muted);
    return { icon: 'circle-slash', text: vscode.l10n.t('No deployments failing, {count} muted', { count }) };
  }
  if (notYetRead === 0) return { icon: 'pass', text: vscode.l10n.t('Deployments healthy') };
  const icon = 'circle-large-outline';
  if (notYetRead === total) return { icon, text: vscode.l10n.t('Deployments not read yet') };
  return { icon, text: vscode.l10n.t('Not all deployments read yet') };
}

const mostShown = 5;

/** Organization, counts, and the worst five, each a link to its row. */
export function statusHover(
  organization: Organization,
  { deployments, counts, cause }: Pick<Store, 'deployments' | 'counts' | 'cause'>,
): vscode.MarkdownString {
  const now = Date.now();
  const bad = deployments.filter((deployment) => ['failing', 'unknown'].includes(standing(deployment)));
  const worst = bad.slice(0, mostShown).map((deployment) => line(deployment, now));
  const hover = markdown(
    title(organizationName(organization), countsText(counts)),
    cause && text(causeWords(cause, organization).sentence),
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
