import * as vscode from 'vscode';
import { setTimer } from '../../api/timers.js';
import { setContext } from '../../host/contextKeys.js';
import { workspacePath } from '../../host/folderNames.js';
import { configurationSection, extensionId, internalCommandIds } from '../../host/ids.js';
import type { Services } from '../../host/services.js';
import { lazy } from '../../model/base/lazy.js';
import type { Deployment } from '../../model/findings/deployment.js';
import { DocumentScans } from '../../model/references/documentScans.js';
import { outsideOwnSettings } from '../../model/references/ownSettings.js';
import { ReferenceTargets } from '../../model/references/targets.js';
import { urlsIn } from '../../model/references/terminalUrls.js';
import { referencesInLines } from '../../model/references/textPositions.js';
import { accountHover, deploymentHover } from '../hover.js';
import type { HoverContext } from '../hoverContext.js';
import { ambiguousNames, diagnosticsOf, settingsScope, visibleAt } from './diagnostics.js';
import { labelHints } from './inlayHints.js';
import { quickFixes } from './quickFixes.js';

/** Schemes of the documents that have diagnostics, and whose ids count as mentioned. */
const diagnosed = [
  'file',
  'untitled',
  'vscode-remote',
  'vscode-vfs',
  'vscode-userdata',
  'vscode-notebook-cell',
];

/** VS Code's consoles and input boxes are documents too, but belong to no project. */
const unread = new Set([
  'output',
  'debug',
  'vscode-scm',
  'comment',
  'chatSessionInput',
  'vscode-interactive-input',
]);

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

/** Characters. A scan of so many takes about 40 ms. */
const maxScannedCharacters = 2 * 1024 * 1024;

/** References, diagnostics, hovers and quick fixes: all of them render the store's findings, none keeps data of its own. */
export function editorFeatures(
  services: Services,
  onMentioned: (ids: ReadonlySet<string>) => void,
): vscode.Disposable {
  const { store, organizations, settings, deploymentList, impact, memory, owners, log } = services;
  const targets = new ReferenceTargets(services);
  const collection = vscode.languages.createDiagnosticCollection(configurationSection);
  const tooLarge = new WeakSet<vscode.TextDocument>();
  let { organizationId } = store;
  let ambiguous = lazy(() => ambiguousNames(store.deployments, memory));

  const scans = new DocumentScans<vscode.TextDocument>({
    index: targets.index,
    setTimer,
    onMentioned,
    textOf: (document) => {
      const text = document.getText();
      if (text.length <= maxScannedCharacters) return text;
      if (!tooLarge.has(document)) {
        log.info(`${workspacePath(document.uri)} has more than 2 MB: its IDs are not underlined.`);
      }
      tooLarge.add(document);
      return undefined;
    },
    shownOf: ({ uri }, references, text) => outsideOwnSettings(references, uri.path, () => text),
    show: (document, references) => {
      // Equal ones too, because VS Code draws squiggles anew only when they are set, and loses them when a file changes on disk.
      if (references.length > 0 || collection.has(document.uri)) {
        collection.set(
          document.uri,
          diagnosticsOf(document, references, targets, ambiguous, services),
        );
      }
    },
  });
  const open = (document: vscode.TextDocument) => {
    if (isDiagnosed(document)) scans.open(document);
  };
  const close = (document: vscode.TextDocument) => {
    scans.close(document);
    collection.delete(document.uri);
  };
  const selector = diagnosed.map((scheme) => ({ scheme }));
  const provideHover = (document: vscode.TextDocument, { line, character }: vscode.Position) => {
    if (!hasHovers(document)) return undefined;
    const reference = targets.index.at(document.lineAt(line).text, character, document.languageId);
    if (reference === undefined) return undefined;
    setContext('hasSeenHover', true);
    const namedHere = deploymentList.namesIn(settingsScope(document).uri);
    const range = new vscode.Range(line, reference.start, line, reference.end);
    const context = {
      organization: organizations.current,
      isOneOfSeveral: organizations.list.length > 1,
      cause: store.cause,
      now: Date.now(),
      isPublished: visibleAt(document, range, collection.get(document.uri)),
      hasDashboard: settings.dashboardUrl !== '',
      impact: withNames(impact, namedHere),
      memory,
      owners,
    };
    const { deployment, account } = targets.of(reference.id);
    const hovers = [
      ...(deployment ? [deploymentHover(namedHere(deployment), context)] : []),
      ...(account ? [accountHover(account.finding, account.deployment, context)] : []),
    ];
    return new vscode.Hover(hovers, range);
  };

  const hintsChanged = new vscode.EventEmitter<void>();
  // Reads the lines that VS Code asks for, as they are now: what an earlier scan found has moved with each edit since.
  const provideInlayHints = (document: vscode.TextDocument, range: vscode.Range) => {
    const isWanted =
      isDiagnosed(document) && settings.inlayHints(settingsScope(document)) === 'labels';
    if (!isWanted || targets.index.ids.size === 0) return [];
    const { start, end } = document.validateRange(range);
    const lines = new vscode.Range(
      start.with({ character: 0 }),
      document.lineAt(end.line).range.end,
    );
    const text = document.getText(lines);
    if (text.length > maxScannedCharacters) return [];
    const references = referencesInLines(
      targets.index.scan(text, document.languageId),
      text,
      start.line,
    );
    const shown = outsideOwnSettings(references, document.uri.path, () => document.getText());
    return labelHints(shown, targets, deploymentList.namesIn(settingsScope(document).uri));
  };

  for (const document of vscode.workspace.textDocuments) open(document);
  return vscode.Disposable.from(
    vscode.workspace.onDidOpenTextDocument(open),
    vscode.workspace.onDidCloseTextDocument(close),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) scans.edited(document);
    }),
    store.onDidChange(() => {
      targets.update();
      ambiguous = lazy(() => ambiguousNames(store.deployments, memory));
      // For another organization the ids mean something else.
      if (store.organizationId !== organizationId) collection.clear();
      organizationId = store.organizationId;
      scans.showAgain();
      hintsChanged.fire();
    }),
    // The settings of a folder can change a label that the list of all folders together does not have.
    ...[settings, deploymentList].map((one) =>
      one.onDidChange(() => {
        scans.showAgain();
        hintsChanged.fire();
      }),
    ),
    hintsChanged,
    vscode.languages.registerHoverProvider('*', { provideHover }),
    vscode.languages.registerCodeActionsProvider(
      selector,
      {
        provideCodeActions: ({ uri }, _range, { diagnostics }) =>
          quickFixes(diagnostics, collection.get(uri) ?? [], (problem) => memory.notifies(problem)),
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
    vscode.languages.registerInlayHintsProvider(selector, {
      onDidChangeInlayHints: hintsChanged.event,
      provideInlayHints,
    }),
    vscode.window.registerTerminalLinkProvider({
      provideTerminalLinks: ({ line }) => deploymentLinks(line, targets),
      handleTerminalLink: ({ deploymentId }: DeploymentLink) =>
        vscode.commands.executeCommand(internalCommandIds.revealDeployment, deploymentId),
    }),
    scans,
    collection,
  );
}

const maxTerminalLineChars = 2000;

interface DeploymentLink extends vscode.TerminalLink {
  readonly deploymentId: string;
}

export function deploymentLinks(line: string, targets: ReferenceTargets): DeploymentLink[] {
  if (line.length > maxTerminalLineChars) return [];
  const tooltip = vscode.l10n.t('Reveal in Deployments View');
  const urls = urlsIn(line);
  return targets.index.scan(line, 'plaintext').flatMap(({ id, start, end }) => {
    const link = { startIndex: start, length: end - start, tooltip, deploymentId: id };
    const isInUrl = urls.some((url) => start < url.end && url.start < end);
    return targets.of(id).deployment && !isInUrl ? link : [];
  });
}

/** With the names that deployments have in one folder. */
function withNames(
  impact: HoverContext['impact'],
  namedHere: (deployment: Deployment) => Deployment,
): HoverContext['impact'] {
  return {
    deploymentsWith: (accountId) => impact.deploymentsWith(accountId).map(namedHere),
    disputedIn: (deploymentId) => impact.disputedIn(deploymentId),
    isDisputed: (accountId) => impact.isDisputed(accountId),
    fixSeenElsewhere: (deploymentId, accountId) => {
      const newest = impact.fixSeenElsewhere(deploymentId, accountId);
      return newest && { ...newest, deployment: namedHere(newest.deployment) };
    },
  };
}
