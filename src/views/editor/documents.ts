import * as vscode from 'vscode';
import { setContext } from '../../host/contextKeys.js';
import { extensionId } from '../../host/ids.js';
import type { Organizations } from '../../host/organizations/organizations.js';
import type { Services } from '../../host/services.js';
import { type Pass, TrackedDocument } from '../../model/references/document.js';
import { ReferenceTargets } from '../../model/references/known.js';
import { Slices } from '../../model/slices.js';
import { EditorDiagnostics } from './diagnostics.js';
import { referenceHover } from './hover.js';
import { quickFixes } from './quickFixes.js';

/** Documents whose references are kept: diagnostics stand in them, and their ids count as mentioned. */
const diagnosedSchemes: readonly string[] = [
  'file',
  'untitled',
  'vscode-remote',
  'vscode-vfs',
  'vscode-userdata',
  'vscode-notebook-cell',
];

/** Consoles and VS Code's input boxes are documents too, but no texts of people's projects. */
const unread = new Set(['output', 'debug', 'vscode-scm', 'comment', 'chatSessionInput', 'vscode-interactive-input']);

export function isDiagnosed({ uri }: Pick<vscode.TextDocument, 'uri'>): boolean {
  return diagnosedSchemes.includes(uri.scheme) && !isOwnLog(uri);
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
  { store, organizations, settings, impact }: EditorServices,
  mentioned: (deploymentIds: ReadonlySet<string>) => void,
): vscode.Disposable {
  let known = new ReferenceTargets([]);
  let isOld = true;
  /** What ids mean as of the store's last event, made when somebody asks. */
  const targets = (): ReferenceTargets => {
    if (isOld) known = new ReferenceTargets(store.deployments, known.index);
    isOld = false;
    return known;
  };
  const diagnostics = new EditorDiagnostics(settings, impact);
  const slices = new Slices();
  const tracked = new Map<vscode.TextDocument, TrackedDocument<vscode.TextDocument>>();
  const mentions = new Map<vscode.TextDocument, readonly string[]>();
  let { organizationId } = store;

  const tellMentioned = () => mentioned(new Set([...mentions.values()].flat()));
  const pass: Pass<vscode.TextDocument> = {
    slices,
    index: () => targets().index,
    *report(document, references) {
      mentions.set(document, yield* diagnostics.report(document, references, targets()));
      tellMentioned();
    },
  };
  const open = (document: vscode.TextDocument) => {
    if (isDiagnosed(document) && !tracked.has(document)) tracked.set(document, new TrackedDocument(document, pass));
  };
  const close = (document: vscode.TextDocument) => {
    tracked.get(document)?.dispose();
    if (!tracked.delete(document)) return;
    diagnostics.close(document);
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
      isVisible: diagnostics.visibleAt(document, range),
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
      diagnosedSchemes.map((scheme) => ({ scheme })),
      {
        provideCodeActions: (document, _range, context) =>
          quickFixes(document, context.diagnostics, targets(), hasDashboard()),
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
    {
      dispose: () => {
        for (const document of tracked.values()) document.dispose();
      },
    },
    slices,
    diagnostics,
  );
}
