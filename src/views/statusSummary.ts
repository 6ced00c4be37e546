import * as vscode from 'vscode';
import type { Organizations } from '../host/organizations.js';
import { causeWord, countsText, numberText, parts, plural, progressText } from '../host/text.js';
import type { Counts, DeploymentStore } from '../model/deploymentStore.js';
import { missingOrganization, named, type StatusSummary, spoken } from './missingOrganization.js';

/** One short line. Nothing to say without deployments: then the item is hidden. */
export function statusSummary(
  organizations: Pick<Organizations, 'current' | 'missing'>,
  { counts, progress, cause, deployments }: Pick<DeploymentStore, 'counts' | 'progress' | 'cause' | 'deployments'>,
): StatusSummary | undefined {
  if (!organizations.current) return missingOrganization(organizations.missing);
  if (counts.total === 0) return undefined;
  if (progress) return named('sync~spin', parts(vscode.l10n.t('checking…'), progressText(progress)));
  if (cause) return named(cause.kind === 'paused' ? 'debug-pause' : 'circle-slash', causeWord(cause));
  if (counts.withProblems > 0) return problems(counts, deployments[0]?.state === 'failed' ? 'error' : 'warning');
  return noProblems(counts);
}

function problems(counts: Counts, icon: string): StatusSummary {
  const values = { count: numberText(counts.withProblems), total: numberText(counts.total) };
  const text = plural(
    counts.total,
    vscode.l10n.t('{count} of {total} deployment', values),
    vscode.l10n.t('{count} of {total} deployments', values),
  );
  const stale = staleWord(counts);
  return { icon, text: parts(text, stale), spoken: spoken(parts(countsText(counts), stale)) };
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
  return { icon, text: parts(all, word, stale), spoken: spoken(parts(countsText(counts), stale)) };
}

function staleWord({ stale }: Counts): string | undefined {
  return stale > 0 ? vscode.l10n.t('stale') : undefined;
}
