import { realpath } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import * as vscode from 'vscode';
import { isRecord } from '../../api/decode.js';
import { addDeploymentAction, remedyAction, UserError } from '../../host/actions.js';
import { showMessage, withProgress } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import { numberText, sentences } from '../../host/text/format.js';
import { idsBehindKeys } from '../../model/candidates.js';
import { inertLabel } from '../../model/inertText.js';
import { groupBy } from '../../model/problems/findings.js';
import { readRegularFile } from '../../model/regularFile.js';
import { isListed } from './addDeployment.js';
import { addFromChecklist } from './addDeploymentsFromText.js';

const textFiles =
  '**/*.{json,jsonc,json5,yaml,yml,toml,ini,cfg,conf,properties,xml,md,mdx,txt,ts,tsx,mts,cts,js,jsx,mjs,cjs,py,rb,go,rs,java,kt,kts,cs,php,sh,bash,zsh,ps1,tf,tfvars,hcl,gradle,groovy,swift,scala,vue,svelte,html,graphql,code-workspace}';
const maxFiles = 2000;
const maxFileBytes = 1024 * 1024;
const maxIdsOffered = 200;

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
  await services.organizations.ready;
  const title = vscode.l10n.t('Searching the workspace for deployment IDs');
  const result = await withProgress(title, (report, cancellation) => search(services, folders, report, cancellation));
  if (!result) return;
  const { occurrences, isCut } = result;
  const found = [...groupBy(occurrences, ({ id }) => id)].filter(([id]) => !isListed(services, id));
  const searched = isCut
    ? vscode.l10n.t('Only the first {count} files were searched.', { count: numberText(maxFiles) })
    : undefined;
  if (found.length === 0) {
    const none =
      occurrences.length > 0
        ? vscode.l10n.t('Every ID found in the workspace is listed already.')
        : vscode.l10n.t('No file in this workspace has a value for “deploymentId”.');
    return showMessage(sentences(none, searched), addDeploymentAction);
  }
  const items = found.slice(0, maxIdsOffered).map(([id, [first, ...others]]) => {
    const more = others.length > 0 ? ` +${numberText(others.length)}` : '';
    return { id, label: inertLabel(id, 200), description: inertLabel(`${first!.path}:${first!.line}${more}`, 200) };
  });
  await addFromChecklist(services, vscode.l10n.t('Add Deployments from Workspace'), items, found.length, searched);
}

async function search(
  { log }: Services,
  folders: readonly vscode.WorkspaceFolder[],
  report: (message: string) => void,
  cancellation: vscode.CancellationToken,
) {
  const files: { readonly folder: string; readonly uri: vscode.Uri }[] = [];
  for (const folder of folders) {
    const include = new vscode.RelativePattern(folder, textFiles);
    const found = await vscode.workspace.findFiles(include, excluded(folder), maxFiles + 1, cancellation);
    files.push(...found.map((uri) => ({ folder: folder.uri.fsPath, uri })));
  }
  const searched = files.slice(0, maxFiles);
  const occurrences: { readonly id: string; readonly path: string; readonly line: number }[] = [];
  for (const [index, { folder, uri }] of searched.entries()) {
    if (index % 50 === 0) {
      const words = { count: numberText(index), total: numberText(searched.length) };
      report(vscode.l10n.t('{count} of {total} files', words));
    }
    const text = (await searchableText(folder, uri.fsPath)) ?? '';
    if (cancellation.isCancellationRequested) break;
    const path = vscode.workspace.asRelativePath(uri);
    for (const one of idsBehindKeys(text, path, (line) => log.redact(line))) occurrences.push({ ...one, path });
  }
  occurrences.sort((a, b) => a.path.localeCompare(b.path) || a.line - b.line);
  return cancellation.isCancellationRequested ? undefined : { occurrences, isCut: files.length > maxFiles };
}

/** `findFiles` leaves out what `files.exclude` says by itself. It knows no braces inside braces. */
function excluded(folder: vscode.WorkspaceFolder): string | undefined {
  const value = vscode.workspace.getConfiguration('search', folder.uri).get<unknown>('exclude');
  const patterns = isRecord(value) ? Object.keys(value).filter((pattern) => value[pattern] === true) : [];
  const globs = patterns.flatMap(expandedGlobs);
  return globs.length > 1 ? `{${globs.join(',')}}` : globs[0];
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

/** The patterns that one with `{a,b}` stands for; braces can stand in braces. */
function expandedGlobs(pattern: string): string[] {
  const [group, inner] = /\{([^{}]*)\}/.exec(pattern) ?? [];
  if (group === undefined || inner === undefined) return [pattern];
  return inner.split(',').flatMap((choice) => expandedGlobs(pattern.replace(group, () => choice)));
}
