import * as vscode from 'vscode';
import { icon } from '../host/icons.js';
import { contextValues } from '../host/ids.js';
import type { Organization } from '../host/organizations/organization.js';
import type { Organizations } from '../host/organizations/organizations.js';
import { absoluteTime, heading, parts, sentences } from '../host/text/format.js';
import { installName, planText, timeLeftText } from '../host/text/install.js';
import { organizationName } from '../host/text/organization.js';
import { shorten } from '../model/inertText.js';
import type { Installs, PendingInstall } from '../model/installs.js';
import { type Clock, systemClock, timeLeft } from '../model/time.js';
import { fields, list, markdown, text, title } from './markdown.js';
import { Ticker } from './ticker.js';
import { treeItem } from './tree/row.js';
import { unreadableLines } from './tree/rows/trouble.js';

/** The rows of the Pending Installs view: installs that were looked up, counting down. */
export class InstallsView implements vscode.TreeDataProvider<PendingInstall>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<PendingInstall[] | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly subscriptions: vscode.Disposable;
  /** As VS Code got them last. */
  private rows: readonly PendingInstall[] = [];

  constructor(
    private readonly services: {
      readonly installs: Pick<Installs, 'installs' | 'onDidChange'>;
      readonly organizations: Pick<Organizations, 'get'>;
    },
    view: Pick<vscode.TreeView<PendingInstall>, 'visible' | 'onDidChangeVisibility'>,
    private readonly clock: Clock = systemClock,
  ) {
    const { installs } = services;
    const countDown = new Ticker(
      view,
      (isWrong) => {
        const outdated = installs.installs.filter((install) => isWrong((now) => changesAt(install, now)));
        // One that has expired meanwhile takes another place.
        if (installs.installs.some((install, at) => install !== this.rows[at])) this.changed.fire(undefined);
        else if (outdated.length > 0) this.changed.fire(outdated);
      },
      clock,
      (now) => Math.min(...installs.installs.map((install) => changesAt(install, now))),
    );
    const listener = installs.onDidChange(() => {
      this.changed.fire(undefined);
      countDown.restart();
    });
    this.subscriptions = vscode.Disposable.from(this.changed, countDown, listener);
  }

  getChildren(element?: PendingInstall): PendingInstall[] {
    if (element) return [];
    this.rows = this.services.installs.installs;
    return [...this.rows];
  }

  /** `reveal` asks for it. */
  getParent(): undefined {
    return undefined;
  }

  getTreeItem(install: PendingInstall): vscode.TreeItem {
    return installItem(install, this.clock.now());
  }

  resolveTreeItem(item: vscode.TreeItem, install: PendingInstall): vscode.TreeItem {
    item.tooltip = installHover(install, this.services.organizations.get(install.organizationId), this.clock.now());
    return item;
  }

  dispose(): void {
    this.subscriptions.dispose();
  }
}

function changesAt({ expiresAt }: PendingInstall, now: number): number {
  return expiresAt === undefined ? Infinity : timeLeft(expiresAt, now).nextChange;
}

/**
 * "Acme CRM: needs pro · 46 min left · HubSpot", "Sheets: expired 2 hours ago · free": in a narrow side bar the end is cut off, and
 * the service is what can be spared. The token is nowhere in a `PendingInstall`, so it can't be shown.
 */
export function installItem(install: PendingInstall, now: number): vscode.TreeItem {
  const { id, expiresAt, answer } = install;
  const { serviceName, serviceId, requiredPlan } = answer.value;
  const label = installName(install);
  const service = serviceName || serviceId;
  const plan = planText(requiredPlan);
  const other = service && service !== label ? shorten(service) : undefined;
  const time = timeLeftText(install, now);
  const hasExpired = expiresAt !== undefined && expiresAt <= now;
  const timed = hasExpired ? icon('circle-slash', 'disabledForeground') : icon('package');
  return treeItem(id, {
    label,
    description: hasExpired ? parts(time, plan, other) : parts(plan, time, other),
    icon: expiresAt === undefined ? icon('question') : timed,
    // The absolute time: a countdown would be outdated before it is read out.
    spoken: [label, vscode.l10n.t('pending install'), plan, expiryText(install, now), other],
    contextValue: contextValues.install,
  });
}

/** Sentences, then the fields that none of them said. */
export function installHover(
  install: PendingInstall,
  organization: Organization | undefined,
  now: number,
): vscode.MarkdownString {
  const { answer, expiresAt } = install;
  const { serviceName, serviceId, requiredPlan } = answer.value;
  const service = serviceName || serviceId;
  const said = ['label', serviceName ? 'serviceName' : 'serviceId', 'requiredPlan'];
  if (expiresAt !== undefined) said.push('expiresAt');
  return markdown(
    title(installName(install), organization && organizationName(organization)),
    text(
      sentences(
        service && vscode.l10n.t('Pending install of {service}.', { service: shorten(service, 200) }),
        requiredPlan && vscode.l10n.t('Requires the {plan} plan.', { plan: shorten(requiredPlan, 200) }),
        expiresAt === undefined ? undefined : vscode.l10n.t('{state}.', { state: heading(expiryText(install, now)) }),
      ),
    ),
    list(fields(answer.value, said)),
    unreadableLines(answer),
  );
}

/** The absolute time, which a screen reader can read out before it is outdated. */
function expiryText(install: PendingInstall, now: number): string {
  if (install.expiresAt === undefined) return timeLeftText(install, now);
  const time = absoluteTime(install.expiresAt);
  return install.expiresAt > now
    ? vscode.l10n.t('expires on {time}', { time })
    : vscode.l10n.t('expired on {time}', { time });
}
