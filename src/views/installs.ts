import * as vscode from 'vscode';
import { icon } from '../host/icons.js';
import { contextValues, viewIds } from '../host/ids.js';
import type { Organization } from '../host/organizations/organization.js';
import type { Organizations } from '../host/organizations/organizations.js';
import { clockSkewText } from '../host/text/clockSkew.js';
import {
  absoluteTime,
  durationText,
  joinSentences,
  joinWithDots,
  relativeTime,
} from '../host/text/format.js';
import { installName, planText, timeLeftText } from '../host/text/install.js';
import { organizationName } from '../host/text/organization.js';
import { DisposableOwner } from '../model/base/disposableOwner.js';
import type { Disposable } from '../model/base/emitter.js';
import { type Clock, msUntilNextTimeLeft, systemClock, timeLeft } from '../model/base/time.js';
import { shorten } from '../model/inertText.js';
import type { Installs, PendingInstall } from '../model/installs.js';
import { boldTitle, escaped, fieldsText, markdown } from './markdown.js';
import { treeItem } from './tree/row.js';
import { unreadableLines } from './tree/rows/failure.js';
import { waitForWelcomeView } from './tree/view.js';

/**
 * The rows of the Pending Installs view, which `Installs` holds. Owns the timer by which their
 * times left are drawn again while the view is visible. VS Code asks it for rows; commands select
 * them.
 */
export class InstallsView
  extends DisposableOwner
  implements vscode.TreeDataProvider<PendingInstall>
{
  private readonly rowsChanged = this.own(new vscode.EventEmitter<undefined>());
  readonly onDidChangeTreeData = this.rowsChanged.event;
  /** Runs when the next time left changes; `undefined` before the visible view has had a row. */
  private timer: Disposable | undefined;

  constructor(
    private readonly services: {
      readonly installs: Pick<Installs, 'installs' | 'onDidChange'>;
      readonly organizations: Pick<Organizations, 'get' | 'list'>;
    },
    private readonly view: Pick<
      vscode.TreeView<PendingInstall>,
      'visible' | 'onDidChangeVisibility' | 'reveal'
    >,
    private readonly clock: Clock = systemClock,
  ) {
    super();
    this.own(services.installs.onDidChange(() => this.redraw()));
    this.own(view.onDidChangeVisibility(() => this.redraw()));
    this.own({ dispose: () => this.timer?.dispose() });
    this.redraw();
  }

  getChildren(element?: PendingInstall): PendingInstall[] {
    if (element) return [];
    return [...this.services.installs.installs];
  }

  /** Without this method VS Code refuses `TreeView.reveal`. */
  getParent(): undefined {
    return undefined;
  }

  getTreeItem(install: PendingInstall): vscode.TreeItem {
    return installItem(install, this.clock.now());
  }

  resolveTreeItem(item: vscode.TreeItem, install: PendingInstall): vscode.TreeItem {
    const { organizations } = this.services;
    const isOneOfSeveral = organizations.list.length > 1;
    const organization = isOneOfSeveral ? organizations.get(install.organizationId) : undefined;
    item.tooltip = installHover(install, organization, this.clock.now());
    return item;
  }

  /** Selects the row. The focus stays where it is. */
  async select(install: PendingInstall): Promise<void> {
    await this.view.reveal(install, { select: true, focus: false });
  }

  /** Moves the focus to the row; without an install to the welcome view. */
  async focus(install?: PendingInstall): Promise<void> {
    if (install) return this.view.reveal(install, { select: true, focus: true });
    await waitForWelcomeView();
    await vscode.commands.executeCommand(`${viewIds.installs}.focus`);
  }

  /** Has VS Code draw all rows, and sets the timer for the next time. */
  private redraw(): void {
    this.timer?.dispose();
    this.rowsChanged.fire(undefined);
    const { installs } = this.services.installs;
    if (!this.view.visible || installs.length === 0) return;
    const now = this.clock.now();
    const waitsMs = installs.map(({ expiresAt }) => {
      const leftMs = expiresAt === undefined ? 0 : expiresAt - now;
      return msUntilNextTimeLeft(leftMs);
    });
    this.timer = this.clock.setTimer(() => this.redraw(), Math.min(...waitsMs));
  }
}

/** "Acme CRM", beside it "46 min · HubSpot · needs pro". `now`: epoch ms. */
export function installItem(install: PendingInstall, now: number): vscode.TreeItem {
  const { id, answer } = install;
  const { serviceName, serviceId, requiredPlan } = answer.value;
  const label = installName(install);
  const service = serviceName || serviceId;
  const otherName = service && service !== label ? shorten(service) : undefined;
  const plan = planText(requiredPlan);
  return treeItem(id, {
    label,
    description: joinWithDots(timeLeftText(install, now), otherName, plan),
    icon: installIcon(install, now),
    spoken: [
      label,
      vscode.l10n.t('pending install'),
      plan,
      spokenExpiry(install, now),
      otherName,
      clockSkewOf(install),
    ],
    contextValue: contextValues.install,
  });
}

function installIcon({ expiresAt }: PendingInstall, now: number): vscode.ThemeIcon {
  if (expiresAt === undefined) return icon('question');
  const hasExpired = expiresAt <= now;
  return hasExpired ? icon('circle-slash', 'disabledForeground') : icon('package');
}

/**
 * "**Acme CRM** · Acme", below it "Pending install of HubSpot. Requires the pro plan. Expires in 46
 * min, on Nov 20, 2026, 9:14:03 AM GMT+1.", and below that the fields which no sentence says.
 * `organization`: is named, so it is given only if several are signed in. `now`: epoch ms.
 */
export function installHover(
  install: PendingInstall,
  organization: Organization | undefined,
  now: number,
): vscode.MarkdownString {
  const { answer, expiresAt } = install;
  const { serviceName, serviceId, requiredPlan } = answer.value;
  const service = serviceName || serviceId;
  const ofService =
    service && vscode.l10n.t('Pending install of {service}.', { service: shorten(service, 200) });
  const needsPlan =
    requiredPlan &&
    vscode.l10n.t('Requires the {plan} plan.', { plan: shorten(requiredPlan, 200) });

  const fieldsInSentences = ['label', serviceName ? 'serviceName' : 'serviceId', 'requiredPlan'];
  if (expiresAt !== undefined) fieldsInSentences.push('expiresAt');
  return markdown(
    boldTitle(installName(install), organization && organizationName(organization)),
    escaped(
      joinSentences(ofService, needsPlan, expirySentence(install, now), clockSkewOf(install)),
    ),
    fieldsText(answer.value, fieldsInSentences),
    unreadableLines(answer),
  );
}

/** How far this machine's clock is off; `undefined` if it is not, or if no time is shown. */
function clockSkewOf({ answer, expiresAt }: PendingInstall): string | undefined {
  return expiresAt === undefined ? undefined : clockSkewText(answer);
}

/**
 * "Expires in 46 min, on Nov 20, 2026, 9:14:03 AM GMT+1.", "Expired 2 minutes ago, on …". The
 * duration counts from this machine's clock, to which `expiresAt` is corrected; the date is as the
 * platform sent it. Returns `undefined` if the expiry is unknown.
 */
function expirySentence({ answer, expiresAt }: PendingInstall, now: number): string | undefined {
  if (expiresAt === undefined) return undefined;
  const time = absoluteTime(answer.value.expiresAt ?? '');
  const left = timeLeft(expiresAt, now);
  return left.length > 0
    ? vscode.l10n.t('Expires in {duration}, on {time}.', { duration: durationText(left), time })
    : vscode.l10n.t('Expired {ago}, on {time}.', { ago: relativeTime(expiresAt, now), time });
}

/**
 * "expires on Nov 20, 2026, 9:14:03 AM GMT+1", by the platform's clock: a time left would be
 * outdated before a screen reader has read it out.
 */
function spokenExpiry(install: PendingInstall, now: number): string {
  if (install.expiresAt === undefined) return timeLeftText(install, now);
  const time = absoluteTime(install.answer.value.expiresAt ?? '');
  return install.expiresAt > now
    ? vscode.l10n.t('expires on {time}', { time })
    : vscode.l10n.t('expired on {time}', { time });
}
