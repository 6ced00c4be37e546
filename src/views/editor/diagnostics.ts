import * as vscode from 'vscode';
import type { Account } from '../../api/authorization.js';
import { productName } from '../../host/ids.js';
import type { Services } from '../../host/services.js';
import type { DiagnosticLevel, SettingsScope } from '../../host/settings.js';
import { numberText, plural } from '../../host/text/format.js';
import { accountWithId, accountWithService, problemText } from '../../host/text/problem.js';
import { lazy } from '../../model/base/lazy.js';
import { shortName } from '../../model/deploymentNames.js';
import type { Deployment, DeploymentProblem } from '../../model/findings/deployment.js';
import type { Problem } from '../../model/findings/findings.js';
import { accountName } from '../../model/findings/readings.js';
import { countedProblems, type Mutes } from '../../model/findings/state.js';
import { inertPlain, isolatedNames, shorten } from '../../model/inertText.js';
import type { Impact } from '../../model/problems/impact.js';
import type { ReferenceTargets } from '../../model/references/targets.js';
import type { ReferenceInLine } from '../../model/references/textPositions.js';

const maxDiagnosticChars = 850;
const maxCodeChars = 100;
const maxDiagnostics = 200;

const severities: Readonly<Record<DiagnosticLevel, vscode.DiagnosticSeverity | undefined>> = {
  off: undefined,
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
};

/** Where a problem is reported: one that VS Code gives back as a copy is found among these by its message. */
export class ProblemDiagnostic extends vscode.Diagnostic {
  constructor(
    range: vscode.Range,
    message: string,
    severity: vscode.DiagnosticSeverity,
    readonly about: DeploymentProblem,
  ) {
    super(range, isolatedNames(inertPlain(message, maxDiagnosticChars)), severity);
    const { problem } = about;
    const code = problem.kind === 'failedAccount' ? problem.finding.account.error?.code : undefined;
    this.code = inertPlain(code || 'not-satisfied', maxCodeChars);
    this.source = productName;
  }
}

/** What several failed accounts are called: there the IDs tell them apart. */
export function ambiguousNames(
  deployments: readonly Deployment[],
  memory: Mutes,
): ReadonlySet<string> {
  const ids = new Map<string, string | undefined>();
  const ambiguous = new Set<string>();
  const add = (name: string, id: string | undefined) => {
    if (ids.has(name) && ids.get(name) !== id) ambiguous.add(name);
    ids.set(name, id);
  };
  for (const { answer } of deployments) {
    for (const problem of countedProblems(answer?.findings, memory)) {
      if (problem.kind === 'failedAccount')
        add(nameKey(problem.finding.account), problem.finding.account.id);
    }
  }
  return ambiguous;
}

function nameKey(account: Account): string {
  return JSON.stringify([shorten(accountName(account)), account.serviceId]);
}

/** What is reported of these problems at each mention of an id, in one sentence. No two problems read alike. */
export function reportsOn(
  id: string,
  problems: readonly DeploymentProblem[],
  ambiguous: ReadonlySet<string>,
  impact: Pick<Impact, 'countStopped'>,
) {
  const nameOf = (account: Account) =>
    ambiguous.has(nameKey(account)) ? accountWithId(account) : accountWithService(account);
  const messages = new Map<string, number>();
  return problems.map((about) => {
    const { deployment, problem } = about;
    const text = problemText(problem, nameOf);
    const values = { deployment: shortName(deployment), text };
    const message =
      deployment.id === id
        ? vscode.l10n.t('{deployment}: {text}', values)
        : stopsText(text, impact.countStopped(id));
    const nth = (messages.get(message) ?? 0) + 1;
    messages.set(message, nth);
    return { about, message: nth > 1 ? `${message} (${nth})` : message };
  });
}

function stopsText(problem: string, count: number): string {
  if (count === 0) return problem;
  const values = { problem, count: numberText(count) };
  return plural(
    count,
    vscode.l10n.t('{problem}; stops {count} deployment', values),
    vscode.l10n.t('{problem}; stops {count} deployments', values),
  );
}

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

function rangeOf({ line, start, end }: ReferenceInLine): vscode.Range {
  return new vscode.Range(line, start, line, end);
}

export function diagnosticsOf(
  document: Pick<vscode.TextDocument, 'uri' | 'languageId'>,
  references: readonly ReferenceInLine[],
  targets: ReferenceTargets,
  ambiguous: () => ReadonlySet<string>,
  { settings, impact, deploymentList }: Pick<Services, 'settings' | 'impact' | 'deploymentList'>,
): readonly vscode.Diagnostic[] {
  // Reading the settings of a resource takes time, so it is done only if there is something to report.
  const severityOf = lazy(
    (): Readonly<Record<Problem['kind'], vscode.DiagnosticSeverity | undefined>> => {
      const scope = settingsScope(document);
      return {
        failedAccount: severities[settings.failedAccounts(scope)],
        unsatisfiedRequirement: severities[settings.unsatisfiedRequirements(scope)],
      };
    },
  );
  const namedHere = lazy(() => deploymentList.namesIn(settingsScope(document).uri));
  const isReported = ({ problem }: DeploymentProblem): boolean =>
    severityOf()[problem.kind] !== undefined;
  const onId = (id: string, room: number) => {
    const problems = targets.problemsOf(id).filter(isReported);
    // Sentences are made for as many as are shown: a deployment can have thousands of problems.
    const shown = problems
      .slice(0, room)
      .map((one) => ({ ...one, deployment: namedHere()(one.deployment) }));
    return { count: problems.length, reports: reportsOn(id, shown, ambiguous(), impact) };
  };
  const known = new Map<string, ReturnType<typeof onId>>();
  const diagnostics: vscode.Diagnostic[] = [];
  let left = 0;
  let next: ReferenceInLine | undefined;
  for (const reference of references) {
    const room = maxDiagnostics - diagnostics.length;
    const { count, reports } = known.get(reference.id) ?? onId(reference.id, room);
    known.set(reference.id, { count, reports });
    const shown = reports.slice(0, room);
    if (shown.length < count) next ??= reference;
    left += count - shown.length;
    for (const { message, about } of shown) {
      const severity = severityOf()[about.problem.kind]!;
      diagnostics.push(new ProblemDiagnostic(rangeOf(reference), message, severity, about));
    }
  }
  if (next) diagnostics.push(moreDiagnostic(left, rangeOf(next)));
  return diagnostics;
}

/**
 * Which problems VS Code itself shows where the pointer is, because a hover there repeats nothing of them. Of all diagnostics of the
 * document it shows none while `problems.visibility` is off, and none on the left side of a diff.
 */
export function visibleAt(
  document: vscode.TextDocument,
  range: vscode.Range,
  all: readonly vscode.Diagnostic[] = [],
) {
  const isVisible = vscode.workspace.getConfiguration('problems', document).get('visibility', true);
  const shown =
    isVisible && !isOriginal(document) ? all.filter((one) => one.range.isEqual(range)) : [];
  const keys = new Set(
    shown.map((one) => one instanceof ProblemDiagnostic && one.about.problem.key),
  );
  return ({ key }: Problem) => keys.has(key);
}

/** Whether a diff in front has the document on its left side, which can't be edited and therefore has no marks. */
function isOriginal({ uri }: vscode.TextDocument): boolean {
  return vscode.window.tabGroups.all.some(
    ({ activeTab }) =>
      activeTab?.input instanceof vscode.TabInputTextDiff &&
      activeTab.input.original.toString() === uri.toString(),
  );
}

/** Whose settings count for a document. A cell's own address is in no workspace folder: its notebook's is. */
export function settingsScope({
  uri,
  languageId,
}: Pick<vscode.TextDocument, 'uri' | 'languageId'>): SettingsScope {
  if (uri.scheme !== 'vscode-notebook-cell') return { uri, languageId };
  const notebook = vscode.workspace.notebookDocuments.find((candidate) =>
    candidate.getCells().some(({ document }) => document.uri.toString() === uri.toString()),
  );
  return { uri: notebook?.uri ?? uri, languageId };
}
