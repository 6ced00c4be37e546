import * as vscode from 'vscode';
import { UserError } from '../../host/actions.js';
import type { Services } from '../../host/services.js';
import { problemSentence, problemWord } from '../../host/text/problem.js';
import { shortName } from '../../model/deploymentNames.js';
import type { DeploymentProblem } from '../../model/findings/deployment.js';
import { inertLabel } from '../../model/inertText.js';
import { problemsOf, type Row, readRows, rowsOf } from '../arguments.js';
import { pickMany } from '../quickPick.js';
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
 * Returns the problems of these rows, or those that the user picks among several: among all without a row, where
 * those of the rows that are selected in the tree are suggested, and among those of a deployment. Empty if the
 * question was dismissed. Throws if there is none.
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
  const isAsked = isFromPalette || (isOfDeployment && !takesAll);
  if (!isAsked || found.length === 1) return found;
  const selected = isFromPalette
    ? problemsOf(services, readRows(undefined, services.selectedRows()), which)
    : [];
  const selectedKeys = new Set(selected.map(({ problem }) => problem.key));
  const items = found.map((one) => ({
    one,
    label: inertLabel(problemWord(one.problem)),
    description: inertLabel(shortName(one.deployment)),
    detail: inertLabel(problemSentence(one.problem), 400),
  }));
  const options = {
    title,
    placeholder: vscode.l10n.t('Select problems'),
    matchOnDescription: true,
    matchOnDetail: true,
  };
  const suggested = items.filter(({ one }) => selectedKeys.has(one.problem.key));
  const picked = await pickMany(items, options, suggested);
  return picked.map(({ one }) => one);
}
