import * as vscode from 'vscode';
import type { Organizations } from '../../host/organizations/organizations.js';
import type { Services } from '../../host/services.js';
import { stepDone } from '../../host/walkthroughSteps.js';
import { diagnosedSchemes, hasHovers } from './documentKinds.js';
import { EditorDiagnostics } from './editorDiagnostics.js';
import { KnownReferences } from './knownReferences.js';
import { Mentions } from './mentions.js';
import { OpenDocuments } from './openDocuments.js';
import { QuickFixes } from './quickFixes.js';
import { referenceHover } from './referenceHover.js';

export interface EditorServices extends Pick<Services, 'store' | 'settings'> {
  readonly organizations: Pick<Organizations, 'current'>;
}

/** References, diagnostics, hovers and quick fixes: all of them render the store's findings, none keeps data of its own. */
export function editorFeatures(
  { store, organizations, settings }: EditorServices,
  mentioned: (deploymentIds: ReadonlySet<string>) => void,
): vscode.Disposable {
  const known = new KnownReferences(store);
  let { organizationId } = store;
  const diagnostics = new EditorDiagnostics(settings);
  const mentions = new Mentions<vscode.TextDocument>(mentioned);
  const documents = new OpenDocuments(
    {
      index: () => known.index,
      *report(document, references) {
        const { targets } = known;
        const ids = yield* diagnostics.report(document, references, targets);
        mentions.set(document, new Set([...ids].filter((id) => targets.of(id).deployment)));
      },
    },
    (document) => {
      diagnostics.close(document);
      mentions.set(document, undefined);
    },
  );
  const hovers: vscode.HoverProvider = {
    provideHover(document, position) {
      const reference = hasHovers(document) ? known.at(document, position)[0] : undefined;
      if (reference === undefined) return undefined;
      const target = known.targets.of(reference.id);
      // An id that an older index still finds.
      if (!target.deployment && !target.account) return undefined;
      stepDone('hasSeenHover');
      const range = new vscode.Range(position.line, reference.start, position.line, reference.end);
      return new vscode.Hover(referenceHover(target, organizations.current, Date.now()), range);
    },
  };
  const quickFixes = new QuickFixes((document, { start, end }) =>
    known
      .at(document, start)
      .filter((reference) => reference.start === start.character && reference.end === end.character)
      .map(({ id }) => known.targets.of(id)),
  );
  return vscode.Disposable.from(
    documents,
    diagnostics,
    store.onDidChange(() => {
      known.invalidate();
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
