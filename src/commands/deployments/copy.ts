import * as vscode from 'vscode';
import { UserError } from '../../host/actions.js';
import { mention } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import {
  firstWithMore,
  joinSentences,
  listText,
  numberText,
  plural,
} from '../../host/text/format.js';
import { reportWithIgnored } from '../../host/text/ignored.js';
import { nameList } from '../../host/text/problem.js';
import { deploymentsReport } from '../../host/text/report.js';
import { inertPlain } from '../../model/inertText.js';
import { visibleControls } from '../../model/invisibleCharacters.js';
import { searchPattern } from '../../model/references/borders.js';
import { copyIdOf, type Row } from '../arguments.js';
import { chooseDeployments, type DeploymentChoice, listedDeployments } from './pickDeployment.js';

export async function copyId(services: Services, rows: readonly Row[]): Promise<void> {
  const none = vscode.l10n.t('The platform sent no ID to copy.');
  const chosen = await idsOf(services, rows, vscode.l10n.t('Copy ID'), none, { canPickMany: true });
  if (chosen.length === 0) return;
  const ids = chosen.filter(canBeCopied);
  const refused = chosen.filter((id) => !canBeCopied(id));
  if (ids.length > 0) await vscode.env.clipboard.writeText(ids.join('\n'));
  if (refused.length > 0) throw new UserError(refusedText(ids, refused));
  const words = { id: ids[0]!, ids: nameList(ids, String), count: numberText(ids.length) };
  mention(
    ids.length === 1
      ? vscode.l10n.t('Copied “{id}”.', words)
      : vscode.l10n.t('Copied {count} IDs: {ids}.', words),
  );
}

function canBeCopied(id: string): boolean {
  return visibleControls(id) === id;
}

/** A line break that is pasted into a terminal runs what stands before it. */
function refusedText(copied: readonly string[], refused: readonly string[]): string {
  const ids = listText(
    firstWithMore(refused, maxRefusedNames, (id) => `“${inertPlain(id, maxRefusedChars)}”`),
  );
  const words = { ids: nameList(copied, String), count: numberText(copied.length) };
  return joinSentences(
    plural(
      refused.length,
      vscode.l10n.t(
        '{ids} was not copied, because it contains line breaks or invisible characters.',
        { ids },
      ),
      vscode.l10n.t(
        '{ids} were not copied, because they contain line breaks or invisible characters.',
        { ids },
      ),
    ),
    copied.length > 0 ? vscode.l10n.t('Copied {count} IDs: {ids}.', words) : undefined,
    vscode.l10n.t('Copy such an ID from the dashboard.'),
  );
}

const maxRefusedNames = 3;
const maxRefusedChars = 80;

const listFiles = '**/.vscode/settings.json, **/*.code-workspace';

export async function findInFiles(services: Services, rows: readonly Row[]): Promise<void> {
  const none = vscode.l10n.t('The platform sent no ID to find.');
  const [query] = await idsOf(services, rows, vscode.l10n.t('Find ID in Files'), none);
  if (query === undefined) return;
  // VS Code keeps what is excluded for the next search, so its box is shown.
  const files = { filesToExclude: listFiles, showIncludesExcludes: true };
  const options = {
    query: searchPattern(query),
    isRegex: true,
    isCaseSensitive: true,
    matchWholeWord: false,
  };
  const search = { ...options, ...files, triggerSearch: true };
  await vscode.commands.executeCommand('workbench.action.findInFiles', search);
}

/** `none`: what is said of rows without an id. Empty if the question was dismissed. */
async function idsOf(
  services: Services,
  rows: readonly Row[],
  title: string,
  none: string,
  options?: DeploymentChoice,
) {
  if (rows.length === 0)
    return (await chooseDeployments(services, [], title, options)).map(({ id }) => id);
  const ids = rows.flatMap((row) => copyIdOf(services.installs, row) || []);
  if (ids.length === 0) throw new UserError(none);
  return [...new Set(ids)];
}

export async function copyReport(services: Services, rows: readonly Row[]): Promise<void> {
  const { ignoredSettings, impact, log, memory, owners, settings, store } = services;
  const title = vscode.l10n.t('Copy Authorization Report');
  const chosen = await chooseDeployments(services, rows, title, {
    canPickMany: true,
    areAllPicked: true,
  });
  if (chosen.length === 0) return;
  // Worst first, in whatever order they were selected.
  const ids = new Set(chosen.map(({ id }) => id));
  const sorted = listedDeployments(services).filter(({ id }) => ids.has(id));
  const report = deploymentsReport(sorted, {
    impact,
    ownerOf: (owned) => owners.of(owned),
    memory,
    hasDashboard: settings.dashboardUrl !== '',
    redact: (text) => log.redactCopy(text),
  });
  const isOfAll = sorted.length === store.counts.total;
  const ignored = isOfAll ? ignoredSettings.current : {};
  await vscode.env.clipboard.writeText(
    reportWithIgnored(report, ignored, (text) => log.redactCopy(text)),
  );
  const count = numberText(sorted.length);
  mention(
    plural(
      sorted.length,
      vscode.l10n.t('Copied the report on {count} deployment.', { count }),
      vscode.l10n.t('Copied the report on {count} deployments.', { count }),
    ),
  );
}
