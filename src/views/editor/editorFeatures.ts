import * as vscode from 'vscode';
import { setTimer } from '../../api/timers.js';
import { setContext } from '../../host/contextKeys.js';
import { workspacePath } from '../../host/folderNames.js';
import { configurationSection, extensionId, internalCommandIds } from '../../host/ids.js';
import type { Services } from '../../host/services.js';
import { DisposableOwner } from '../../model/base/disposableOwner.js';
import { lazy } from '../../model/base/lazy.js';
import { DocumentScans } from '../../model/references/documentScans.js';
import { outsideOwnSettings } from '../../model/references/ownSettings.js';
import { ReferenceTargets } from '../../model/references/targets.js';
import { type ReferenceInLine, referencesInLines } from '../../model/references/textPositions.js';
import { accountHover, deploymentHover } from '../hover.js';
import type { HoverContext } from '../hoverContext.js';
import {
  ambiguousNames,
  diagnosticsOf,
  problemsShownAt,
  settingsScopeOf,
  type WithFolderName,
} from './diagnostics.js';
import { labelHints } from './inlayHints.js';
import { quickFixes } from './quickFixes.js';
import { type TerminalLink, terminalLinks } from './terminalLinks.js';

/** Schemes of the documents that have diagnostics, and whose IDs count as mentioned. */
const diagnosedSchemes = [
  'file',
  'untitled',
  'vscode-remote',
  'vscode-vfs',
  'vscode-userdata',
  'vscode-notebook-cell',
];

/** VS Code's consoles and input boxes are documents, too, but belong to no project. */
const schemesWithoutHovers = new Set([
  'output',
  'debug',
  'vscode-scm',
  'comment',
  'chatSessionInput',
  'vscode-interactive-input',
]);

export function isDiagnosed({ uri }: Pick<vscode.TextDocument, 'uri'>): boolean {
  return diagnosedSchemes.includes(uri.scheme) && !isOwnLog(uri);
}

export function hasHovers({ uri }: Pick<vscode.TextDocument, 'uri'>): boolean {
  return !schemesWithoutHovers.has(uri.scheme) && !isOwnLog(uri);
}

/** Whether the file is this extension's log. VS Code names the folder of its logs after its ID. */
function isOwnLog({ path }: vscode.Uri): boolean {
  return path.endsWith('.log') && path.toLowerCase().includes(`/${extensionId}/`);
}

/** A scan of so many characters takes about 40 ms. */
const maxScannedChars = 2 * 1024 * 1024;

/**
 * Shows in documents and terminals what is known of the deployments and accounts whose IDs stand
 * there: diagnostics with quick fixes, hovers, inlay hints, and links. Owns the scans of the open
 * documents, and renders the store's findings. `App` makes it.
 */
export class EditorFeatures extends DisposableOwner {
  private readonly targets: ReferenceTargets;
  private readonly diagnostics = this.own(
    vscode.languages.createDiagnosticCollection(configurationSection),
  );
  private readonly hintsChanged = this.own(new vscode.EventEmitter<void>());
  private readonly scans: DocumentScans<vscode.TextDocument>;
  /** The documents of which the log says that they are too large. */
  private readonly loggedAsTooLarge = new WeakSet<vscode.TextDocument>();
  /** The organization that the diagnostics are about. */
  private organizationId: string | undefined;
  /** Names of several failed accounts, as `ambiguousNames` returns them. */
  private ambiguousNames: () => ReadonlySet<string>;

  /** `onMentioned` gets the IDs in all open documents whenever they have changed. */
  constructor(
    private readonly services: Services,
    onMentioned: (ids: ReadonlySet<string>) => void,
  ) {
    super();
    const { store, settings, deploymentList, memory } = services;
    this.targets = new ReferenceTargets(services);
    this.organizationId = store.organizationId;
    this.ambiguousNames = lazy(() => ambiguousNames(store.deployments, memory));
    this.scans = this.own(
      new DocumentScans<vscode.TextDocument>({
        index: this.targets.index,
        setTimer,
        onMentioned,
        textOf: (document) => this.textToScan(document),
        shownOf: ({ uri }, references, text) =>
          outsideOwnSettings(references, uri.path, () => text),
        show: (document, references) => this.showDiagnostics(document, references),
      }),
    );

    for (const document of vscode.workspace.textDocuments) this.opened(document);
    this.own(vscode.workspace.onDidOpenTextDocument((document) => this.opened(document)));
    this.own(vscode.workspace.onDidCloseTextDocument((document) => this.closed(document)));
    this.own(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.scans.handleEdit(document);
      }),
    );
    this.own(store.onDidChange(() => this.storeChanged()));
    // The settings of a folder can change a label that the list of all folders together does not
    // have.
    this.own(settings.onDidChange(() => this.showAgain()));
    this.own(deploymentList.onDidChange(() => this.showAgain()));
    this.registerProviders();
  }

  private registerProviders(): void {
    const { diagnostics, services, targets } = this;
    const selector = diagnosedSchemes.map((scheme) => ({ scheme }));

    this.own(
      vscode.languages.registerHoverProvider('*', {
        provideHover: (document, position) => this.hoverAt(document, position),
      }),
    );
    this.own(
      vscode.languages.registerCodeActionsProvider(
        selector,
        {
          provideCodeActions: ({ uri }, _range, context) =>
            quickFixes(context.diagnostics, diagnostics.get(uri) ?? [], (problem) =>
              services.memory.notifies(problem),
            ),
        },
        { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
      ),
    );
    this.own(
      vscode.languages.registerInlayHintsProvider(selector, {
        onDidChangeInlayHints: this.hintsChanged.event,
        provideInlayHints: (document, range) => this.hintsIn(document, range),
      }),
    );
    this.own(
      vscode.window.registerTerminalLinkProvider({
        provideTerminalLinks: ({ line }) => terminalLinks(line, targets),
        handleTerminalLink: ({ deploymentId }: TerminalLink) =>
          vscode.commands.executeCommand(internalCommandIds.revealDeployment, deploymentId),
      }),
    );
  }

  private opened(document: vscode.TextDocument): void {
    if (isDiagnosed(document)) this.scans.open(document);
  }

  private closed(document: vscode.TextDocument): void {
    this.scans.close(document);
    this.diagnostics.delete(document.uri);
  }

  private storeChanged(): void {
    const { store, memory } = this.services;
    this.targets.update();
    this.ambiguousNames = lazy(() => ambiguousNames(store.deployments, memory));
    // For another organization the IDs mean something else.
    if (store.organizationId !== this.organizationId) this.diagnostics.clear();
    this.organizationId = store.organizationId;
    this.showAgain();
  }

  private showAgain(): void {
    this.scans.showAgain();
    this.hintsChanged.fire();
  }

  /** Returns `undefined`, and logs it once for each document, if the text is too large. */
  private textToScan(document: vscode.TextDocument): string | undefined {
    const text = document.getText();
    if (text.length <= maxScannedChars) return text;
    if (!this.loggedAsTooLarge.has(document)) {
      const path = workspacePath(document.uri);
      this.services.log.info(`${path} has more than 2 MB: its IDs are not underlined.`);
    }
    this.loggedAsTooLarge.add(document);
    return undefined;
  }

  /**
   * Sets equal diagnostics anew, because VS Code draws squiggles only when they are set, and loses
   * them when a file changes on disk.
   */
  private showDiagnostics(
    document: vscode.TextDocument,
    references: readonly ReferenceInLine[],
  ): void {
    if (references.length === 0 && !this.diagnostics.has(document.uri)) return;
    const { settings, impact, deploymentList } = this.services;
    const diagnostics = diagnosticsOf(document, references, {
      targets: this.targets,
      ambiguousNames: this.ambiguousNames,
      settings,
      impact,
      deploymentList,
    });
    this.diagnostics.set(document.uri, diagnostics);
  }

  /**
   * Returns `undefined` where no ID of a deployment or an account is, and in documents without
   * hovers.
   */
  private hoverAt(
    document: vscode.TextDocument,
    { line, character }: vscode.Position,
  ): vscode.Hover | undefined {
    if (!hasHovers(document)) return undefined;
    const { text } = document.lineAt(line);
    const reference = this.targets.index.referenceAt(text, character, document.languageId);
    if (reference === undefined) return undefined;
    setContext('hasSeenHover', true);

    const withFolderName = this.namesIn(document);
    const range = new vscode.Range(line, reference.start, line, reference.end);
    const context = this.hoverContext(document, range, withFolderName);
    const { deployment, account } = this.targets.targetOf(reference.id);
    const hovers: vscode.MarkdownString[] = [];
    if (deployment) hovers.push(deploymentHover(withFolderName(deployment), context));
    if (account) hovers.push(accountHover(account.finding, account.deployment, context));
    return new vscode.Hover(hovers, range);
  }

  private hoverContext(
    document: vscode.TextDocument,
    range: vscode.Range,
    withFolderName: WithFolderName,
  ): HoverContext {
    const { store, organizations, settings, impact } = this.services;
    const { memory, muteEntries, owners } = this.services;
    return {
      organization: organizations.current,
      isOneOfSeveral: organizations.list.length > 1,
      cause: store.cause,
      now: Date.now(),
      isShownByEditor: problemsShownAt(document, range, this.diagnostics.get(document.uri)),
      hasDashboard: settings.dashboardUrl !== '',
      impact: impactWithNames(impact, withFolderName),
      memory,
      muteEntries,
      owners,
    };
  }

  /**
   * Scans the lines that VS Code asks for as they are now: each edit has moved what an earlier scan
   * found.
   */
  private hintsIn(document: vscode.TextDocument, range: vscode.Range): vscode.InlayHint[] {
    const { targets } = this;
    if (!isDiagnosed(document)) return [];
    if (this.services.settings.inlayHints(settingsScopeOf(document)) !== 'labels') return [];
    if (targets.index.ids.size === 0) return [];

    const { start, end } = document.validateRange(range);
    const lines = new vscode.Range(
      start.with({ character: 0 }),
      document.lineAt(end.line).range.end,
    );
    const text = document.getText(lines);
    if (text.length > maxScannedChars) return [];

    const spans = targets.index.scan(text, document.languageId);
    const references = referencesInLines(spans, text, start.line);
    const shown = outsideOwnSettings(references, document.uri.path, () => document.getText());
    return labelHints(shown, targets, this.namesIn(document));
  }

  private namesIn(document: vscode.TextDocument): WithFolderName {
    return this.services.deploymentList.namesIn(settingsScopeOf(document).uri);
  }
}

/** Returns an impact whose deployments have the names of one folder. */
function impactWithNames(
  impact: HoverContext['impact'],
  withFolderName: WithFolderName,
): HoverContext['impact'] {
  return {
    deploymentsWith: (accountId) => impact.deploymentsWith(accountId).map(withFolderName),
    disputedAccountsIn: (deploymentId) => impact.disputedAccountsIn(deploymentId),
    isDisputed: (accountId) => impact.isDisputed(accountId),
    newestIfWorking: (deploymentId, accountId) => {
      const newest = impact.newestIfWorking(deploymentId, accountId);
      if (newest === undefined) return undefined;
      return { ...newest, deployment: withFolderName(newest.deployment) };
    },
  };
}
