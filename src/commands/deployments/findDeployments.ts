import * as vscode from 'vscode';
import { addDeploymentAction, remedyAction, UserError } from '../../host/actions.js';
import { workspacePath } from '../../host/folderNames.js';
import { showMessage, withProgress } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import { joinSentences, numberText, plural } from '../../host/text/format.js';
import { Slices } from '../../model/base/slices.js';
import { namedIds } from '../../model/entered/namedIds.js';
import { inertLabel, shorten, shortenMiddle } from '../../model/inertText.js';
import { isListed } from './addDeployment.js';
import { addFromChecklist, cutText } from './addDeploymentsFromText.js';
import { WorkspaceFiles } from './workspaceFiles.js';

const maxFiles = 2000;
const maxIdsOffered = 200;
/** When so many were found, no further file is read. */
const maxIds = 10_000;

export async function findDeployments(services: Services): Promise<void> {
  const { isTrusted, workspaceFolders = [] } = vscode.workspace;
  if (!isTrusted) {
    throw new UserError(
      vscode.l10n.t('The files of this workspace are not searched, because it is not trusted.'),
      [remedyAction('manageTrust')!],
    );
  }
  const folders = workspaceFolders.filter(({ uri }) => uri.scheme === 'file');
  if (folders.length === 0) {
    throw new UserError(
      vscode.l10n.t(
        'There is no folder on this machine to search. Open one, or add the IDs by hand.',
      ),
      [addDeploymentAction],
    );
  }
  // Which tokens there are is known once the keyring was read.
  await services.organizations.waitForSignIns();
  const title = vscode.l10n.t('Searching the workspace for deployment IDs');
  const result = await withProgress(title, (report, cancellation) =>
    Promise.race([search(services, folders, report, cancellation), cancelled(cancellation)]),
  );
  if (!result) return;
  const { occurrences, searchedFiles, isCut, unread } = result;
  const found = [...occurrences].filter(([id]) => !isListed(services, id));
  const searched = joinSentences(
    isCut
      ? vscode.l10n.t('Only the first {count} files were searched.', {
          count: numberText(searchedFiles),
        })
      : undefined,
    unreadText(unread),
  );
  if (found.length === 0) {
    const none =
      occurrences.size > 0 ? allListedText(searchedFiles) : nothingFoundText(searchedFiles);
    return showMessage(joinSentences(none, searched), addDeploymentAction);
  }
  const items = found.slice(0, maxIdsOffered).map(([id, { path, line, others }]) => {
    const more = others > 0 ? ` +${numberText(others)}` : '';
    // Line and count stand at the end, where a long path would cut them.
    const where = shortenMiddle(path, 150);
    return {
      id,
      label: inertLabel(id, 200),
      description: inertLabel(`${where}:${line}${more}`, 200),
    };
  });
  const note = joinSentences(searched, cutText(items.length, found.length));
  await addFromChecklist(services, vscode.l10n.t('Add Deployments from Workspace'), {
    items,
    note,
  });
}

/** The first occurrence of an ID, and how many others there are. */
interface Occurrence {
  readonly path: string;
  readonly line: number;
  others: number;
}

function cancelled(cancellation: vscode.CancellationToken): Promise<undefined> {
  return new Promise((resolve) => cancellation.onCancellationRequested(() => resolve(undefined)));
}

async function search(
  { log }: Services,
  folders: readonly vscode.WorkspaceFolder[],
  report: (message: string) => void,
  cancellation: vscode.CancellationToken,
) {
  const slices = new Slices();
  const all = folders.map((folder) => new WorkspaceFiles(folder, slices));
  for (const files of all) await files.list(cancellation);
  const unread = new Set(all.flatMap(({ unreadPatterns }) => unreadPatterns));
  const [firstUnread] = unread;
  if (firstUnread !== undefined) {
    const what = unread.size > 1 ? `${unread.size} patterns are` : 'A pattern is';
    const named = shorten(log.redact(firstUnread), 200);
    log.warnOnce(`search.exclude: ${what} not applied, because of the braces: ${named}`);
  }
  const occurrences = new Map<string, Occurrence>();
  let searchedFiles = 0;
  let isCut = false;
  for await (const { files, path } of nearestFirst(all)) {
    const text = await files.read(path);
    if (cancellation.isCancellationRequested) return undefined;
    if (text === undefined) continue;
    isCut = searchedFiles === maxFiles || occurrences.size >= maxIds;
    if (isCut) break;
    if (searchedFiles % 50 === 0)
      report(vscode.l10n.t('{count} files searched', { count: numberText(searchedFiles) }));
    searchedFiles++;
    const name = workspacePath(files.uriOf(path));
    for (const { id, line } of namedIds(text, path, (one) => log.redact(one))) {
      const first = occurrences.get(id);
      if (first) first.others++;
      else occurrences.set(id, { path: name, line, others: 0 });
    }
  }
  if (cancellation.isCancellationRequested) return undefined;
  return { occurrences, searchedFiles, isCut, unread: unread.size };
}

/** The files of all folders: those in a folder itself before those in the folders below it. */
async function* nearestFirst(all: readonly WorkspaceFiles[]) {
  const depths = new Set(all.flatMap((files) => files.depths));
  for (const depth of [...depths].toSorted((a, b) => a - b)) {
    for (const files of all) {
      for await (const path of files.inOrder(depth)) yield { files, path };
    }
  }
}

/** "No ID behind “deploymentId” or its other spellings in 214 files. …" */
function nothingFoundText(searchedFiles: number): string {
  const count = numberText(searchedFiles);
  return joinSentences(
    plural(
      searchedFiles,
      vscode.l10n.t('No ID behind “deploymentId” or its other spellings in {count} file.', {
        count,
      }),
      vscode.l10n.t('No ID behind “deploymentId” or its other spellings in {count} files.', {
        count,
      }),
    ),
    vscode.l10n.t(
      'Excluded, ignored, and binary files, links, .env files, and files over 1 MB are not searched.',
    ),
  );
}

/** "All IDs found in 214 files are already in the list." */
function allListedText(searchedFiles: number): string {
  const count = numberText(searchedFiles);
  return plural(
    searchedFiles,
    vscode.l10n.t('All IDs found in {count} file are already in the list.', { count }),
    vscode.l10n.t('All IDs found in {count} files are already in the list.', { count }),
  );
}

/** "1 pattern in search.exclude was not applied, so its files were searched, too. …" */
function unreadText(count: number): string | undefined {
  if (count === 0) return undefined;
  const values = { count: numberText(count), setting: 'search.exclude' };
  return plural(
    count,
    vscode.l10n.t(
      '{count} pattern in {setting} was not applied, so files that match it were searched, too. Its braces must be in pairs and have fewer alternatives.',
      values,
    ),
    vscode.l10n.t(
      '{count} patterns in {setting} were not applied, so files that match them were searched, too. Their braces must be in pairs and have fewer alternatives.',
      values,
    ),
  );
}
