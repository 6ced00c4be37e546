import * as vscode from 'vscode';
import { UserError } from '../../host/actions.js';
import type { Services } from '../../host/services.js';
import { problemSentence, problemWord } from '../../host/text/problem.js';
import { shortName } from '../../model/deploymentNames.js';
import type { DeploymentProblem } from '../../model/findings/deployment.js';
import { inertLabel } from '../../model/inertText.js';
import {
  type ProblemChoice,
  problemsOf,
  type Row,
  readRows,
  rowsOfDeployments,
} from '../arguments.js';
import { pickMany } from '../quickPick.js';
import { listedDeployments } from './pickDeployment.js';

interface ChooseOptions {
  readonly title: string;
  /** The message of the error if there is no problem to choose. */
  readonly noneText: string;
  /** The problems among which the user can choose. */
  readonly which: ProblemChoice;
  /** Which of these can be chosen. Default: all. */
  readonly canChoose?: (found: DeploymentProblem) => boolean;
  /** Whether the row of a deployment stands for all its problems, so that no question is asked. */
  readonly shouldTakeAll?: boolean;
}

/**
 * Returns the problems of these rows; without rows, all problems. If there are several, the user
 * picks some of them, except where all rows have keys of problems, or where `shouldTakeAll` is set
 * and there are rows. Without rows, the problems of the rows that are selected in the tree are
 * suggested. Empty if the user dismisses the list. Throws if there is no problem.
 */
export async function chooseProblems(
  services: Services,
  rows: readonly Row[],
  choice: ChooseOptions,
): Promise<readonly DeploymentProblem[]> {
  const { which, canChoose = () => true, shouldTakeAll = false } = choice;
  const isFromPalette = rows.length === 0;
  const searchedRows = isFromPalette ? rowsOfDeployments(listedDeployments(services)) : rows;
  const found = problemsOf(services, searchedRows, which).filter(canChoose);
  if (found.length === 0) throw new UserError(choice.noneText);

  const hasDeploymentRow = rows.some(({ problemKeys }) => problemKeys === undefined);
  const needsQuestion = isFromPalette || (hasDeploymentRow && !shouldTakeAll);
  if (!needsQuestion || found.length === 1) return found;

  const selectedRows = isFromPalette ? readRows(undefined, services.selectedRows()) : [];
  const selected = problemsOf(services, selectedRows, which);
  const selectedKeys = new Set(selected.map(({ problem }) => problem.key));
  const items = found.map(problemItem);
  const suggested = items.filter(({ source }) => selectedKeys.has(source.problem.key));
  const options = {
    title: choice.title,
    placeholder: vscode.l10n.t('Select problems'),
    matchOnDescription: true,
    matchOnDetail: true,
  };
  const picked = await pickMany(items, options, suggested);
  return picked.map(({ source }) => source);
}

/** For example "Finance Slack failed", with the deployment beside it and the sentence below it. */
function problemItem(source: DeploymentProblem) {
  const { deployment, problem } = source;
  return {
    source,
    label: inertLabel(problemWord(problem)),
    description: inertLabel(shortName(deployment)),
    detail: inertLabel(problemSentence(problem), 400),
  };
}
