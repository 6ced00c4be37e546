import * as vscode from 'vscode';
import { productName } from '../host/ids.js';
import type { Organizations } from '../host/organizations.js';
import { causeWord, numberText, parts, plural, progressText } from '../host/text.js';
import type { DeploymentStore } from '../model/deploymentStore.js';

export interface StatusSummary {
  /** Codicon; the count's icon says how bad it is. */
  readonly icon: string;
  readonly text: string;
}

/** One short line. Nothing to say without deployments: then the item is hidden. */
export function statusSummary(
  organizations: Pick<Organizations, 'current' | 'missing'>,
  store: Pick<DeploymentStore, 'counts' | 'progress' | 'cause' | 'deployments'>,
): StatusSummary | undefined {
  if (!organizations.current) return missingOrganization(organizations.missing);
  const { counts, progress, cause } = store;
  if (counts.total === 0) return undefined;
  if (progress) {
    return { icon: 'sync~spin', text: named(parts(vscode.l10n.t('checking…'), progressText(progress))) };
  }
  if (cause) return { icon: cause.kind === 'paused' ? 'debug-pause' : 'circle-slash', text: named(causeWord(cause)) };
  const stale = counts.stale > 0 ? vscode.l10n.t('stale') : undefined;
  if (counts.withProblems > 0) {
    const values = { count: numberText(counts.withProblems), total: numberText(counts.total) };
    const text = plural(
      counts.total,
      vscode.l10n.t('{count} of {total} deployment', values),
      vscode.l10n.t('{count} of {total} deployments', values),
    );
    return { icon: store.deployments[0]?.state === 'failed' ? 'error' : 'warning', text: parts(text, stale) };
  }
  const total = numberText(counts.total);
  const all = plural(
    counts.total,
    vscode.l10n.t('{total} deployment', { total }),
    vscode.l10n.t('{total} deployments', { total }),
  );
  if (counts.notYetRead === counts.total) {
    return { icon: 'circle-large-outline', text: parts(all, vscode.l10n.t('not checked yet')) };
  }
  const unclear = counts.unknown + counts.notYetRead;
  if (unclear > 0) {
    return {
      icon: 'question',
      text: parts(all, vscode.l10n.t('{count} unknown', { count: numberText(unclear) }), stale),
    };
  }
  return { icon: stale ? 'history' : 'pass', text: parts(all, stale) };
}

function missingOrganization(missing: Organizations['missing']): StatusSummary | undefined {
  switch (missing) {
    case 'notSignedIn':
      return { icon: 'sign-in', text: named(vscode.l10n.t('not signed in')) };
    case 'chooseOne':
      return { icon: 'organization', text: named(vscode.l10n.t('no organization chosen')) };
    default:
      return undefined;
  }
}

/** Words that say nothing of deployments must say whose they are: the status bar belongs to everybody. */
function named(text: string): string {
  return vscode.l10n.t('{product}: {text}', { product: productName, text });
}
