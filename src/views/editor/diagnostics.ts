import * as vscode from 'vscode';
import { productName } from '../../host/ids.js';
import type { Services } from '../../host/services.js';
import type { DiagnosticLevel } from '../../host/settings.js';
import { failedAccountId } from '../../host/text/deployment.js';
import { clockTime, numberText, plural, sentences } from '../../host/text/format.js';
import { problemMessage } from '../../host/text/problem.js';
import type { DeploymentProblem } from '../../model/deployment.js';
import { inertPlain } from '../../model/inertText.js';
import { lazy } from '../../model/lazy.js';
import type { Problem } from '../../model/problems/findings.js';
import type { Reference } from '../../model/references/referenceIndex.js';
import type { ReferenceTargets } from '../../model/references/targets.js';

const maxSentenceChars = 850;
const maxCodeChars = 100;
const maxDiagnostics = 200;

const severities: Readonly<Record<DiagnosticLevel, vscode.DiagnosticSeverity | undefined>> = {
  off: undefined,
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
};

/** `receivedAt`: when the answer came that says so; `shared`: in how many listed deployments a failed account is. */
export function problemDiagnostic(
  problem: Problem,
  range: vscode.Range,
  severity: vscode.DiagnosticSeverity,
  receivedAt: number,
  now: number,
  shared = 0,
): vscode.Diagnostic {
  const message = sentences(sentenceOf(problem), othersText(shared - 1), readText(receivedAt, now));
  const diagnostic = new vscode.Diagnostic(range, message, severity);
  const code = problem.kind === 'failedAccount' ? problem.finding.account.error?.code : undefined;
  diagnostic.code = inertPlain(code || 'not-satisfied', maxCodeChars);
  diagnostic.source = productName;
  return diagnostic;
}

function sentenceOf(problem: Problem): string {
  return inertPlain(problemMessage(problem), maxSentenceChars);
}

function othersText(count: number): string | undefined {
  if (count < 1) return undefined;
  const values = { count: numberText(count) };
  return plural(
    count,
    vscode.l10n.t('Also in {count} other deployment.', values),
    vscode.l10n.t('Also in {count} other deployments.', values),
  );
}

/** No age, because a diagnostic stands unchanged until the next answer or edit. */
function readText(at: number, now: number): string {
  return new Date(at).toDateString() === new Date(now).toDateString()
    ? vscode.l10n.t('Read at {time}. State of the service, not of this file.', { time: clockTime(at, at) })
    : vscode.l10n.t('Read on {time}. State of the service, not of this file.', { time: clockTime(at, Infinity) });
}

/** Stands last in a document that has too many. */
function moreDiagnostic(count: number, range: vscode.Range): vscode.Diagnostic {
  const values = { count: numberText(count) };
  const message = plural(
    count,
    vscode.l10n.t('{count} more problem in this document is not shown.', values),
    vscode.l10n.t('{count} more problems in this document are not shown.', values),
  );
  const diagnostic = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Information);
  diagnostic.source = productName;
  return diagnostic;
}

/** Of one document, whose text is the one that the references were found in. */
export function diagnosticsOf(
  document: vscode.TextDocument,
  references: readonly Reference[],
  targets: ReferenceTargets,
  { settings, impact }: Pick<Services, 'settings' | 'impact'>,
): readonly vscode.Diagnostic[] {
  const now = Date.now();
  // Reading the settings of a resource takes time, so it is done only if there is something to report.
  const severityOf = lazy((): Readonly<Record<Problem['kind'], vscode.DiagnosticSeverity | undefined>> => {
    const resource = settingsResource(document);
    return {
      failedAccount: severities[settings.failedAccounts(resource)],
      unsatisfiedRequirement: severities[settings.unsatisfiedRequirements(resource)],
    };
  });
  const problemsOf = (id: string) =>
    targets.problemsOf(id).filter(({ problem }) => severityOf()[problem.kind] !== undefined);
  const problemsById = new Map<string, readonly DeploymentProblem[]>();
  const found: (DeploymentProblem & { readonly reference: Reference })[] = [];
  let count = 0;
  for (const reference of references) {
    const problems = problemsById.get(reference.id) ?? problemsOf(reference.id);
    problemsById.set(reference.id, problems);
    count += problems.length;
    const room = maxDiagnostics + 1 - found.length;
    for (const problem of problems.slice(0, room)) found.push({ ...problem, reference });
  }
  const rangeOf = ({ start, end }: Reference) => new vscode.Range(document.positionAt(start), document.positionAt(end));
  const diagnostics = found.slice(0, maxDiagnostics).map(({ deployment, problem, reference }) => {
    const receivedAt = deployment.answer?.receivedAt ?? now;
    const shared = impact.count(failedAccountId(problem));
    return problemDiagnostic(problem, rangeOf(reference), severityOf()[problem.kind]!, receivedAt, now, shared);
  });
  const next = found[maxDiagnostics];
  if (next) diagnostics.push(moreDiagnostic(count - maxDiagnostics, rangeOf(next.reference)));
  return diagnostics;
}

/**
 * Which problems VS Code itself shows where the pointer is, because a hover there repeats nothing of them. Of all diagnostics of the
 * document it shows none while `problems.visibility` is off, and none on the left side of a diff.
 */
export function visibleAt(document: vscode.TextDocument, range: vscode.Range, all: readonly vscode.Diagnostic[] = []) {
  const isVisible = vscode.workspace.getConfiguration('problems', document).get('visibility', true);
  const shown = isVisible && !isOriginal(document) ? all.filter((one) => one.range.isEqual(range)) : [];
  return (problem: Problem) => shown.some((diagnostic) => isAbout(diagnostic, problem));
}

export function isAbout({ message }: vscode.Diagnostic, problem: Problem): boolean {
  return message.startsWith(sentenceOf(problem));
}

/** Whether a diff in front has the document on its left side, which can't be edited and therefore has no marks. */
function isOriginal({ uri }: vscode.TextDocument): boolean {
  return vscode.window.tabGroups.all.some(
    ({ activeTab }) =>
      activeTab?.input instanceof vscode.TabInputTextDiff && activeTab.input.original.toString() === uri.toString(),
  );
}

/** Whose settings count for a document. A cell's own address is in no workspace folder: its notebook's is. */
export function settingsResource({ uri }: Pick<vscode.TextDocument, 'uri'>): vscode.Uri {
  if (uri.scheme !== 'vscode-notebook-cell') return uri;
  const notebook = vscode.workspace.notebookDocuments.find((candidate) =>
    candidate.getCells().some(({ document }) => document.uri.toString() === uri.toString()),
  );
  return notebook?.uri ?? uri;
}
