import { l10n } from 'vscode';
import { timeLeft } from '../../model/base/time.js';
import { shorten } from '../../model/inertText.js';
import type { PendingInstall } from '../../model/installs.js';
import { durationText, relativeTime } from './format.js';

export function installName({ answer: { value } }: PendingInstall): string {
  return value.label || value.serviceName || value.serviceId || l10n.t('unnamed install');
}

/** "46 min", "expired 2 hours ago"; a date that cannot be read stays as the platform sent it. */
export function timeLeftText({ answer, expiresAt }: PendingInstall, now: number): string {
  if (expiresAt === undefined) {
    const sent = answer.value.expiresAt;
    return sent ? l10n.t('expires: {text}', { text: shorten(sent) }) : l10n.t('time left unknown');
  }
  const left = timeLeft(expiresAt, now);
  return left.length > 0
    ? durationText(left)
    : l10n.t('expired {time}', { time: relativeTime(expiresAt, now) });
}

/** "free", "needs pro"; plans that docs/service.md does not know stay as the platform sent them. */
export function planText(requiredPlan: string | undefined): string {
  if (!requiredPlan) return l10n.t('plan unknown');
  return requiredPlan === 'free'
    ? l10n.t({ message: 'free', comment: 'Plan' })
    : l10n.t('needs {plan}', { plan: shorten(requiredPlan, 40) });
}
