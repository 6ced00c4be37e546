import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import * as vscode from 'vscode';
import { isRecord } from '../../api/decode.js';
import { addDeploymentAction, remedyAction, UserError } from '../../host/actions.js';
import { showMessage, withProgress } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import { numberText, sentences } from '../../host/text/format.js';
import { idsBehindKeys } from '../../model/candidates.js';
import { inertLabel } from '../../model/inertText.js';
import { checklistTitle, chooseAndAdd, shownText } from './addDeploymentsFromText.js';

const textFiles =
  '**/*.{json,jsonc,json5,yaml,yml,toml,ini,cfg,conf,properties,xml,md,mdx,txt,ts,tsx,mts,cts,js,jsx,mjs,cjs,py,rb,go,rs,java,kt,kts,cs,php,sh,bash,zsh,ps1,tf,tfvars,hcl,gradle,groovy,swift,scala,vue,svelte,html,graphql,code-workspace}';
const maxFiles = 2000;
const maxFileBytes = 1024 * 1024;
const maxItems = 200;
const filesAtOnce = 16;

interface Occurrence {
  readonly id: string;
  /** Its path in the workspace, and its line. */
  readonly path: string;
  readonly line: number;
}

/** Offers the IDs behind `deploymentId` in the files of the workspace, and adds what is checked. Nothing is sent before. */
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
  const found = await withProgress(title, (report, cancellation) => search(services, folders, report, cancellation));
  if (found) await offer(services, found);
}

async function offer(
  services: Services,
  { occurrences, isCut }: { occurrences: readonly Occurrence[]; isCut: boolean },
) {
  const listed = new Set(services.deploymentList.listed.map(({ id }) => id));
  const places = new Map<string, Occurrence[]>();
  for (const one of occurrences) {
    if (!listed.has(one.id)) places.set(one.id, [...(places.get(one.id) ?? []), one]);
  }
  const searched = isCut
    ? vscode.l10n.t('Only the first {count} files were searched.', { count: numberText(maxFiles) })
    : undefined;
  if (places.size === 0) {
    const none =
      occurrences.length > 0
        ? vscode.l10n.t('Every ID found in the workspace is listed already.')
        : vscode.l10n.t('No file in this workspace has a value for “deploymentId”.');
    return showMessage(sentences(none, searched), addDeploymentAction);
  }
  const items = [...places].slice(0, maxItems).map(([id, [first, ...others]]) => ({
    id,
    label: inertLabel(id, 200),
    description: inertLabel(
      `${first!.path}:${first!.line}${others.length > 0 ? ` +${numberText(others.length)}` : ''}`,
      200,
    ),
  }));
  await chooseAndAdd(services, items, {
    title: checklistTitle(services, vscode.l10n.t('Add Deployments from Workspace')),
    placeHolder: sentences(searched, shownText(items.length, places.size)),
  });
}

/** @returns `undefined` if it was cancelled. */
async function search(
  { log }: Services,
  folders: readonly vscode.WorkspaceFolder[],
  report: (message: string) => void,
  cancellation: vscode.CancellationToken,
) {
  const files: { readonly folder: vscode.WorkspaceFolder; readonly uri: vscode.Uri }[] = [];
  for (const folder of folders) {
    const include = new vscode.RelativePattern(folder, textFiles);
    const found = await vscode.workspace.findFiles(
      include,
      excluded(folder),
      maxFiles + 1 - files.length,
      cancellation,
    );
    files.push(...found.map((uri) => ({ folder, uri })));
    if (files.length > maxFiles) break;
  }
  const count = Math.min(files.length, maxFiles);
  const occurrences: Occurrence[] = [];
  for (let at = 0; at < count && !cancellation.isCancellationRequested; at += filesAtOnce) {
    report(vscode.l10n.t('{count} of {total} files', { count: numberText(at), total: numberText(count) }));
    const some = files.slice(at, Math.min(at + filesAtOnce, count));
    const texts = await Promise.all(some.map(({ folder, uri }) => textOf(folder.uri.fsPath, uri.fsPath)));
    for (const [index, text] of texts.entries()) {
      const { uri } = some[index]!;
      if (text === undefined || cancellation.isCancellationRequested) continue;
      const path = vscode.workspace.asRelativePath(uri);
      for (const one of idsBehindKeys(text, path, (line) => log.redact(line))) occurrences.push({ ...one, path });
    }
  }
  if (cancellation.isCancellationRequested) return undefined;
  occurrences.sort((a, b) => a.path.localeCompare(b.path) || a.line - b.line);
  return { occurrences, isCut: files.length > maxFiles };
}

/** `findFiles` itself leaves out what `files.exclude` says. It knows no braces inside braces. */
function excluded(folder: vscode.WorkspaceFolder): vscode.GlobPattern | null | undefined {
  const patterns = ['files', 'search'].flatMap((section) => {
    const value = vscode.workspace.getConfiguration(section, folder.uri).get<unknown>('exclude');
    return isRecord(value) ? Object.keys(value).filter((pattern) => value[pattern] === true) : [];
  });
  const globs = patterns.flatMap(expandedGlobs);
  return globs.length > 0
    ? new vscode.RelativePattern(folder, globs.length > 1 ? `{${globs.join(',')}}` : globs[0]!)
    : undefined;
}

/** `undefined`: it is not searched, or can't be read. */
async function textOf(folder: string, path: string): Promise<string | undefined> {
  if (basename(path).startsWith('.env')) return undefined;
  try {
    // Neither the file nor a folder above it is a link.
    const [real, root] = await Promise.all([realpath(path), realpath(folder)]);
    if (real !== join(root, relative(folder, path))) return undefined;
    const facts = await stat(real);
    if (!facts.isFile() || facts.size > maxFileBytes) return undefined;
    const text = await readFile(real, 'utf8');
    return text.includes('\0') ? undefined : text;
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
