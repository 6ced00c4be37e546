import { l10n } from 'vscode';
import { timeLeft } from '../../model/base/time.js';
import { shorten } from '../../model/inertText.js';
import type { PendingInstall } from '../../model/installs.js';
import { durationText, relativeTime } from './format.js';

/** "Acme CRM", "unnamed install" */
export function installName({ answer: { value } }: PendingInstall): string {
  return value.label || value.serviceName || value.serviceId || l10n.t('unnamed install');
}

/**
 * "46 min", "expired 2 hours ago"; "expires: tomorrow" if the platform sent "tomorrow", which is no
 * date-time; "time left unknown" if it sent nothing. `now`: epoch ms.
 */
export function timeLeftText({ answer, expiresAt }: PendingInstall, now: number): string {
  if (expiresAt === undefined) {
    const platformText = answer.value.expiresAt;
    return platformText
      ? l10n.t('expires: {text}', { text: shorten(platformText) })
      : l10n.t('time left unknown');
  }
  const duration = timeLeft(expiresAt, now);
  return duration.length > 0
    ? durationText(duration)
    : l10n.t('expired {time}', { time: relativeTime(expiresAt, now) });
}

/**
 * "free", "needs pro", "plan unknown". The platform's text names any plan but the free one, because
 * docs/service.md does not list the plans.
 */
export function planText(requiredPlan: string | undefined): string {
  if (!requiredPlan) return l10n.t('plan unknown');
  return requiredPlan === 'free'
    ? l10n.t({ message: 'free', comment: 'Plan' })
    : l10n.t('needs {plan}', { plan: shorten(requiredPlan, 40) });
}
