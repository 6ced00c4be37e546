import * as vscode from 'vscode';
import { UserError } from '../../host/actions.js';
import type { Services } from '../../host/services.js';
import { problemMessage, problemWord } from '../../host/text/problem.js';
import { shortName } from '../../model/deploymentNames.js';
import type { DeploymentProblem } from '../../model/findings/deployment.js';
import { inertLabel } from '../../model/inertText.js';
import { problemsOf, type Row, rowsOf } from '../arguments.js';
import { listedDeployments } from './pickDeployment.js';

interface ProblemChoice {
  readonly title: string;
  /** What is said if there is none to choose. */
  readonly none: string;
  readonly which: 'counted' | 'muted' | 'all';
  /** Which of these can be chosen. */
  readonly canChoose?: (one: DeploymentProblem) => boolean;
  /** A row of a deployment stands for all its problems, without a question. */
  readonly takesAll?: boolean;
}

/**
 * Returns the problems of these rows, or those that the user picks: among all without a row, and among
 * those of a deployment with several. Empty if the question was dismissed. Throws if there is none.
 */
export async function chooseProblems(
  services: Services,
  rows: readonly Row[],
  { title, none, which, canChoose = () => true, takesAll = false }: ProblemChoice,
): Promise<readonly DeploymentProblem[]> {
  const isFromPalette = rows.length === 0;
  const from = isFromPalette ? rowsOf(listedDeployments(services)) : rows;
  const found = problemsOf(services, from, which).filter(canChoose);
  if (found.length === 0) throw new UserError(none);
  const isOfDeployment = rows.some(({ problemKeys }) => problemKeys === undefined);
  const isAsked = isFromPalette || (isOfDeployment && found.length > 1 && !takesAll);
  if (!isAsked) return found;
  const items = found.map((one) => ({
    one,
    label: inertLabel(problemWord(one.problem)),
    description: inertLabel(shortName(one.deployment)),
    detail: inertLabel(problemMessage(one.problem), 400),
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: vscode.l10n.t('Select problems'),
    canPickMany: true,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return (picked ?? []).map(({ one }) => one);
}
