import * as vscode from 'vscode';
import type { Account } from '../../api/deploymentAuthorization.js';
import { absoluteTime, relativeTime } from '../../host/text.js';
import { parseDateTime } from '../../model/dateTime.js';
import type { Deployment } from '../../model/deployment.js';

/** How old the data is: "Read 2 min. ago (Nov 20, 2026, 9:14:03 AM)." */
export function ageText({ answer, failure }: Deployment, now: number): string | undefined {
  if (!answer) return undefined;
  const times = { relative: relativeTime(answer.receivedAt, now), absolute: absoluteTime(answer.receivedAt) };
  return failure
    ? vscode.l10n.t('Stale: last read {relative} ({absolute}).', times)
    : vscode.l10n.t('Read {relative} ({absolute}).', times);
}

/** When the service last checked the account, by its own word. */
export function checkedText({ checkedAt }: Account, now: number): string | undefined {
  if (!checkedAt) return undefined;
  const at = parseDateTime(checkedAt);
  return at === undefined
    ? vscode.l10n.t('Last checked by the service: {time}', { time: checkedAt })
    : vscode.l10n.t('Last checked by the service {relative} ({absolute}).', {
        relative: relativeTime(at, now),
        absolute: absoluteTime(at),
      });
}
