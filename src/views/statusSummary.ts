import * as vscode from 'vscode';
import { productName } from '../host/ids.js';
import type { Organizations } from '../host/organizations/organizations.js';
import { causeWord } from '../host/text/cause.js';
import { countsText, progressText, staleWord } from '../host/text/deployment.js';
import { numberText, parts, plural } from '../host/text/format.js';
import type { Counts } from '../model/deployment.js';
import type { Store } from '../model/store/store.js';

interface StatusSummary {
  /** Codicon: how bad it is. */
  readonly icon: string;
  readonly text: string;
  /** For the screen reader, which sees neither the icon nor where the words come from. */
  readonly spoken: string;
}

/** One short line. Nothing to say without deployments: then the item is hidden. */
export function statusSummary(
  organizations: Pick<Organizations, 'current' | 'missing'>,
  { counts, progress, cause, deployments }: Pick<Store, 'counts' | 'progress' | 'cause' | 'deployments'>,
): StatusSummary | undefined {
  if (!organizations.current) return missingOrganization(organizations.missing);
  if (counts.total === 0) return undefined;
  // What still waits for the end of a pause is not being checked.
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
    case 'unreadable':
      return named('lock', vscode.l10n.t('keyring cannot be read'));
    case 'chooseOne':
      return named('organization', vscode.l10n.t('no organization chosen'));
    default:
      return undefined;
  }
}

function problems(counts: Counts, icon: string): StatusSummary {
  const values = { count: numberText(counts.withProblems), total: numberText(counts.total) };
  const text = plural(
    counts.total,
    vscode.l10n.t('{count} of {total} deployment', values),
    vscode.l10n.t('{count} of {total} deployments', values),
  );
  const stale = staleWord(counts);
  return { icon, text: parts(text, stale), spoken: spoken(countsText(counts)) };
}

function noProblems(counts: Counts): StatusSummary {
  const total = numberText(counts.total);
  const all = plural(
    counts.total,
    vscode.l10n.t('{total} deployment', { total }),
    vscode.l10n.t('{total} deployments', { total }),
  );
  const stale = staleWord(counts);
  const unclear = counts.unknown + counts.notYetRead;
  const [icon, word] =
    counts.notYetRead === counts.total
      ? ['circle-large-outline', vscode.l10n.t('not checked yet')]
      : unclear > 0
        ? ['question', vscode.l10n.t('{count} unknown', { count: numberText(unclear) })]
        : [stale ? 'history' : 'pass', undefined];
  return { icon, text: parts(all, word, stale), spoken: spoken(countsText(counts)) };
}

/** Words that say nothing of deployments say whose they are: the status bar belongs to everybody. */
function named(icon: string, words: string): StatusSummary {
  const text = spoken(words);
  return { icon, text, spoken: text };
}

function spoken(words: string): string {
  return vscode.l10n.t('{product}: {text}', { product: productName, text: words });
}
