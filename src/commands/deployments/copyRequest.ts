import * as vscode from 'vscode';
import { type Action, UserError } from '../../host/actions.js';
import { setContext } from '../../host/contextKeys.js';
import { commandIds } from '../../host/ids.js';
import { showMessage, showStatusBarMessage } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import {
  clockTime,
  firstWithMore,
  joinSentences,
  listText,
  numberText,
  plural,
} from '../../host/text/format.js';
import { accountLabel } from '../../host/text/problem.js';
import { requestText } from '../../host/text/request.js';
import { Slices } from '../../model/base/slices.js';
import { earliest } from '../../model/base/time.js';
import { sharedAccountNames } from '../../model/findings/accountNames.js';
import {
  type Deployment,
  type DeploymentProblem,
  isDenied,
  isFailing,
} from '../../model/findings/deployment.js';
import { shorten } from '../../model/inertText.js';
import {
  type ClearedAccount,
  type OwnerRepairs,
  repairsByOwner,
} from '../../model/problems/repairs.js';
import { deploymentsOf, problemsOf, type Row, rowsOfDeployments } from '../arguments.js';
import { pagesToInclude } from './openInDashboard.js';
import { chooseDeployments } from './pickDeployment.js';

/** Set once Set Owner was offered, on this machine, with a request that names no owner. */
const offeredSetOwnerKey = 'copyRequest.offeredSetOwner';

const rowsInSlice = 20;
const maxNames = 5;

/**
 * Copies a request to fix the problems of these rows, or of the deployments that the user picks, as
 * a text for owners of accounts and administrators. Leaves out problems that newer answers
 * contradict, and offers to refresh the deployments with the older answers. Throws if there is no
 * problem.
 */
export async function copyRequest(services: Services, rows: readonly Row[]): Promise<void> {
  const { log, store } = services;
  const organizationId = store.organizationId;
  const chosenRows = rows.length > 0 ? rows : await pickRows(services);
  if (chosenRows === undefined) return;
  const before = await findRepairs(services, chosenRows);
  const hasNothing = before.byOwner.length === 0 && before.cleared.length === 0;
  if (hasNothing) throw nothingToRequest(services, chosenRows);

  const example = exampleDeployment(before.byOwner);
  const pageUrlOf = await pagesToInclude(services, example?.id);
  // The user may have switched the organization while the question was open.
  if (pageUrlOf === undefined || store.organizationId !== organizationId) return;

  // An account may have been fixed while the question was open, so the repairs are found anew.
  const { byOwner, cleared } = await findRepairs(services, chosenRows);
  if (byOwner.length === 0) {
    if (cleared.length > 0) showCleared(cleared);
    return;
  }
  const text = await requestText(byOwner, {
    pageOf: ({ id }) => pageUrlOf(id),
    sharedNames: sharedAccountNames(store.deployments),
    redact: (part) => log.redactCopy(part),
  });
  await vscode.env.clipboard.writeText(text);
  setContext('hasCopiedRequest', true);
  await showCopied(services, byOwner, cleared);
}

/**
 * Returns the rows of the deployments that the user picks among the deployments with problems.
 * Empty if no deployment has problems, `undefined` if the user dismisses the list.
 */
async function pickRows(services: Services): Promise<readonly Row[] | undefined> {
  const among = services.store.deployments.filter(
    (deployment) => isFailing(deployment) || isDenied(deployment),
  );
  if (among.length === 0) return [];
  const picked = await chooseDeployments(services, [], vscode.l10n.t('Copy Request'), {
    canPickMany: true,
    among,
  });
  return picked.length > 0 ? rowsOfDeployments(picked) : undefined;
}

/**
 * Returns the repairs for the problems of these rows. For a deployment that the platform does not
 * permit to read, the only repair is the permission.
 */
async function findRepairs(services: Services, rows: readonly Row[]) {
  const { memory, owners, store } = services;
  const isOfDenied = (row: Row): boolean => {
    const isAboutAllProblems = row.isOfDeployment && row.problemKeys === undefined;
    return isAboutAllProblems && deploymentsOf(store, [row]).some(isDenied);
  };
  const deniedRows = rows.filter(isOfDenied);
  const otherRows = rows.filter((row) => !isOfDenied(row));

  const denied = deploymentsOf(store, deniedRows);
  const problems = await unmutedProblemsOf(services, otherRows);
  return repairsByOwner(problems, denied, {
    listed: store.deployments,
    memory,
    ownerOf: (owned) => owners.ownerOf(owned),
  });
}

/**
 * Returns each unmuted problem of these rows once, and a muted one of a row about it alone.
 * Thousands of deployments may be selected, each with many problems, so the work is cut into slices
 * that let the editor go on in between.
 */
async function unmutedProblemsOf(
  services: Services,
  rows: readonly Row[],
): Promise<readonly DeploymentProblem[]> {
  const slices = new Slices();
  const byKey = new Map<string, DeploymentProblem>();
  for (let start = 0; start < rows.length; start += rowsInSlice) {
    const rowsOfSlice = rows.slice(start, start + rowsInSlice);
    for (const found of problemsOf(services, rowsOfSlice, 'unmuted')) {
      const { key } = found.problem;
      if (!byKey.has(key)) byKey.set(key, found);
    }
    await slices.next();
  }
  return [...byKey.values()];
}

function nothingToRequest(services: Services, rows: readonly Row[]): UserError {
  const isMuted = problemsOf(services, rows, 'muted').length > 0;
  return new UserError(
    isMuted
      ? vscode.l10n.t(
          'What is wrong here is muted. Copy the request from the row of the account or requirement.',
        )
      : vscode.l10n.t('There is no problem to send a request about.'),
  );
}

/**
 * Returns any deployment that the request is about, as an example of the page links that it may
 * have; `undefined` if there is nothing to request.
 */
function exampleDeployment(byOwner: readonly OwnerRepairs[]): Deployment | undefined {
  for (const { accounts, denied, unconnected } of byOwner) {
    const withAccount = accounts[0]?.problems[0]?.deployment;
    const deployment = withAccount ?? unconnected[0]?.deployment ?? denied[0];
    if (deployment !== undefined) return deployment;
  }
  return undefined;
}

/** Shows "Finance Slack works again as of 8:44 PM. Refresh 5 other deployments?" */
function showCleared(cleared: readonly ClearedAccount[]): void {
  const { size } = outdatedIds(cleared);
  const count = numberText(size);
  const question = plural(
    size,
    vscode.l10n.t('Refresh {count} other deployment?', { count }),
    vscode.l10n.t('Refresh {count} other deployments?', { count }),
  );
  showMessage(joinSentences(clearedText(cleared), question), refreshAction(cleared));
}

/** "Finance Slack works again as of 8:44 PM. GitHub has all required scopes as of 8:44 PM." */
function clearedText(cleared: readonly ClearedAccount[]): string {
  const working = cleared.filter(({ worksAgain }) => worksAgain);
  const granted = cleared.filter(({ worksAgain }) => !worksAgain);
  return joinSentences(worksAgainText(working), allScopesText(granted));
}

/** "Finance Slack and GitHub work again as of 8:44 PM."; `undefined` without accounts. */
function worksAgainText(cleared: readonly ClearedAccount[]): string | undefined {
  if (cleared.length === 0) return undefined;
  const words = clearedWords(cleared);
  return plural(
    cleared.length,
    vscode.l10n.t('{accounts} works again as of {time}.', words),
    vscode.l10n.t('{accounts} work again as of {time}.', words),
  );
}

/** "GitHub has all required scopes as of 8:44 PM."; `undefined` without accounts. */
function allScopesText(cleared: readonly ClearedAccount[]): string | undefined {
  if (cleared.length === 0) return undefined;
  const words = clearedWords(cleared);
  return plural(
    cleared.length,
    vscode.l10n.t('{accounts} has all required scopes as of {time}.', words),
    vscode.l10n.t('{accounts} have all required scopes as of {time}.', words),
  );
}

/** Accounts as in "Finance Slack and GitHub", and the time of the oldest answer as in "8:44 PM". */
function clearedWords(cleared: readonly ClearedAccount[]) {
  const names = firstWithMore(cleared, maxNames, ({ account }) => accountLabel(account));
  return {
    accounts: listText(names, 'long'),
    time: clockTime(earliest(cleared.map(({ asOf }) => asOf))),
  };
}

/** IDs of the deployments whose answers are older than the answer that clears an account. */
function outdatedIds(cleared: readonly ClearedAccount[]): ReadonlySet<string> {
  return new Set(cleared.flatMap(({ outdated }) => outdated.map(({ id }) => id)));
}

/** Refreshes the deployments with outdated answers. */
function refreshAction(cleared: readonly ClearedAccount[]): Action {
  // The command reads its arguments like those of a menu: one row, and all selected rows.
  const rows = Array.from(outdatedIds(cleared), (id) => ({
    kind: 'deployment',
    deployment: { id },
  }));
  return {
    title: vscode.l10n.t('Refresh'),
    command: commandIds.refreshDeployment,
    arguments: [rows[0], rows],
  };
}

/** Says what was copied: in a message with next steps, or in the status bar if there are none. */
async function showCopied(
  services: Services,
  byOwner: readonly OwnerRepairs[],
  cleared: readonly ClearedAccount[],
): Promise<void> {
  const text = joinSentences(copiedText(byOwner), leftOutText(cleared));
  const actions: Action[] = [];
  if (cleared.length > 0) actions.push(refreshAction(cleared));
  actions.push(...problemActions(services, byOwner));
  const setOwner = await offerSetOwner(services, byOwner);
  if (setOwner !== undefined) actions.push(setOwner);

  if (actions.length > 0) showMessage(text, ...actions);
  else showStatusBarMessage(text);
}

/**
 * "Finance Slack works again as of 8:44 PM. That account was left out."; `undefined` without
 * accounts.
 */
function leftOutText(cleared: readonly ClearedAccount[]): string | undefined {
  if (cleared.length === 0) return undefined;
  const leftOut = plural(
    cleared.length,
    vscode.l10n.t('That account was left out.'),
    vscode.l10n.t('Those accounts were left out.'),
  );
  return joinSentences(clearedText(cleared), leftOut);
}

/** "Copied the request for Maria and Bob.", "Copied the request." */
function copiedText(byOwner: readonly OwnerRepairs[]): string {
  const recipients = byOwner
    .map((repairs) => recipientOf(repairs, byOwner.length > 1))
    .filter((recipient) => recipient !== undefined);
  if (recipients.length === 0) return vscode.l10n.t('Copied the request.');
  const owners = listText(firstWithMore(recipients, maxNames, String), 'long');
  return vscode.l10n.t('Copied the request for {owners}.', { owners });
}

/**
 * "Maria", "an administrator", "those who manage the accounts"; `undefined` if only those who
 * manage the accounts get the request.
 */
function recipientOf({ denied, owner }: OwnerRepairs, isOneOfSeveral: boolean): string | undefined {
  if (owner !== undefined) return shorten(owner);
  if (denied.length > 0) {
    return vscode.l10n.t({ message: 'an administrator', comment: 'Copied for' });
  }
  return isOneOfSeveral
    ? vscode.l10n.t({ message: 'those who manage the accounts', comment: 'Copied for' })
    : undefined;
}

/** Notify When Fixed (unless it is on for all these problems), and Mute Problem. */
function problemActions({ memory }: Services, byOwner: readonly OwnerRepairs[]): readonly Action[] {
  const repairs = byOwner.flatMap(({ accounts, unconnected }) => [...accounts, ...unconnected]);
  const problems = repairs
    .flatMap((repair) => repair.problems)
    .filter(({ problem }) => memory.muteOf(problem) === undefined);
  if (problems.length === 0) return [];

  // The commands read their arguments like those of a menu: no row, and all selected rows.
  const notify: Action = {
    title: vscode.l10n.t('Notify When Fixed'),
    command: commandIds.notifyWhenFixed,
    arguments: [undefined, problems],
  };
  const mute: Action = {
    title: vscode.l10n.t('Mute Problem...'),
    command: commandIds.muteProblem,
    arguments: [undefined, problems],
  };
  const areAllNotifying = problems.every(({ problem }) => memory.notifies(problem));
  return areAllNotifying ? [mute] : [notify, mute];
}

/**
 * Returns Set Owner the first time that a request about a single account names no owner, and
 * remembers that it was offered; else `undefined`.
 */
async function offerSetOwner(
  { machineState }: Services,
  byOwner: readonly OwnerRepairs[],
): Promise<Action | undefined> {
  const accounts = byOwner.flatMap((repairs) => repairs.accounts);
  const accountId = accounts.length === 1 ? accounts[0]?.account.id : undefined;
  const hasOwner = byOwner.some(({ owner }) => owner !== undefined);
  if (hasOwner || !accountId) return undefined;
  if (machineState.get<unknown>(offeredSetOwnerKey) === true) return undefined;

  await machineState.update(offeredSetOwnerKey, true);
  return {
    title: vscode.l10n.t('Set Owner...'),
    command: commandIds.setOwner,
    arguments: [{ kind: 'account', copyId: accountId }],
  };
}
