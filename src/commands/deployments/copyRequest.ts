import * as vscode from 'vscode';
import { UserError } from '../../host/actions.js';
import { commandIds } from '../../host/ids.js';
import { showMessage } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import { nameList } from '../../host/text/problem.js';
import { requestText } from '../../host/text/request.js';
import type { DeploymentProblem } from '../../model/deployment.js';
import { shorten } from '../../model/inertText.js';
import { repairsByOwner } from '../../model/problems/repairs.js';
import { deploymentsOf, type Row } from '../arguments.js';
import { agreedPage } from './openInDashboard.js';
import { chooseDeployments } from './pickDeployment.js';

/** A text for those who can repair the problems of the rows, or of a deployment that is picked; one part for each owner. */
export async function copyRequest(services: Services, rows: readonly Row[]): Promise<void> {
  const { impact, owners, log } = services;
  const problems = rows.length > 0 ? problemsOf(services, rows) : await pickedProblems(services);
  if (!problems) return;
  const [first] = problems;
  if (!first) throw new UserError(vscode.l10n.t('No problem to ask about.'));
  const byOwner = repairsByOwner(problems, impact, (owned) => owners.of(owned));
  const text = requestText(byOwner, ({ id }) => agreedPage(services, id));
  await vscode.env.clipboard.writeText(log.redact(text));
  const names = [...byOwner.keys()].flatMap((owner) => (owner === undefined ? [] : shorten(owner)));
  const told = problems.map(({ deployment, problem }) => ({
    deployment: { id: deployment.id },
    problem: { key: problem.key },
  }));
  const watched = [...new Set(problems.map(({ deployment }) => deployment.id))];
  showMessage(
    names.length > 0
      ? vscode.l10n.t('Copied the request for {owners}.', { owners: nameList(names) })
      : vscode.l10n.t('Copied the request. Use Set Owner to record who can repair it.'),
    {
      title: vscode.l10n.t('Watch Until It Changes'),
      command: commandIds.watchDeployment,
      arguments: [watched[0], watched],
    },
    { title: vscode.l10n.t('Mute Problem...'), command: commandIds.muteProblem, arguments: [told[0], told] },
  );
}

/** Of a row its own problem, looked up again; of a deployment's all that are not muted. */
function problemsOf(services: Services, rows: readonly Row[]): readonly DeploymentProblem[] {
  const found = rows.flatMap((row) =>
    deploymentsOf(services, [row]).flatMap((deployment) =>
      (deployment.answer?.findings.all ?? [])
        .filter(({ key, mutedUntil }) =>
          row.problemKey === undefined ? mutedUntil === undefined : key === row.problemKey,
        )
        .map((problem) => ({ deployment, problem })),
    ),
  );
  // An account in several deployments stands for one problem, which is told with the first.
  return [...new Map(found.toReversed().map((one) => [one.problem.key, one])).values()].toReversed();
}

async function pickedProblems(services: Services): Promise<readonly DeploymentProblem[] | undefined> {
  const failing = services.store.deployments.filter(({ answer }) => (answer?.findings.problems.length ?? 0) > 0);
  if (failing.length === 0) return [];
  const wording = {
    title: vscode.l10n.t('Copy Request'),
    placeHolder: vscode.l10n.t('Deployments whose problems to ask about'),
    canPickMany: true,
  } as const;
  const chosen = await chooseDeployments(services, [], wording, failing);
  if (chosen.length === 0) return undefined;
  return chosen.flatMap((deployment) =>
    (deployment.answer?.findings.problems ?? []).map((problem) => ({ deployment, problem })),
  );
}
