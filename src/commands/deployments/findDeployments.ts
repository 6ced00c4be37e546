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
/** Once this many IDs are found, no further file is searched. */
const maxIds = 10_000;
const filesPerReport = 50;

/** The first occurrence of an ID, and how many others there are. */
interface Occurrence {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  others: number;
}

interface SearchResult {
  /** By ID. */
  readonly occurrences: ReadonlyMap<string, Occurrence>;
  readonly searchedFiles: number;
  /** Whether there are more files than were searched. */
  readonly isCut: boolean;
  /** How many patterns of `search.exclude` were not applied. */
  readonly unreadPatterns: number;
}

/**
 * Searches the files of the workspace for deployment IDs that are not listed yet, and offers to add
 * them. Throws if the workspace is not trusted or has no folder on this machine.
 */
export async function findDeployments(services: Services): Promise<void> {
  const folders = foldersToSearch();
  // The tokens are known once the keyring was read; the search leaves them out.
  await services.organizations.waitForSignIns();
  const title = vscode.l10n.t('Searching the workspace for deployment IDs');
  const result = await withProgress(title, (report, cancellation) =>
    Promise.race([search(services, folders, report, cancellation), cancelled(cancellation)]),
  );
  if (!result) return;

  const found = [...result.occurrences].filter(([id]) => !isListed(services, id));
  const limits = limitsText(result);
  if (found.length === 0) {
    return showMessage(joinSentences(noNewIdsText(result), limits), addDeploymentAction);
  }
  const items = found
    .slice(0, maxIdsOffered)
    .map(([id, occurrence]) => checklistItem(id, occurrence));
  const note = joinSentences(limits, cutText(items.length, found.length));
  await addFromChecklist(services, vscode.l10n.t('Add Deployments from Workspace'), {
    items,
    note,
  });
}

function foldersToSearch(): readonly vscode.WorkspaceFolder[] {
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
  return folders;
}

/** Never rejects. Resolves with `undefined` when the user cancels. */
function cancelled(cancellation: vscode.CancellationToken): Promise<undefined> {
  return new Promise((resolve) => cancellation.onCancellationRequested(() => resolve(undefined)));
}

/** Resolves with `undefined` if the user cancels. */
async function search(
  { log }: Services,
  folders: readonly vscode.WorkspaceFolder[],
  report: (message: string) => void,
  cancellation: vscode.CancellationToken,
): Promise<SearchResult | undefined> {
  const slices = new Slices();
  const filesOfFolders = folders.map((folder) => new WorkspaceFiles(folder, slices));
  for (const files of filesOfFolders) await files.list(cancellation);
  const unreadPatterns = new Set(filesOfFolders.flatMap((files) => files.unreadPatterns));
  logUnreadPatterns(log, unreadPatterns);

  const occurrences = new Map<string, Occurrence>();
  let searchedFiles = 0;
  let isCut = false;
  for await (const { files, path } of nearestFirst(filesOfFolders)) {
    const text = await files.read(path);
    if (cancellation.isCancellationRequested) return undefined;
    if (text === undefined) continue;
    isCut = searchedFiles === maxFiles || occurrences.size >= maxIds;
    if (isCut) break;

    if (searchedFiles % filesPerReport === 0) {
      report(vscode.l10n.t('{count} files searched', { count: numberText(searchedFiles) }));
    }
    searchedFiles += 1;
    const pathInWorkspace = workspacePath(files.uriOf(path));
    for (const { id, line } of namedIds(text, path, (part) => log.redact(part))) {
      const first = occurrences.get(id);
      if (first) first.others += 1;
      else occurrences.set(id, { path: pathInWorkspace, line, others: 0 });
    }
  }
  if (cancellation.isCancellationRequested) return undefined;
  return { occurrences, searchedFiles, isCut, unreadPatterns: unreadPatterns.size };
}

function logUnreadPatterns(
  log: Pick<Services['log'], 'redact' | 'warnOnce'>,
  patterns: ReadonlySet<string>,
): void {
  const [first] = patterns;
  if (first === undefined) return;
  const subject = patterns.size > 1 ? `${patterns.size} patterns are` : 'A pattern is';
  const example = shorten(log.redact(first), 200);
  log.warnOnce(`search.exclude: ${subject} not applied, because of the braces: ${example}`);
}

/** Yields the files of all folders, the files of a folder before those of the folders below it. */
async function* nearestFirst(filesOfFolders: readonly WorkspaceFiles[]) {
  const depths = new Set(filesOfFolders.flatMap((files) => files.depths));
  for (const depth of [...depths].toSorted((a, b) => a - b)) {
    for (const files of filesOfFolders) {
      for await (const path of files.sortedPaths(depth)) yield { files, path };
    }
  }
}

/** For example the label "dep_1" with the description "web/src/config.ts:12 +3". */
function checklistItem(id: string, { path, line, others }: Occurrence) {
  // Line and count stand at the end, where VS Code would cut them off a long path.
  const shortPath = shortenMiddle(path, 150);
  const othersText = others > 0 ? ` +${numberText(others)}` : '';
  return {
    id,
    label: inertLabel(id, 200),
    description: inertLabel(`${shortPath}:${line}${othersText}`, 200),
  };
}

/**
 * "Only the first 2,000 files were searched. 1 pattern in search.exclude was not applied, …"; empty
 * if all was searched as VS Code's settings say.
 */
function limitsText({ isCut, searchedFiles, unreadPatterns }: SearchResult): string {
  return joinSentences(
    isCut
      ? vscode.l10n.t('Only the first {count} files were searched.', {
          count: numberText(searchedFiles),
        })
      : undefined,
    patternsNotAppliedText(unreadPatterns),
  );
}

function noNewIdsText({ occurrences, searchedFiles }: SearchResult): string {
  return occurrences.size > 0 ? allListedText(searchedFiles) : nothingFoundText(searchedFiles);
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

/**
 * "1 pattern in search.exclude was not applied, so files that match it were searched, too. …";
 * `undefined` if all were applied.
 */
function patternsNotAppliedText(count: number): string | undefined {
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
