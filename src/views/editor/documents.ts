import * as vscode from 'vscode';
import { stepDone } from '../../host/contextKeys.js';
import { extensionId } from '../../host/ids.js';
import type { Organizations } from '../../host/organizations/organizations.js';
import type { Services } from '../../host/services.js';
import { type Pass, TrackedDocument } from '../../model/references/document.js';
import type { ReferenceIndex } from '../../model/references/index.js';
import { Mentions, ReferenceTargets } from '../../model/references/known.js';
import { Slices } from '../../model/slices.js';
import { EditorDiagnostics } from './diagnostics.js';
import { referenceHover } from './hover.js';
import { QuickFixes } from './quickFixes.js';

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

/** The open documents whose references are kept, for as long as they are open. */
export class OpenDocuments implements vscode.Disposable {
  private readonly tracked = new Map<vscode.TextDocument, TrackedDocument<vscode.TextDocument>>();
  private readonly slices = new Slices();
  private readonly subscriptions: vscode.Disposable;

  constructor(
    private readonly pass: Omit<Pass<vscode.TextDocument>, 'slices'>,
    private readonly closed: (document: vscode.TextDocument) => void,
  ) {
    this.subscriptions = vscode.Disposable.from(
      vscode.workspace.onDidOpenTextDocument((document) => this.open(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.close(document)),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) =>
        this.tracked.get(document)?.edit(contentChanges),
      ),
    );
    for (const document of vscode.workspace.textDocuments) this.open(document);
  }

  /** To be called when the meaning of ids, or how it is reported, has changed. */
  requestAll(): void {
    for (const document of this.tracked.values()) document.request();
  }

  /** To be called when another organization is current, for which the ids mean something else. */
  restartAll(): void {
    for (const document of this.tracked.values()) document.restart();
  }

  dispose(): void {
    this.subscriptions.dispose();
    for (const document of this.tracked.values()) document.dispose();
    this.slices.dispose();
  }

  private open(document: vscode.TextDocument): void {
    if (!isDiagnosed(document) || this.tracked.has(document)) return;
    this.tracked.set(document, new TrackedDocument(document, { ...this.pass, slices: this.slices }));
  }

  private close(document: vscode.TextDocument): void {
    this.tracked.get(document)?.dispose();
    if (this.tracked.delete(document)) this.closed(document);
  }
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
  let { organizationId } = store;
  const diagnostics = new EditorDiagnostics(settings, impact);
  const mentions = new Mentions<vscode.TextDocument>(mentioned);
  const documents = new OpenDocuments(
    {
      index: () => targets().index,
      *report(document, references) {
        const meant = targets();
        const ids = yield* diagnostics.report(document, references, meant);
        mentions.set(document, new Set([...ids].filter((id) => meant.of(id).deployment)));
      },
    },
    (document) => {
      diagnostics.close(document);
      mentions.set(document, new Set());
    },
  );
  const hasDashboard = () => settings.dashboardUrl !== '';
  const hovers: vscode.HoverProvider = {
    provideHover(document, position) {
      const reference = hasHovers(document) ? targets().at(document, position)[0] : undefined;
      if (reference === undefined) return undefined;
      const target = targets().of(reference.id);
      stepDone('hasSeenHover');
      const range = new vscode.Range(position.line, reference.start, position.line, reference.end);
      const isVisible = diagnostics.visibleAt(document, range);
      return new vscode.Hover(
        referenceHover(target, organizations.current, Date.now(), isVisible, hasDashboard(), impact),
        range,
      );
    },
  };
  const quickFixes = new QuickFixes(
    (document, { start, end }) =>
      targets()
        .at(document, start)
        .filter((reference) => reference.start === start.character && reference.end === end.character)
        .map(({ id }) => targets().of(id)),
    hasDashboard,
  );
  return vscode.Disposable.from(
    documents,
    diagnostics,
    store.onDidChange(() => {
      known = undefined;
      if (store.organizationId === organizationId) documents.requestAll();
      else documents.restartAll();
      organizationId = store.organizationId;
    }),
    settings.onDidChange(() => documents.requestAll()),
    vscode.languages.registerHoverProvider('*', hovers),
    vscode.languages.registerCodeActionsProvider(
      diagnosedSchemes.map((scheme) => ({ scheme })),
      quickFixes,
      QuickFixes.metadata,
    ),
  );
}
