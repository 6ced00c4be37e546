import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { DeploymentAuthorization } from '../../../src/api/authorization.js';
import { ApiError } from '../../../src/api/failure.js';
import { Settings } from '../../../src/host/settings.js';
import type { ListedDeployment } from '../../../src/model/deployment.js';
import { Impact } from '../../../src/model/problems/impact.js';
import { ProblemMemory } from '../../../src/model/problems/problemMemory.js';
import { Store } from '../../../src/model/store/store.js';
import { systemClock } from '../../../src/model/time.js';
import { editorFeatures } from '../../../src/views/editor/documents.js';
import { WorkspaceState } from '../workspaceState.js';
import { organization } from './fixtures.js';

export type World = ReturnType<typeof createWorld>;

/** What editors show, on a real store whose answers a test puts. */
export function createWorld(...listed: readonly ListedDeployment[]) {
  /** By deployment id; one without is not found. */
  const answers = new Map<string, DeploymentAuthorization>();
  /** The ids that open documents mention, newest last. */
  const mentioned: string[] = [];
  const logged: string[] = [];
  let time = Date.now() - 1000;
  const settings = new Settings({ warn: () => undefined });
  const memory = new ProblemMemory({ ...systemClock, state: new WorkspaceState(), log: console });
  const store = new Store({ ...systemClock, memory, pausedUntil: () => undefined });
  store.setListed(listed);
  store.setOrganization({
    id: organization.id,
    read: async (id) => {
      const value = answers.get(id);
      if (!value) throw new ApiError({ kind: 'notFound', status: 404 });
      // Each answer is newer than the one before, however fast they come.
      return { value, decodeIssues: [], sentAt: time, receivedAt: ++time };
    },
  });
  const log = { info: (line: string) => void logged.push(line) };
  const watches = { has: () => false };
  const services = {
    store,
    settings,
    organizations: { current: organization },
    impact: new Impact(store),
    owners: { of: () => undefined },
    watches,
    log,
  };
  const features = editorFeatures(services, (ids) => {
    const now = [...ids].toSorted().join(' ');
    if (now !== mentioned.at(-1)) mentioned.push(now);
  });
  const dispose = () => vscode.Disposable.from(features, store, settings).dispose();
  return { store, answers, mentioned, logged, dispose };
}

/** A document that is open without an editor: an untitled one stays until it is reverted. */
export async function untitled(content: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument({ content, language: 'plaintext' });
  if (document.getText() === content) return document;
  // It has got the name and the text of one that VS Code has not quite closed.
  await closeEverything();
  return untitled(content);
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

/** Asks again and again; says in the end what it saw last. */
export async function until(what: string, ask: () => boolean, seen: () => unknown = ask): Promise<void> {
  const end = Date.now() + 8000;
  while (!ask()) {
    if (Date.now() > end) throw new Error(`Waited in vain for ${what}; seen: ${JSON.stringify(seen(), undefined, 1)}`);
    await pause(10);
  }
}

export async function configure(key: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration(undefined, null).update(key, value, vscode.ConfigurationTarget.Workspace);
}

export async function closeEverything(): Promise<void> {
  for (const document of vscode.workspace.textDocuments.filter(({ isUntitled }) => isUntitled)) {
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  // A new one gets the name of one that is closed, and until then also its text.
  await until('untitled documents to close', () => vscode.workspace.textDocuments.every((one) => !one.isUntitled));
}
