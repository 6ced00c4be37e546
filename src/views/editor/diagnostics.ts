import * as vscode from 'vscode';
import type { Account } from '../../api/authorization.js';
import { productName } from '../../host/ids.js';
import type { Services } from '../../host/services.js';
import type { DiagnosticLevel, DocumentScope } from '../../host/settings.js';
import { numberText, plural } from '../../host/text/format.js';
import { accountWithId, accountWithService, problemText } from '../../host/text/problem.js';
import { lazy } from '../../model/base/lazy.js';
import { shortName } from '../../model/deploymentNames.js';
import type { Deployment, DeploymentProblem } from '../../model/findings/deployment.js';
import type { Problem } from '../../model/findings/findings.js';
import { accountName } from '../../model/findings/readings.js';
import { type Mutes, unmutedProblems } from '../../model/findings/state.js';
import { inertPlain, isolatedNames, shorten } from '../../model/inertText.js';
import type { Impact } from '../../model/problems/impact.js';
import type { ReferenceTargets } from '../../model/references/targets.js';
import type { ReferenceInLine } from '../../model/references/textPositions.js';

const maxDiagnosticChars = 850;
const maxCodeChars = 100;
/** In one document. */
const maxDiagnostics = 200;

type Severities = Readonly<Record<Problem['kind'], vscode.DiagnosticSeverity | undefined>>;

/** By the level in the settings. `undefined`: there is no diagnostic. */
const severityByLevel: Readonly<Record<DiagnosticLevel, vscode.DiagnosticSeverity | undefined>> = {
  off: undefined,
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
};

/** Returns the deployment with the name that it has in the folder of a document. */
export type WithFolderName = (deployment: Deployment) => Deployment;

/**
 * The diagnostic of a problem where an ID is mentioned. `diagnosticsOf` makes it; quick fixes and
 * hovers ask it for the problem.
 */
export class ProblemDiagnostic extends vscode.Diagnostic {
  constructor(
    range: vscode.Range,
    message: string,
    severity: vscode.DiagnosticSeverity,
    readonly reported: DeploymentProblem,
  ) {
    super(range, isolatedNames(inertPlain(message, maxDiagnosticChars)), severity);
    const { problem } = reported;
    const code = problem.kind === 'failedAccount' ? problem.finding.account.error?.code : undefined;
    this.code = inertPlain(code || 'not-satisfied', maxCodeChars);
    this.source = productName;
  }
}

/** Returns the names, as `nameKey` makes them, that failed accounts with different IDs share. */
export function ambiguousNames(
  deployments: readonly Deployment[],
  memory: Mutes,
): ReadonlySet<string> {
  // By the name: the ID of the last account that has it.
  const ids = new Map<string, string | undefined>();
  const ambiguous = new Set<string>();
  for (const { answer } of deployments) {
    for (const problem of unmutedProblems(answer?.findings, memory)) {
      if (problem.kind !== 'failedAccount') continue;
      const { account } = problem.finding;
      const name = nameKey(account);
      if (ids.has(name) && ids.get(name) !== account.id) ambiguous.add(name);
      ids.set(name, account.id);
    }
  }
  return ambiguous;
}

function nameKey(account: Account): string {
  return JSON.stringify([shorten(accountName(account)), account.serviceId]);
}

interface ProblemReport {
  readonly reported: DeploymentProblem;
  readonly message: string;
}

/**
 * Returns the messages of these problems where the ID is mentioned: "Billing sync: Finance Slack
 * (slack) failed: token_revoked" for a deployment's ID, "Finance Slack (slack) failed:
 * token_revoked; stops 5 deployments" for an account's. Equal messages get a number, so that each
 * leads to one problem. `ambiguous`: what `ambiguousNames` returns.
 */
export function reportsOn(
  id: string,
  problems: readonly DeploymentProblem[],
  ambiguous: ReadonlySet<string>,
  impact: Pick<Impact, 'countStopped'>,
): readonly ProblemReport[] {
  const nameOf = (account: Account) =>
    ambiguous.has(nameKey(account)) ? accountWithId(account) : accountWithService(account);
  // By the message: how many problems have it so far.
  const counts = new Map<string, number>();
  return problems.map((reported) => {
    const { deployment, problem } = reported;
    const text = problemText(problem, nameOf);
    const values = { deployment: shortName(deployment), text };
    const message =
      deployment.id === id
        ? vscode.l10n.t('{deployment}: {text}', values)
        : withStoppedCount(text, impact.countStopped(id));
    const count = (counts.get(message) ?? 0) + 1;
    counts.set(message, count);
    return { reported, message: count > 1 ? `${message} (${count})` : message };
  });
}

/**
 * "Finance Slack (slack) failed: token_revoked; stops 5 deployments". Returns the text of the
 * problem alone for a count of 0.
 */
function withStoppedCount(problem: string, count: number): string {
  if (count === 0) return problem;
  const values = { problem, count: numberText(count) };
  return plural(
    count,
    vscode.l10n.t('{problem}; stops {count} deployment', values),
    vscode.l10n.t('{problem}; stops {count} deployments', values),
  );
}

/** "5 more problems in this document are not shown." */
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

interface DiagnosticSources extends Pick<Services, 'settings' | 'impact' | 'deploymentList'> {
  readonly targets: ReferenceTargets;
  readonly ambiguousNames: () => ReadonlySet<string>;
}

/** The reports of one ID, which are the same at each of its mentions. */
interface ReportsOfId {
  /**
   * How many problems of the ID the settings want reported, which can be more than the reports.
   */
  readonly problemCount: number;
  readonly reports: readonly ProblemReport[];
}

/**
 * Returns a diagnostic for each problem at each of these references, up to `maxDiagnostics`, and
 * one more that counts the others, where the first of them would be.
 */
export function diagnosticsOf(
  document: Pick<vscode.TextDocument, 'uri' | 'languageId'>,
  references: readonly ReferenceInLine[],
  sources: DiagnosticSources,
): readonly vscode.Diagnostic[] {
  // Reading the settings of a resource takes time: without a problem they are not read.
  const severities = lazy(() => severitiesIn(document, sources.settings));
  const withFolderName = lazy(() => sources.deploymentList.namesIn(settingsScopeOf(document).uri));
  const findReports = (id: string, maxReports: number): ReportsOfId => {
    const problems = sources.targets
      .problemsOf(id)
      .filter(({ problem }) => severities()[problem.kind] !== undefined);
    // A deployment can have thousands of problems: messages are made for those that can be shown.
    const named = problems
      .slice(0, maxReports)
      .map((found) => ({ ...found, deployment: withFolderName()(found.deployment) }));
    const reports = reportsOn(id, named, sources.ambiguousNames(), sources.impact);
    return { problemCount: problems.length, reports };
  };

  const reportsById = new Map<string, ReportsOfId>();
  const diagnostics: vscode.Diagnostic[] = [];
  let hiddenCount = 0;
  let firstHidden: ReferenceInLine | undefined;
  for (const reference of references) {
    const remaining = maxDiagnostics - diagnostics.length;
    const ofId = reportsById.get(reference.id) ?? findReports(reference.id, remaining);
    reportsById.set(reference.id, ofId);

    const shown = ofId.reports.slice(0, remaining);
    for (const { message, reported } of shown) {
      const severity = severities()[reported.problem.kind]!;
      diagnostics.push(new ProblemDiagnostic(rangeOf(reference), message, severity, reported));
    }

    if (shown.length < ofId.problemCount) firstHidden ??= reference;
    hiddenCount += ofId.problemCount - shown.length;
  }
  if (firstHidden) diagnostics.push(moreDiagnostic(hiddenCount, rangeOf(firstHidden)));
  return diagnostics;
}

function severitiesIn(
  document: Pick<vscode.TextDocument, 'uri' | 'languageId'>,
  settings: Services['settings'],
): Severities {
  const scope = settingsScopeOf(document);
  return {
    failedAccount: severityByLevel[settings.failedAccounts(scope)],
    unsatisfiedRequirement: severityByLevel[settings.unsatisfiedRequirements(scope)],
  };
}

/**
 * Returns a function that says whether VS Code itself shows a problem at the range, so that a hover
 * there does not repeat it. VS Code shows no diagnostic while `problems.visibility` is off, and
 * none on the left side of a diff. `published`: the diagnostics of the document.
 */
export function problemsShownAt(
  document: vscode.TextDocument,
  range: vscode.Range,
  published: readonly vscode.Diagnostic[] = [],
): (problem: Problem) => boolean {
  const keys = new Set<string>();
  const areShown = vscode.workspace.getConfiguration('problems', document).get('visibility', true);
  if (areShown && !isLeftInDiff(document)) {
    for (const diagnostic of published) {
      const isAtRange = diagnostic.range.isEqual(range);
      if (isAtRange && diagnostic instanceof ProblemDiagnostic) {
        keys.add(diagnostic.reported.problem.key);
      }
    }
  }
  return ({ key }) => keys.has(key);
}

/**
 * Whether a visible diff has the document on its left side, which can't be edited and therefore has
 * no squiggles.
 */
function isLeftInDiff({ uri }: vscode.TextDocument): boolean {
  return vscode.window.tabGroups.all.some(
    ({ activeTab }) =>
      activeTab?.input instanceof vscode.TabInputTextDiff &&
      activeTab.input.original.toString() === uri.toString(),
  );
}

/**
 * Returns the scope whose settings count for a document. The URI of a notebook's cell is in no
 * workspace folder, so the notebook's URI takes its place.
 */
export function settingsScopeOf({
  uri,
  languageId,
}: Pick<vscode.TextDocument, 'uri' | 'languageId'>): DocumentScope {
  if (uri.scheme !== 'vscode-notebook-cell') return { uri, languageId };
  const notebook = vscode.workspace.notebookDocuments.find((candidate) =>
    candidate.getCells().some(({ document }) => document.uri.toString() === uri.toString()),
  );
  return { uri: notebook?.uri ?? uri, languageId };
}
