// How long the packaged extension holds the extension host, with the tree, the Problems panel and a document that mentions some ids open.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { platformControl } from '../../support/platform/control.js';
import { longestStall, median, ms } from '../compare.js';
import type { Row } from '../rows.js';

/** `measured` in ms; `against` and `detail` say what VS Code holds the same extension host for by itself, where that can be told. */
export type Stall = Pick<Row, 'what' | 'against' | 'measured' | 'detail'>;

export const command = (name: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand(`automationPlatform.${name}`, ...args);
export const listed = () =>
  vscode.workspace.getConfiguration('automationPlatform').get<string[]>('deployments', []);

/** Also what follows: events of changes come 250 ms apart, and scans as long after an edit. */
const afterMs = 1000;
export const heldFor = (work: () => PromiseLike<unknown>) =>
  longestStall(() => Promise.resolve(work()).then(() => sleep(afterMs)));

async function medianOf(count: number, work: () => PromiseLike<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < count; round++) times.push(await heldFor(work));
  return median(times);
}

/** Of as many deployments as are listed. */
export async function stalls(count: number, controlUrl: string): Promise<readonly Stall[]> {
  const ids = listed();
  const idsEach = ids.length > 2000 ? 500 : 50;
  // Windows are busy when they have just opened.
  await sleep(2000);
  // The view was not seen yet, so the rows are made when it is.
  await command('refresh');
  const ready = await heldFor(() => focusReadyRows(ids.length));
  const rows = await heldFor(() => command('deployments.focus'));
  await openOthers(ids);
  const selected = () => command('refreshDeployment', { deployment: { id: ids[0] } }, ids);
  const refreshed = await medianOf(count, selected);
  await openMany(ids, idsEach);
  const documents = await medianOf(count, selected);
  await platformControl(controlUrl).fault('all', { status: 429, headers: { 'retry-after': '20' } });
  // The first answer begins the pause; how all of it is cancelled counts, too.
  const paused = await heldFor(() =>
    Promise.race([selected(), sleep(3000).then(() => command('cancelRefresh'))]),
  );
  return [
    stall('first rows', rows, 'as many ready rows', ready),
    stall('Refresh Deployment', refreshed),
    stall(
      `the same with 200 documents of ${idsEach} IDs open`,
      documents,
      'without them',
      refreshed,
    ),
    stall('the same during a pause', paused),
  ];
}

/** Whatever the question is, it is answered with what it proposes. */
function accept(): void {
  void vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
}

/** Of an account that all listed deployments have. */
export async function mute(): Promise<readonly Stall[]> {
  const ids = listed();
  await command('deployments.focus');
  await openOthers(ids);
  await command('refresh');
  const muted = async () => {
    const accepting = setInterval(accept, 500);
    await command('muteProblem', ids[0]);
    clearInterval(accepting);
  };
  return [stall('muting an account of all', await heldFor(muted))];
}

/** Of the only listed deployment. */
export async function answer(count: number): Promise<readonly Stall[]> {
  await command('deployments.focus');
  await openOthers(listed());
  return [stall('an answer', await medianOf(count, () => command('refresh')))];
}

/** For all failed accounts of all listed deployments. */
export async function copyRequest(count: number): Promise<readonly Stall[]> {
  const ids = listed();
  await command('deployments.focus');
  await command('refresh');
  return [
    stall(
      'Copy Request',
      await medianOf(count, () => command('copyRequest', { deployment: { id: ids[0] } }, ids)),
    ),
  ];
}

/** VS Code makes one edit of a thousand or more. */
const editCount = 999;

/** Each edit inserts a line. Returns how long the extension host is held, VS Code's own time included. */
export async function edits(count: number): Promise<number> {
  await command('deployments.focus');
  await command('refresh');
  await openOthers(listed());
  return editsAlone(count);
}

/** The same in a window where the extension is never activated. */
export async function editsAlone(count: number): Promise<number> {
  const text = `dep_00001\n${'a line 8\n'.repeat(200_000)}`;
  const document = await show('lines.txt', text);
  await sleep(3000);
  const held: number[] = [];
  for (let round = 0; round < count; round++) {
    const edit = new vscode.WorkspaceEdit();
    for (let line = 0; line < editCount; line++)
      edit.insert(document.uri, new vscode.Position(line * 200, 4), '\n');
    held.push(await heldFor(() => vscode.workspace.applyEdit(edit)));
    await vscode.commands.executeCommand('undo');
    await sleep(4000);
  }
  return median(held);
}

export function stall(what: string, measured: number, against = '–', alone?: number): Stall {
  return { what, against, measured, detail: alone === undefined ? '–' : ms(alone) };
}

async function openOthers(ids: readonly string[]): Promise<void> {
  await vscode.commands.executeCommand('workbench.actions.view.problems');
  await show('mentions.txt', ids.slice(0, 50).join('\n'));
}

/** 200 documents, each with so many ids. */
async function openMany(ids: readonly string[], idsEach: number): Promise<void> {
  for (let at = 0; at < 200; at++) {
    const own = Array.from(
      { length: idsEach },
      (_, place) => ids[(at * idsEach + place) % ids.length],
    );
    await vscode.workspace.openTextDocument(await write(`many-${at}.txt`, own.join('\n')));
  }
  await sleep(2000);
}

export async function show(name: string, text: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(await write(name, text));
  await vscode.window.showTextDocument(document, { preview: false });
  return document;
}

async function write(name: string, text: string): Promise<vscode.Uri> {
  const uri = vscode.Uri.file(join(vscode.workspace.workspaceFolders![0]!.uri.fsPath, name));
  await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
  return uri;
}

/** Shows as many rows of a tree that does nothing but hand them out. */
function focusReadyRows(count: number): Thenable<unknown> {
  const rows = Array.from({ length: count }, (_, at) => {
    const item = new vscode.TreeItem(`dep_${at}`, vscode.TreeItemCollapsibleState.Collapsed);
    item.id = `dep_${at}`;
    item.iconPath = new vscode.ThemeIcon('pass');
    item.accessibilityInformation = { label: `dep_${at}, satisfied` };
    item.contextValue = 'deployment';
    return item;
  });
  vscode.window.registerTreeDataProvider('bench.rows', {
    getChildren: () => rows,
    getTreeItem: (item) => item,
  });
  return vscode.commands.executeCommand('bench.rows.focus');
}
