import * as vscode from 'vscode';
import { type Action, UserError } from '../../host/actions.js';
import { setContext } from '../../host/contextKeys.js';
import { commandIds } from '../../host/ids.js';
import { mention, showMessage } from '../../host/messages.js';
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
import { deploymentsOf, problemsOf, type Row, rowsOf } from '../arguments.js';
import { pagesToTell } from './openInDashboard.js';
import { chooseDeployments } from './pickDeployment.js';

/** The machine remembers that it has offered Set Owner with a request that no owner was named in. */
const offeredSetOwnerKey = 'copyRequest.offeredSetOwner';

/**
 * Copies a text for those who can fix what is wrong in these rows. What the newest answers clear is left out,
 * and the message offers to refresh the deployments that say otherwise.
 */
export async function copyRequest(services: Services, rows: readonly Row[]): Promise<void> {
  const { log, store } = services;
  const organizationId = store.organizationId;
  const chosen = rows.length > 0 ? rows : await pickRows(services);
  if (chosen === undefined) return;
  const first = await findRepairs(services, chosen);
  if (first.byOwner.length + first.cleared.length === 0) throw nothingToAsk(services, chosen);
  const pageOf = await pagesToTell(services, firstDeployment(first.byOwner)?.id);
  // The organization may have been switched while the question was open.
  if (pageOf === undefined || store.organizationId !== organizationId) return;
  // So may an account have been fixed.
  const { byOwner, cleared } = await findRepairs(services, chosen);
  if (byOwner.length === 0) {
    if (cleared.length > 0) showCleared(cleared);
    return;
  }
  const text = await requestText(byOwner, {
    pageOf: ({ id }) => pageOf(id),
    sharedNames: sharedAccountNames(store.deployments),
    redact: (one) => log.redactCopy(one),
  });
  await vscode.env.clipboard.writeText(text);
  setContext('hasCopiedRequest', true);
  await showCopied(services, byOwner, cleared);
}

/** Of a deployment that may not be read only the permission is asked for. */
async function findRepairs(services: Services, rows: readonly Row[]) {
  const { memory, owners, store } = services;
  const isOfDenied = (row: Row): boolean =>
    row.problemKeys === undefined &&
    row.isOfDeployment &&
    deploymentsOf(store, [row]).some(isDenied);
  const denied = deploymentsOf(store, rows.filter(isOfDenied));
  const others = rows.filter((row) => !isOfDenied(row));
  const problems = await countedProblemsOf(services, others);
  return repairsByOwner(problems, denied, {
    listed: store.deployments,
    memory,
    ownerOf: (owned) => owners.of(owned),
  });
}

function nothingToAsk(services: Services, rows: readonly Row[]): UserError {
  const isMuted = problemsOf(services, rows, 'muted').length > 0;
  return new UserError(
    isMuted
      ? vscode.l10n.t('What is wrong here is muted. Unmute it to copy a request.')
      : vscode.l10n.t('There is no problem to send a request about.'),
  );
}

/** Of the deployments for which a request can be made; `undefined` if the user dismisses the list. */
async function pickRows(services: Services): Promise<readonly Row[] | undefined> {
  const among = services.store.deployments.filter((one) => isFailing(one) || isDenied(one));
  if (among.length === 0) return [];
  const picked = await chooseDeployments(services, [], vscode.l10n.t('Copy Request'), {
    canPickMany: true,
    among,
  });
  return picked.length > 0 ? rowsOf(picked) : undefined;
}

const rowsInSlice = 20;

/** Each problem of these rows once. Thousands of deployments may be selected, each with many problems. */
async function countedProblemsOf(
  services: Services,
  rows: readonly Row[],
): Promise<readonly DeploymentProblem[]> {
  const slices = new Slices();
  const byKey = new Map<string, DeploymentProblem>();
  for (let at = 0; at < rows.length; at += rowsInSlice) {
    for (const one of problemsOf(services, rows.slice(at, at + rowsInSlice), 'counted')) {
      if (!byKey.has(one.problem.key)) byKey.set(one.problem.key, one);
    }
    await slices.next();
  }
  return [...byKey.values()];
}

function firstDeployment(byOwner: readonly OwnerRepairs[]): Deployment | undefined {
  for (const { accounts, denied, unconnected } of byOwner) {
    const of = accounts[0]?.problems[0]?.deployment ?? unconnected[0]?.deployment ?? denied[0];
    if (of) return of;
  }
  return undefined;
}

/** "Finance Slack works again as of 8:44 PM. Refresh 5 other deployments?" */
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

/** "Finance Slack works again as of 8:44 PM." */
function clearedText(cleared: readonly ClearedAccount[]): string {
  const working = cleared.filter(({ worksAgain }) => worksAgain);
  const granted = cleared.filter(({ worksAgain }) => !worksAgain);
  return joinSentences(
    working.length === 0
      ? undefined
      : plural(
          working.length,
          vscode.l10n.t('{accounts} works again as of {time}.', wordsOf(working)),
          vscode.l10n.t('{accounts} work again as of {time}.', wordsOf(working)),
        ),
    granted.length === 0
      ? undefined
      : plural(
          granted.length,
          vscode.l10n.t('{accounts} has all required scopes as of {time}.', wordsOf(granted)),
          vscode.l10n.t('{accounts} have all required scopes as of {time}.', wordsOf(granted)),
        ),
  );
}

const maxNames = 5;

function wordsOf(cleared: readonly ClearedAccount[]) {
  const names = firstWithMore(cleared, maxNames, ({ account }) => accountLabel(account));
  return {
    accounts: listText(names, 'long'),
    time: clockTime(earliest(cleared.map(({ asOf }) => asOf))),
  };
}

function outdatedIds(cleared: readonly ClearedAccount[]): ReadonlySet<string> {
  return new Set(cleared.flatMap(({ outdated }) => outdated.map(({ id }) => id)));
}

function refreshAction(cleared: readonly ClearedAccount[]): Action {
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

/** A message with what can be done next, or a text in the status bar if there is nothing. */
async function showCopied(
  services: Services,
  byOwner: readonly OwnerRepairs[],
  cleared: readonly ClearedAccount[],
): Promise<void> {
  const leftOut = plural(
    cleared.length,
    vscode.l10n.t('That account was left out.'),
    vscode.l10n.t('Those accounts were left out.'),
  );
  const text = joinSentences(
    copiedText(byOwner),
    ...(cleared.length > 0 ? [clearedText(cleared), leftOut] : []),
  );
  const actions = [
    ...(cleared.length > 0 ? [refreshAction(cleared)] : []),
    ...problemActions(services, byOwner),
    ...(await setOwnerActions(services, byOwner)),
  ];
  if (actions.length > 0) showMessage(text, ...actions);
  else mention(text);
}

/** "Copied the request for Maria and Bob." */
function copiedText(byOwner: readonly OwnerRepairs[]): string {
  const named = byOwner.flatMap(({ denied, owner }) => {
    if (owner !== undefined) return shorten(owner);
    if (denied.length > 0)
      return vscode.l10n.t({ message: 'an administrator', comment: 'Copied for' });
    const others = vscode.l10n.t({
      message: 'those who manage the accounts',
      comment: 'Copied for',
    });
    return byOwner.length > 1 ? others : [];
  });
  if (named.length === 0) return vscode.l10n.t('Copied the request.');
  const owners = listText(firstWithMore(named, maxNames, String), 'long');
  return vscode.l10n.t('Copied the request for {owners}.', { owners });
}

function problemActions({ memory }: Services, byOwner: readonly OwnerRepairs[]): readonly Action[] {
  const problems = byOwner
    .flatMap(({ accounts, unconnected }) => [...accounts, ...unconnected])
    .flatMap((part) => part.problems)
    .filter(({ problem }) => memory.mutedUntil(problem) === undefined);
  if (problems.length === 0) return [];
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
  return problems.every(({ problem }) => memory.notifies(problem)) ? [mute] : [notify, mute];
}

/** Offered once, where nobody is named who could fix a single account. */
async function setOwnerActions(
  { machineState }: Services,
  byOwner: readonly OwnerRepairs[],
): Promise<readonly Action[]> {
  const [only, ...others] = byOwner.flatMap(({ accounts }) => accounts);
  const isOwned = byOwner.some(({ owner }) => owner !== undefined);
  const id = only?.account.id;
  if (isOwned || others.length > 0 || !id || machineState.get<unknown>(offeredSetOwnerKey) === true)
    return [];
  await machineState.update(offeredSetOwnerKey, true);
  return [
    {
      title: vscode.l10n.t('Set Owner...'),
      command: commandIds.setOwner,
      arguments: [{ kind: 'account', copyId: id }],
    },
  ];
}
