import { realpath } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import * as vscode from 'vscode';
import { isRecord } from '../../api/decode.js';
import { addDeploymentAction, remedyAction, UserError } from '../../host/actions.js';
import { showMessage, withProgress } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import { numberText, plural, sentences } from '../../host/text/format.js';
import { namedIds } from '../../model/entered/namedIds.js';
import { globsOf } from '../../model/globs.js';
import { inertLabel, shorten } from '../../model/inertText.js';
import { readRegularFile } from '../../model/regularFile.js';
import { isListed } from './addDeployment.js';
import { addFromChecklist } from './addDeploymentsFromText.js';

const textFiles =
  '**/*.{json,jsonc,json5,yaml,yml,toml,ini,cfg,conf,properties,xml,md,mdx,txt,ts,tsx,mts,cts,js,jsx,mjs,cjs,py,rb,go,rs,java,kt,kts,cs,php,sh,bash,zsh,ps1,tf,tfvars,hcl,gradle,groovy,swift,scala,vue,svelte,html,graphql,code-workspace}';
const maxFiles = 2000;
const maxFileBytes = 1024 * 1024;
const maxIdsOffered = 200;
/** When so many were found, no further file is read. */
const maxIds = 10_000;

export async function findDeployments(services: Services): Promise<void> {
  const { isTrusted, workspaceFolders = [] } = vscode.workspace;
  if (!isTrusted) {
    throw new UserError(vscode.l10n.t('The files of this workspace are not searched, because it is not trusted.'), [
      remedyAction('manageTrust')!,
    ]);
  }
  const folders = workspaceFolders.filter(({ uri }) => uri.scheme === 'file');
  if (folders.length === 0) {
    throw new UserError(
      vscode.l10n.t('There is no folder on this machine to search. Open one, or add the IDs by hand.'),
      [addDeploymentAction],
    );
  }
  // Which tokens there are is known once the keyring was read.
  await services.organizations.waitForSignIns();
  const title = vscode.l10n.t('Searching the workspace for deployment IDs');
  const result = await withProgress(title, (report, cancellation) => search(services, folders, report, cancellation));
  if (!result) return;
  const { occurrences, searchedFiles, isCut, unread } = result;
  const found = [...occurrences].filter(([id]) => !isListed(services, id));
  const searched = sentences(
    isCut
      ? vscode.l10n.t('Only the first {count} files were searched.', { count: numberText(searchedFiles) })
      : undefined,
    unreadText(unread),
  );
  if (found.length === 0) {
    const none =
      occurrences.size > 0
        ? vscode.l10n.t('All IDs found in the workspace are already in the list.')
        : vscode.l10n.t('No file in this workspace has a value for “deploymentId”.');
    return showMessage(sentences(none, searched), addDeploymentAction);
  }
  const items = found.slice(0, maxIdsOffered).map(([id, { path, line, others }]) => {
    const more = others > 0 ? ` +${numberText(others)}` : '';
    return { id, label: inertLabel(id, 200), description: inertLabel(`${path}:${line}${more}`, 200) };
  });
  await addFromChecklist(services, vscode.l10n.t('Add Deployments from Workspace'), items, found.length, searched);
}

/** The first occurrence of an ID, and how many others there are. */
interface Occurrence {
  readonly path: string;
  readonly line: number;
  others: number;
}

async function search(
  { log }: Services,
  folders: readonly vscode.WorkspaceFolder[],
  report: (message: string) => void,
  cancellation: vscode.CancellationToken,
) {
  const files: { readonly folder: string; readonly uri: vscode.Uri }[] = [];
  const unread = new Set<string>();
  for (const folder of folders) {
    const include = new vscode.RelativePattern(folder, textFiles);
    const exclude = excluded(folder);
    for (const pattern of exclude.unread) unread.add(pattern);
    const found = await vscode.workspace.findFiles(include, exclude.glob, maxFiles + 1, cancellation);
    files.push(...found.map((uri) => ({ folder: folder.uri.fsPath, uri })));
  }
  const [firstUnread] = unread;
  if (firstUnread !== undefined) {
    const what = unread.size > 1 ? `${unread.size} patterns are` : 'A pattern is';
    const named = shorten(log.redact(firstUnread), 200);
    log.warnOnce(`search.exclude: ${what} not applied, because of the braces: ${named}`);
  }
  const wanted = files
    .slice(0, maxFiles)
    .map(({ folder, uri }) => ({ folder, file: uri.fsPath, path: vscode.workspace.asRelativePath(uri) }))
    .toSorted((a, b) => a.path.localeCompare(b.path));
  const occurrences = new Map<string, Occurrence>();
  let searchedFiles = 0;
  for (const { folder, file, path } of wanted) {
    if (occurrences.size >= maxIds) break;
    if (searchedFiles % 50 === 0) {
      const words = { count: numberText(searchedFiles), total: numberText(wanted.length) };
      report(vscode.l10n.t('{count} of {total} files', words));
    }
    searchedFiles++;
    const text = (await searchableText(folder, file)) ?? '';
    if (cancellation.isCancellationRequested) return undefined;
    for (const { id, line } of namedIds(text, path, (one) => log.redact(one))) {
      const first = occurrences.get(id);
      if (first) first.others++;
      else occurrences.set(id, { path, line, others: 0 });
    }
  }
  if (cancellation.isCancellationRequested) return undefined;
  return { occurrences, searchedFiles, isCut: files.length > searchedFiles, unread: unread.size };
}

/**
 * What a folder's `search.exclude` says, without braces inside braces, which `findFiles` does not
 * know. It leaves out what `files.exclude` says by itself.
 */
function excluded(folder: vscode.WorkspaceFolder) {
  const value = vscode.workspace.getConfiguration('search', folder.uri).get<unknown>('exclude');
  const patterns = isRecord(value) ? Object.keys(value).filter((pattern) => value[pattern] === true) : [];
  const { globs, unread } = globsOf(patterns);
  return { glob: globs.length > 1 ? `{${globs.join(',')}}` : globs[0], unread };
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

async function searchableText(folder: string, path: string): Promise<string | undefined> {
  if (basename(path).startsWith('.env')) return undefined;
  try {
    // Neither the file nor a folder above it is a link.
    const [real, root] = await Promise.all([realpath(path), realpath(folder)]);
    if (real !== join(root, relative(folder, path))) return undefined;
    const content = await readRegularFile(real, maxFileBytes);
    if (typeof content === 'string' || content.includes(0)) return undefined;
    return content.toString('utf8');
  } catch {
    return undefined;
  }
}
