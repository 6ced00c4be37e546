import { l10n } from 'vscode';
import { shorten } from '../../model/inertText.js';
import type { PendingInstall } from '../../model/installs.js';
import { timeLeft } from '../../model/time.js';
import { absoluteTime, durationText, relativeTime } from './format.js';

/** What it is called in every list. */
export function installName({ answer: { value } }: PendingInstall): string {
  return value.label || value.serviceName || value.serviceId || l10n.t('unnamed install');
}

/** "46 min left", "lapsed 2 hr. ago"; a date that can't be read is shown as it came. */
export function timeLeftText(install: PendingInstall, now: number): string {
  const left = timeLeft(install.expiresAt, now);
  switch (left.kind) {
    case 'left':
      return l10n.t('{time} left', { time: durationText(left.parts) });
    case 'lapsed':
      return l10n.t('lapsed {time}', { time: relativeTime(install.expiresAt ?? now, now) });
    case 'unknown': {
      const sent = install.answer.value.expiresAt;
      return sent ? l10n.t('lapses: {text}', { text: shorten(sent) }) : l10n.t('time left unknown');
    }
  }
}

/** The same for a screen reader: one that does not change while it is read out. */
export function expiryText(install: PendingInstall, now: number): string {
  if (install.expiresAt === undefined) return timeLeftText(install, now);
  const time = absoluteTime(install.expiresAt);
  return install.expiresAt > now ? l10n.t('lapses on {time}', { time }) : l10n.t('lapsed on {time}', { time });
}

/** "free", "needs pro"; plans that the reference does not know come as they are. */
export function planText(requiredPlan: string | undefined): string {
  if (!requiredPlan) return l10n.t('plan unknown');
  return requiredPlan === 'free' ? l10n.t('free') : l10n.t('needs {plan}', { plan: shorten(requiredPlan, 40) });
}
