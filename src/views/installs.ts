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
import { type Clock, systemClock, timeLeft, untilNextTimeLeft } from '../model/base/time.js';
import { shorten } from '../model/inertText.js';
import type { Installs, PendingInstall } from '../model/installs.js';
import { boldTitle, escaped, fieldsText, markdown } from './markdown.js';
import { treeItem } from './tree/row.js';
import { unreadableLines } from './tree/rows/failure.js';
import { welcomeDrawn } from './tree/view.js';

export class InstallsView
  extends DisposableOwner
  implements vscode.TreeDataProvider<PendingInstall>
{
  private readonly changed = this.own(new vscode.EventEmitter<undefined>());
  readonly onDidChangeTreeData = this.changed.event;
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

  /** `reveal` asks for it. */
  getParent(): undefined {
    return undefined;
  }

  getTreeItem(install: PendingInstall): vscode.TreeItem {
    return installItem(install, this.clock.now());
  }

  resolveTreeItem(item: vscode.TreeItem, install: PendingInstall): vscode.TreeItem {
    const { organizations } = this.services;
    const organization =
      organizations.list.length > 1 ? organizations.get(install.organizationId) : undefined;
    item.tooltip = installHover(install, organization, this.clock.now());
    return item;
  }

  async select(install: PendingInstall): Promise<void> {
    await this.view.reveal(install, { select: true, focus: false });
  }

  async focus(install?: PendingInstall): Promise<void> {
    if (install) return this.view.reveal(install, { select: true, focus: true });
    await welcomeDrawn();
    await vscode.commands.executeCommand(`${viewIds.installs}.focus`);
  }

  private redraw(): void {
    this.timer?.dispose();
    this.changed.fire(undefined);
    const { installs } = this.services.installs;
    if (!this.view.visible || installs.length === 0) return;
    const now = this.clock.now();
    const waitsMs = installs.map(({ expiresAt = -Infinity }) => untilNextTimeLeft(expiresAt - now));
    this.timer = this.clock.setTimer(() => this.redraw(), Math.min(...waitsMs));
  }
}

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
    description: joinWithDots(time, other, plan),
    icon: expiresAt === undefined ? icon('question') : timed,
    // The absolute time: a countdown would be outdated before it is read out.
    spoken: [
      label,
      vscode.l10n.t('pending install'),
      plan,
      expiryText(install, now),
      other,
      clocksText(install),
    ],
    contextValue: contextValues.install,
  });
}

/** `organization`: is named, where several are signed in. */
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
    boldTitle(installName(install), organization && organizationName(organization)),
    escaped(
      joinSentences(
        service &&
          vscode.l10n.t('Pending install of {service}.', { service: shorten(service, 200) }),
        requiredPlan &&
          vscode.l10n.t('Requires the {plan} plan.', { plan: shorten(requiredPlan, 200) }),
        expirySentence(install, now),
        clocksText(install),
      ),
    ),
    fieldsText(answer.value, said),
    unreadableLines(answer),
  );
}

function clocksText({ answer, expiresAt }: PendingInstall): string | undefined {
  return expiresAt === undefined ? undefined : clockSkewText(answer);
}

/** "Expires in 46 min, on Nov 20, 2026, 9:14:03 AM GMT+1." */
function expirySentence({ answer, expiresAt }: PendingInstall, now: number): string | undefined {
  if (expiresAt === undefined) return undefined;
  const time = absoluteTime(answer.value.expiresAt ?? '');
  const left = timeLeft(expiresAt, now);
  return left.length > 0
    ? vscode.l10n.t('Expires in {duration}, on {time}.', { duration: durationText(left), time })
    : vscode.l10n.t('Expired {ago}, on {time}.', { ago: relativeTime(expiresAt, now), time });
}

/**
 * The absolute time by the platform's clock, which a screen reader can read out before it is
 * outdated.
 */
function expiryText(install: PendingInstall, now: number): string {
  if (install.expiresAt === undefined) return timeLeftText(install, now);
  const time = absoluteTime(install.answer.value.expiresAt ?? '');
  return install.expiresAt > now
    ? vscode.l10n.t('expires on {time}', { time })
    : vscode.l10n.t('expired on {time}', { time });
}
