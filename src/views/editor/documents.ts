import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { setContext } from '../../host/contextKeys.js';
import { configurationSection, extensionId } from '../../host/ids.js';
import type { Organizations } from '../../host/organizations/organizations.js';
import type { Services } from '../../host/services.js';
import { type Pass, TrackedDocument } from '../../model/references/document.js';
import { ReferenceTargets } from '../../model/references/known.js';
import { Slices } from '../../model/slices.js';
import { diagnosticsOf, visibleAt } from './diagnostics.js';
import { referenceHover } from './hover.js';
import { quickFixes } from './quickFixes.js';

/** Documents whose references are kept: diagnostics stand in them, and their ids count as mentioned. */
const diagnosed = ['file', 'untitled', 'vscode-remote', 'vscode-vfs', 'vscode-userdata', 'vscode-notebook-cell'];

/** Consoles and VS Code's input boxes are documents too, but no texts of people's projects. */
const unread = new Set(['output', 'debug', 'vscode-scm', 'comment', 'chatSessionInput', 'vscode-interactive-input']);

export function isDiagnosed({ uri }: Pick<vscode.TextDocument, 'uri'>): boolean {
  return diagnosed.includes(uri.scheme) && !isOwnLog(uri);
}

export function hasHovers({ uri }: Pick<vscode.TextDocument, 'uri'>): boolean {
  return !unread.has(uri.scheme) && !isOwnLog(uri);
}

/** Our log, opened as the file that it is: the folder of an extension's logs has its id for a name. */
function isOwnLog({ path }: vscode.Uri): boolean {
  return path.endsWith('.log') && path.toLowerCase().includes(`/${extensionId}/`);
}

interface EditorServices extends Pick<Services, 'store' | 'settings' | 'impact'> {
  readonly organizations: Pick<Organizations, 'current'>;
}

/** References, diagnostics, hovers and quick fixes: all of them render the store's findings, none keeps data of its own. */
export function editorFeatures(
  services: EditorServices,
  mentioned: (ids: ReadonlySet<string>) => void,
): vscode.Disposable {
  const { store, organizations, settings, impact } = services;
  let known = new ReferenceTargets([]);
  let isOld = true;
  /** What ids mean as of the store's last event, made when somebody asks. */
  const targets = (): ReferenceTargets => {
    if (isOld) known = new ReferenceTargets(store.deployments, known.index);
    isOld = false;
    return known;
  };
  const collection = vscode.languages.createDiagnosticCollection(configurationSection);
  const slices = new Slices();
  const tracked = new Map<vscode.TextDocument, TrackedDocument>();
  const mentions = new Map<vscode.TextDocument, readonly string[]>();
  let { organizationId } = store;

  let told: ReadonlySet<string> = new Set();
  const tellMentioned = () => {
    const now = new Set([...mentions.values()].flat());
    if (isDeepStrictEqual(now, told)) return;
    told = now;
    mentioned(now);
  };
  const passOver = (document: vscode.TextDocument): Pass => ({
    slices,
    index: () => targets().index,
    *report(references) {
      const { uri } = document;
      const { diagnostics, ids } = yield* diagnosticsOf(document, references, targets(), services);
      // Most passes find what is shown already, and setting it again would have VS Code draw all marks again.
      if (JSON.stringify(collection.get(uri) ?? []) !== JSON.stringify(diagnostics)) collection.set(uri, diagnostics);
      mentions.set(document, ids);
      tellMentioned();
    },
  });
  const open = (document: vscode.TextDocument) => {
    if (!isDiagnosed(document) || tracked.has(document)) return;
    tracked.set(document, new TrackedDocument(document, passOver(document)));
  };
  const close = (document: vscode.TextDocument) => {
    tracked.get(document)?.dispose();
    if (!tracked.delete(document)) return;
    collection.delete(document.uri);
    mentions.delete(document);
    tellMentioned();
  };
  const lookAgain = () => {
    for (const document of tracked.values()) document.request();
  };
  const hasDashboard = () => settings.dashboardUrl !== '';
  const provideHover = (document: vscode.TextDocument, { line, character }: vscode.Position) => {
    if (!hasHovers(document)) return undefined;
    const [reference] = targets().at(document.lineAt(line).text, character);
    if (reference === undefined) return undefined;
    setContext('hasSeenHover', true);
    const range = new vscode.Range(line, reference.start, line, reference.end);
    const context = {
      organization: organizations.current,
      now: Date.now(),
      isVisible: visibleAt(document, range, collection.get(document.uri)),
      hasDashboard: hasDashboard(),
      impact,
    };
    return new vscode.Hover(referenceHover(targets().of(reference.id), context), range);
  };

  for (const document of vscode.workspace.textDocuments) open(document);
  return vscode.Disposable.from(
    vscode.workspace.onDidOpenTextDocument(open),
    vscode.workspace.onDidCloseTextDocument(close),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) =>
      tracked.get(document)?.edit(contentChanges),
    ),
    store.onDidChange(() => {
      isOld = true;
      if (store.organizationId === organizationId) return lookAgain();
      // For another organization the ids mean something else.
      organizationId = store.organizationId;
      for (const document of vscode.workspace.textDocuments) {
        close(document);
        open(document);
      }
    }),
    settings.onDidChange(lookAgain),
    vscode.languages.registerHoverProvider('*', { provideHover }),
    vscode.languages.registerCodeActionsProvider(
      diagnosed.map((scheme) => ({ scheme })),
      {
        provideCodeActions: (document, _range, context) =>
          quickFixes(document, context.diagnostics, targets(), hasDashboard()),
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
    new vscode.Disposable(() => vscode.Disposable.from(...tracked.values()).dispose()),
    slices,
    collection,
  );
}
