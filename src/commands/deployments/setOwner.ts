import * as vscode from 'vscode';
import { showStatusBarMessage } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import { inDeploymentsWord } from '../../host/text/deployment.js';
import { joinSentences, joinWithDots } from '../../host/text/format.js';
import { accountLabel, maxLabelChars, ownerWord } from '../../host/text/problem.js';
import { shortName } from '../../model/deploymentNames.js';
import { maxOwnerChars } from '../../model/entered/owners.js';
import type { Deployment } from '../../model/findings/deployment.js';
import { inertLabel, shorten } from '../../model/inertText.js';
import { type Row, readRows } from '../arguments.js';
import { askChange } from '../questions.js';
import { pickOne } from '../quickPick.js';
import { chooseDeployments } from './pickDeployment.js';
import { scopeNames, willBeSavedText } from './scopeNames.js';

/** An account or a deployment whose owner can be set. */
interface Ownable {
  readonly id: string;
  /** At most `maxLabelChars` characters. */
  readonly name: string;
}

/**
 * Asks for the owner of the first row's account, or of an account or deployment that the user
 * picks, and saves the owner in the settings. An empty answer removes the owner.
 */
export async function setOwner(services: Services, rows: readonly Row[]): Promise<void> {
  const { owners, organizations } = services;
  const title = vscode.l10n.t('Set Owner');
  const ownable = await chooseOwnable(services, rows, title);
  if (ownable === undefined) return;
  const { id, name } = ownable;
  await organizations.waitForSignIns();

  const ownerInUse = owners.ownerOf({ account: id });
  const scope = owners.scopeOf(id);
  const scopeText =
    ownerInUse === undefined
      ? willBeSavedText(scope)
      : vscode.l10n.t('Will be saved in {place}, where the owner in use stands.', {
          place: scope.detailedName,
        });
  const owner = await askChange(title, ownerInUse ?? '', {
    prompt: joinSentences(
      vscode.l10n.t('Who can fix “{name}”? Leave it empty to remove the owner.', { name }),
      scopeText,
    ),
    placeholder: vscode.l10n.t('Owner, for example Maria or #finance-ops'),
    validate: (text) => ownerMessage(services, text),
  });
  if (owner === undefined) return;

  const isRemoved = owner === '';
  const { scopes } = await owners.set(id, isRemoved ? undefined : owner);
  const place = scopeNames(scopes);
  showStatusBarMessage(
    isRemoved
      ? vscode.l10n.t('Removed the owner from {place}.', { place })
      : vscode.l10n.t('Saved the owner in {place}.', { place }),
  );
}

/** "Enter at most 200 characters."; `undefined` if the text can be an owner. */
function ownerMessage({ organizations }: Services, text: string): string | undefined {
  if (organizations.hasTokenIn(text)) {
    return vscode.l10n.t('This text contains a token. Do not put tokens into settings.');
  }
  return text.trim().length > maxOwnerChars
    ? vscode.l10n.t('Enter at most 200 characters.')
    : undefined;
}

/**
 * Resolves with the account of the first row, or with what the user chooses in the first
 * deployment; with `undefined` if the user dismisses a list.
 */
async function chooseOwnable(
  services: Services,
  rows: readonly Row[],
  title: string,
): Promise<Ownable | undefined> {
  const [row] = rows;
  const accountId = row && !row.isOfDeployment ? row.copyId : undefined;
  if (accountId) return ownableAccount(services, accountId);
  const [deployment] = await chooseDeployments(services, rows, title);
  return deployment && chooseInDeployment(services, deployment, title);
}

/** The newest answer about an account has its name. Without an answer, the ID is the name. */
function ownableAccount({ impact }: Services, id: string): Ownable {
  const account = impact.newestReading(id)?.finding.account;
  const name = account ? accountLabel(account, maxLabelChars) : shorten(id, maxLabelChars);
  return { id, name };
}

/**
 * Resolves with the deployment, or with one of its failed accounts: `undefined` if the user
 * dismisses the list. The failed accounts are offered first, because the owner of a deployment is
 * not the owner of its accounts in other deployments. Does not ask if only one choice makes sense.
 */
async function chooseInDeployment(
  services: Services,
  deployment: Deployment,
  title: string,
): Promise<Ownable | undefined> {
  const { owners } = services;
  const ownableDeployment = { id: deployment.id, name: shortName(deployment, maxLabelChars) };
  const failedAccounts = failedAccountsOf(services, deployment);
  const [first] = failedAccounts;
  if (first === undefined) return ownableDeployment;
  const hasOwner = owners.ownerOf({ deployment: deployment.id }) !== undefined;
  if (failedAccounts.length === 1 && !hasOwner) return first;

  const accountItems = failedAccounts.map((account) => {
    const deploymentCount = services.impact.countHolders(account.id);
    const kind = inDeploymentsWord(deploymentCount) ?? vscode.l10n.t('account');
    return ownableItem(services, account, kind);
  });
  const deploymentKind = vscode.l10n.t('deployment');
  const deploymentItem = ownableItem(services, ownableDeployment, deploymentKind);
  const selectedRows = readRows(undefined, services.selectedRows());
  const selectedIds = selectedRows.map(({ copyId }) => copyId);
  const suggested = accountItems.filter(({ ownable }) => selectedIds.includes(ownable.id));
  const options = { title, placeholder: vscode.l10n.t('Select an account or the deployment') };
  const picked = await pickOne([...accountItems, deploymentItem], options, suggested);
  return picked?.ownable;
}

function failedAccountsOf(services: Services, { answer }: Deployment): readonly Ownable[] {
  const accounts: Ownable[] = [];
  for (const { finding, kind } of answer?.findings.problems ?? []) {
    if (kind !== 'failedAccount' || !finding.account.id) continue;
    accounts.push(ownableAccount(services, finding.account.id));
  }
  return accounts;
}

/**
 * "Finance Slack", and beside it `description` and the owner: "in 6 deployments · Owner: Maria",
 * "deployment".
 */
function ownableItem({ owners }: Services, ownable: Ownable, description: string) {
  // The setting has IDs of accounts and of deployments alike.
  const owner = owners.ownerOf({ account: ownable.id });
  return {
    ownable,
    label: inertLabel(ownable.name),
    description: inertLabel(joinWithDots(description, ownerWord(owner))),
  };
}
