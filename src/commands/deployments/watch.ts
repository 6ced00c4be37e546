import * as vscode from 'vscode';
import { type Action, remedyAction, UserError } from '../../host/actions.js';
import { commandIds, internalCommandIds } from '../../host/ids.js';
import { mention, showErrorMessage, showMessage } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import { failureWords } from '../../host/text/failure.js';
import { numberText, sentences } from '../../host/text/format.js';
import { accountLabel, nameList, problemMessage, problemWord, requirementLabel } from '../../host/text/problem.js';
import { stateWord } from '../../host/text/states.js';
import type { Deployment } from '../../model/deployment.js';
import { shorten } from '../../model/inertText.js';
import type { Findings } from '../../model/problems/findings.js';
import { type Change, changesBetween } from '../../model/problems/watches.js';
import type { Row } from '../arguments.js';
import { currentOrganization } from '../organizations.js';
import { chooseDeployments } from './pickDeployment.js';

export async function watchDeployment(services: Services, rows: readonly Row[]): Promise<void> {
  await currentOrganization(services);
  const chosen = await chooseDeployments(services, rows, vscode.l10n.t('Watch Until It Changes'));
  if (chosen.length === 0) return;
  if (!chosen.every(({ id }) => services.watches.start(id))) {
    const stop = { title: vscode.l10n.t('Stop Watching'), command: commandIds.stopWatching };
    throw new UserError(vscode.l10n.t('At most 5 deployments can be watched. Stop watching one first.'), [stop]);
  }
  const deployments = nameList(chosen.map(({ name }) => shorten(name)));
  mention(vscode.l10n.t('Watching {deployments} for up to 15 minutes.', { deployments }));
}

export async function stopWatching(services: Services, rows: readonly Row[]): Promise<void> {
  const { store, watches } = services;
  const watched = watches.ids.flatMap((id) => store.get(id) ?? []);
  const chosen = await chooseDeployments(services, rows, vscode.l10n.t('Stop Watching'), { among: watched });
  watches.stop(chosen.map(({ id }) => id));
}

function watchAction({ id }: Deployment): Action {
  const title = vscode.l10n.t('Watch Until It Changes');
  return { title, command: commandIds.watchDeployment, arguments: [id] };
}

export function offerWatch({ store, watches }: Services, id: string): void {
  const deployment = store.get(id);
  const [problem] = deployment?.answer?.findings.problems ?? [];
  if (!deployment || !problem || deployment.failure || watches.has(id)) return;
  showMessage(about(deployment, problemMessage(problem)), watchAction(deployment));
}

export function notifyEndedWatches({ watches, organizations }: Services): vscode.Disposable {
  return watches.onDidEnd(({ deployments, end }) => {
    const [deployment] = deployments;
    if (!deployment) return;
    const names = nameList(deployments.map(({ name }) => shorten(name)));
    const stopped = vscode.l10n.t('Stopped watching {deployments}.', { deployments: names });
    if (end.kind === 'changed') {
      const title = vscode.l10n.t('Reveal in Deployments View');
      const reveal = { title, command: internalCommandIds.revealDeployment, arguments: [deployment.id] };
      showMessage(changeSentence(deployment, end.before, end.after), reveal);
    } else if (end.kind === 'unchanged') {
      const failure = deployment.failure && failureWords(deployment.failure.failure).name;
      const failed = failure && vscode.l10n.t('The last read failed: {failure}', { failure });
      showMessage(about(deployment, vscode.l10n.t('No change in 15 minutes.'), failed), watchAction(deployment));
    } else if (end.kind === 'tokenRejected') {
      const { sentence, remedy } = failureWords(end.failure, organizations.current);
      const action = remedyAction(remedy, organizations.current);
      showErrorMessage(sentences(stopped, sentence), action ? [action] : []);
    } else {
      const reason = {
        removed: vscode.l10n.t('Removed from the list.'),
        switched: vscode.l10n.t('This workspace uses another organization now.'),
        signedOut: vscode.l10n.t('You signed out.'),
        tokenReplaced: vscode.l10n.t('The token was replaced.'),
      }[end.kind];
      showMessage(sentences(stopped, reason));
    }
  });
}

export function changeSentence(deployment: Deployment, before: Findings, after: Findings): string {
  const changes = changesBetween(before, after);
  const known = new Set(before.all.map(({ key }) => key));
  // What is muted is counted nowhere.
  const still = after.problems.filter(({ key }) => known.has(key));
  const failing = still.filter(({ kind }) => kind === 'failedAccount').length;
  const [more, unsatisfied] = [changes.length - maxChanges, still.length - failing];
  const counts = { count: numberText(unsatisfied), total: numberText(after.requirements.length) };
  return about(
    deployment,
    ...changes.slice(0, maxChanges).map((change) => changeText(change, changes.length === 1)),
    more > 0 ? vscode.l10n.t('And {count} more.', { count: numberText(more) }) : undefined,
    failing > 0 ? vscode.l10n.t('Accounts still failed: {count}.', { count: numberText(failing) }) : undefined,
    unsatisfied > 0 ? vscode.l10n.t('{count} of {total} still not satisfied.', counts) : undefined,
    after.state === 'satisfied' ? vscode.l10n.t('No problems left.') : undefined,
  );
}

const maxChanges = 3;

/** Of several changes each is a few words, since a notification shows little text. */
function changeText({ finding, isGone }: Change, isOnly: boolean): string {
  const name = 'account' in finding ? accountLabel(finding.account) : requirementLabel(finding);
  if (isGone) return vscode.l10n.t('{name} is gone.', { name });
  const { problem } = finding;
  if (problem && isOnly) return problemMessage(problem);
  if (problem?.kind === 'failedAccount') return vscode.l10n.t('{name}.', { name: problemWord(problem) });
  if (problem) return vscode.l10n.t('{requirement}: {state}.', { requirement: name, state: problemWord(problem) });
  if ('account' in finding) return vscode.l10n.t('{account} works again.', { account: name });
  const values = { requirement: name, state: stateWord(finding.said) };
  const { bound } = finding;
  return bound
    ? vscode.l10n.t({
        message: '{requirement}: {state} with {account}.',
        args: { ...values, account: accountLabel(bound.account) },
        comment: 'notifier: satisfied with Ops Slack.',
      })
    : vscode.l10n.t('{requirement}: {state}.', values);
}

function about(deployment: Deployment, ...texts: readonly (string | undefined)[]): string {
  return vscode.l10n.t('{deployment}: {text}', { deployment: shorten(deployment.name), text: sentences(...texts) });
}
