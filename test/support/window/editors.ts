import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';

/** A new file of the workspace that is open without an editor. VS Code would give an untitled one the name of one that it closes. */
export async function openFile(content: string): Promise<vscode.TextDocument> {
  const uri = vscode.Uri.joinPath(
    vscode.workspace.workspaceFolders![0]!.uri,
    'opened',
    `${randomUUID()}.txt`,
  );
  await vscode.workspace.fs.writeFile(uri, Buffer.from(content));
  return vscode.workspace.openTextDocument(uri);
}

/** What is reported in a document by us, from top to bottom: "error 0:2-7 dep_1 token_revoked". */
export function reported(document: vscode.TextDocument): string[] {
  return diagnosticsIn(document).map(({ severity, range, code }) => {
    const { start, end } = range;
    const place = `${start.line}:${start.character}-${end.character}`;
    const kind = vscode.DiagnosticSeverity[severity].toLowerCase();
    return `${kind} ${place} ${document.getText(range)} ${typeof code === 'string' ? code : ''}`;
  });
}

export function diagnosticsIn({ uri }: Pick<vscode.TextDocument, 'uri'>): vscode.Diagnostic[] {
  return vscode.languages
    .getDiagnostics(uri)
    .filter(({ source }) => source === 'Automation Platform')
    .toSorted((a, b) => a.range.start.compareTo(b.range.start));
}

export async function until(
  what: string,
  ask: () => boolean,
  seen: () => unknown = ask,
  maxMs = 8000,
): Promise<void> {
  const end = Date.now() + maxMs;
  while (!ask()) {
    if (Date.now() > end)
      throw new Error(`Waited in vain for ${what}; seen: ${JSON.stringify(seen(), undefined, 1)}`);
    await pause(10);
  }
}

export async function edit(
  document: vscode.TextDocument,
  range: vscode.Range,
  text: string,
): Promise<void> {
  const change = new vscode.WorkspaceEdit();
  change.replace(document.uri, range, text);
  await vscode.workspace.applyEdit(change);
}

export async function closeEditors(): Promise<void> {
  while (vscode.window.tabGroups.all.some(({ tabs }) => tabs.length > 0)) {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
}
