import * as vscode from 'vscode';
import { UserError } from '../../host/actions.js';
import { showStatusBarMessage } from '../../host/messages.js';
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
import type { MuteEntry } from '../../model/entered/muteEntries.js';
import type { Deployment } from '../../model/findings/deployment.js';
import { inertPlain } from '../../model/inertText.js';
import { visibleControls } from '../../model/invisibleCharacters.js';
import type { EntryState } from '../../model/problems/mutes.js';
import { searchPattern } from '../../model/references/borders.js';
import { copyIdOf, type Row } from '../arguments.js';
import { chooseDeployments, listedDeployments } from './pickDeployment.js';

const maxRefusedNames = 3;
const maxRefusedChars = 80;

/**
 * Copies the IDs of these rows, or of the deployments that the user picks, a line for each. Throws
 * if it left out IDs with line breaks or invisible characters.
 */
export async function copyId(services: Services, rows: readonly Row[]): Promise<void> {
  const ids = await chooseIds(services, rows, {
    title: vscode.l10n.t('Copy ID'),
    noIdText: vscode.l10n.t('This row has no ID to copy.'),
    canPickMany: true,
  });
  if (ids.length === 0) return;

  const copied = ids.filter(canBeCopied);
  const refused = ids.filter((id) => !canBeCopied(id));
  if (copied.length > 0) await vscode.env.clipboard.writeText(copied.join('\n'));
  if (refused.length > 0) throw new UserError(refusedText(copied, refused));
  showStatusBarMessage(
    copied.length === 1
      ? vscode.l10n.t('Copied “{id}”.', { id: copied[0]! })
      : severalCopiedText(copied),
  );
}

/** A line break that is pasted into a terminal runs what stands before it. */
function canBeCopied(id: string): boolean {
  return visibleControls(id) === id;
}

/** "Copied 2 IDs: dep_1, dep_2." */
function severalCopiedText(copied: readonly string[]): string {
  const words = { ids: nameList(copied, String), count: numberText(copied.length) };
  return vscode.l10n.t('Copied {count} IDs: {ids}.', words);
}

/**
 * "“dep_1⏎” was not copied, because it contains line breaks or invisible characters. Copied 2 IDs:
 * dep_2, dep_3. Copy such an ID from the dashboard."
 */
function refusedText(copied: readonly string[], refused: readonly string[]): string {
  const ids = listText(
    firstWithMore(refused, maxRefusedNames, (id) => `“${inertPlain(id, maxRefusedChars)}”`),
  );
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
    copied.length > 0 ? severalCopiedText(copied) : undefined,
    vscode.l10n.t('Copy such an ID from the dashboard.'),
  );
}

/** Files that list deployments, in which the user does not look for an ID. */
const listFiles = '**/.vscode/settings.json, **/*.code-workspace';

/** Searches the workspace for the ID of the first row, or of the deployment that the user picks. */
export async function findInFiles(services: Services, rows: readonly Row[]): Promise<void> {
  const [id] = await chooseIds(services, rows, {
    title: vscode.l10n.t('Find ID in Files'),
    noIdText: vscode.l10n.t('This row has no ID to find.'),
    canPickMany: false,
  });
  if (id === undefined) return;

  await vscode.commands.executeCommand('workbench.action.findInFiles', {
    query: searchPattern(id),
    isRegex: true,
    isCaseSensitive: true,
    matchWholeWord: false,
    filesToExclude: listFiles,
    // VS Code keeps the excluded files for the next search, so the user has to see them.
    showIncludesExcludes: true,
    triggerSearch: true,
  });
}

interface IdChoice {
  readonly title: string;
  /** The message of the error if no row has an ID. */
  readonly noIdText: string;
  readonly canPickMany: boolean;
}

/**
 * Returns the IDs of these rows, each once; without rows the IDs of the deployments that the user
 * picks. Empty if the user dismisses the list. Throws if there are rows and none has an ID.
 */
async function chooseIds(
  services: Services,
  rows: readonly Row[],
  { title, noIdText, canPickMany }: IdChoice,
): Promise<readonly string[]> {
  if (rows.length === 0) {
    const chosen = await chooseDeployments(services, [], title, { canPickMany });
    return chosen.map(({ id }) => id);
  }
  const ids = new Set<string>();
  for (const row of rows) {
    const id = copyIdOf(services.installs, row);
    if (id) ids.add(id);
  }
  if (ids.size === 0) throw new UserError(noIdText);
  return [...ids];
}

/** Copies the report on these rows, or on the deployments that the user picks, the worst first. */
export async function copyReport(services: Services, rows: readonly Row[]): Promise<void> {
  const title = vscode.l10n.t('Copy Authorization Report');
  const chosen = await chooseDeployments(services, rows, title, {
    canPickMany: true,
    areAllPicked: true,
    isOfMyGroups: true,
  });
  if (chosen.length === 0) return;

  const chosenIds = new Set(chosen.map(({ id }) => id));
  const worstFirst = listedDeployments(services).filter(({ id }) => chosenIds.has(id));
  await vscode.env.clipboard.writeText(reportText(services, worstFirst));
  const count = numberText(worstFirst.length);
  showStatusBarMessage(
    plural(
      worstFirst.length,
      vscode.l10n.t('Copied the report on {count} deployment.', { count }),
      vscode.l10n.t('Copied the report on {count} deployments.', { count }),
    ),
  );
}

/**
 * A report on all deployments, or on all of the groups that the user has chosen, also says which
 * these groups are, which settings are ignored, and which mutes are obsolete.
 */
function reportText(services: Services, deployments: readonly Deployment[]): string {
  const { ignoredSettings, impact, log, memory, owners, settings } = services;
  const { counts } = services.myGroups;
  const areCovered = deployments.every((deployment) => services.myGroups.covers(deployment));
  const redact = (text: string): string => log.redactCopy(text);
  const isAboutAll = areCovered && deployments.length === counts.total;
  const report = deploymentsReport(deployments, {
    impact,
    ownerOf: (owned) => owners.ownerOf(owned),
    memory,
    groups: isAboutAll ? counts.groups : undefined,
    muteStates: isAboutAll ? muteStatesIn(deployments, services) : undefined,
    hasDashboard: settings.dashboardUrl !== '',
    redact,
  });
  return reportWithIgnored(report, isAboutAll ? ignoredSettings.current : {}, redact);
}

/**
 * Returns what becomes of the entries of `mutes` that name these deployments or their accounts, by
 * the answers of all listed deployments, whatever groups the user has chosen. Without chosen
 * groups, returns that of all entries.
 */
function muteStatesIn(
  deployments: readonly Deployment[],
  { muteEntries, myGroups, store }: Services,
): ReadonlyMap<MuteEntry, EntryState> {
  const states = muteEntries.current.statesIn(store.deployments, Date.now());
  if (!myGroups.isLimited) return states;
  const deploymentIds = new Set(deployments.map(({ id }) => id));
  const accountIds = new Set(
    deployments.flatMap(({ answer }) => [...(answer?.findings.accountsById.keys() ?? [])]),
  );
  const isNamed = ({ subject }: MuteEntry): boolean =>
    subject.kind === 'account'
      ? accountIds.has(subject.account)
      : deploymentIds.has(subject.deployment);
  return new Map(Array.from(states).filter(([entry]) => isNamed(entry)));
}
