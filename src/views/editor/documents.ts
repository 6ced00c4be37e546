import * as vscode from 'vscode';
import { setContext } from '../../host/contextKeys.js';
import { extensionId } from '../../host/ids.js';
import type { Organizations } from '../../host/organizations/organizations.js';
import type { Services } from '../../host/services.js';
import { type Pass, TrackedDocument } from '../../model/references/document.js';
import type { ReferenceIndex } from '../../model/references/index.js';
import { Mentions, ReferenceTargets } from '../../model/references/known.js';
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
  let known: ReferenceTargets | undefined;
  let index: ReferenceIndex | undefined;
  /** What ids mean as of the store's last event, made when somebody asks. */
  const targets = (): ReferenceTargets => {
    known ??= new ReferenceTargets(store.deployments, index);
    index = known.index;
    return known;
  };
  const diagnostics = new EditorDiagnostics(settings, impact);
  const mentions = new Mentions<vscode.TextDocument>(mentioned);
  const slices = new Slices();
  const tracked = new Map<vscode.TextDocument, TrackedDocument<vscode.TextDocument>>();
  let { organizationId } = store;

  const pass: Pass<vscode.TextDocument> = {
    slices,
    index: () => targets().index,
    *report(document, references) {
      const meant = targets();
      const ids = yield* diagnostics.report(document, references, meant);
      mentions.set(document, new Set([...ids].filter((id) => meant.of(id).deployment)));
    },
  };
  const open = (document: vscode.TextDocument) => {
    if (isDiagnosed(document) && !tracked.has(document)) tracked.set(document, new TrackedDocument(document, pass));
  };
  const close = (document: vscode.TextDocument) => {
    tracked.get(document)?.dispose();
    if (!tracked.delete(document)) return;
    diagnostics.close(document);
    mentions.set(document, new Set());
  };
  const hasDashboard = () => settings.dashboardUrl !== '';
  const provideHover = (document: vscode.TextDocument, position: vscode.Position) => {
    const reference = hasHovers(document) ? targets().at(document, position)[0] : undefined;
    if (reference === undefined) return undefined;
    setContext('hasSeenHover', true);
    const range = new vscode.Range(position.line, reference.start, position.line, reference.end);
    const context = {
      organization: organizations.current,
      now: Date.now(),
      isVisible: diagnostics.visibleAt(document, range),
      hasDashboard: hasDashboard(),
      impact,
    };
    return new vscode.Hover(referenceHover(targets().of(reference.id), context), range);
  };
  const targetsAt = (document: vscode.TextDocument, { start, end }: vscode.Range) =>
    targets()
      .at(document, start)
      .filter((reference) => reference.start === start.character && reference.end === end.character)
      .map(({ id }) => targets().of(id));

  for (const document of vscode.workspace.textDocuments) open(document);
  return vscode.Disposable.from(
    vscode.workspace.onDidOpenTextDocument(open),
    vscode.workspace.onDidCloseTextDocument(close),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) =>
      tracked.get(document)?.edit(contentChanges),
    ),
    store.onDidChange(() => {
      known = undefined;
      for (const document of tracked.values()) {
        // For another organization the ids mean something else.
        if (store.organizationId === organizationId) document.request();
        else document.restart();
      }
      organizationId = store.organizationId;
    }),
    settings.onDidChange(() => {
      for (const document of tracked.values()) document.request();
    }),
    vscode.languages.registerHoverProvider('*', { provideHover }),
    vscode.languages.registerCodeActionsProvider(
      diagnosedSchemes.map((scheme) => ({ scheme })),
      {
        provideCodeActions: (document, _range, context) =>
          quickFixes(context.diagnostics, (range) => targetsAt(document, range), hasDashboard()),
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
