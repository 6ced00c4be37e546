import * as vscode from 'vscode';
import { mention } from '../../host/messages.js';
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

/** An account or a deployment that someone can be the owner of. */
interface Ownable {
  readonly id: string;
  readonly name: string;
}

export async function setOwner(services: Services, rows: readonly Row[]): Promise<void> {
  const { owners, organizations } = services;
  const title = vscode.l10n.t('Set Owner');
  const ownable = await chooseOwnable(services, rows, title);
  if (ownable === undefined) return;
  const { id, name } = ownable;
  await organizations.waitForSignIns();
  const inUse = owners.of({ account: id });
  const scope = owners.scopeOf(id);
  const owner = await askChange(title, inUse ?? '', {
    prompt: joinSentences(
      vscode.l10n.t('Who can fix “{name}”? Leave it empty to remove the owner.', { name }),
      inUse === undefined
        ? willBeSavedText(scope)
        : vscode.l10n.t('Will be saved in {place}, where the owner in use stands.', {
            place: scope.nameInQuestion,
          }),
    ),
    placeholder: vscode.l10n.t('Owner, for example Maria or #finance-ops'),
    validate: (text) => {
      if (organizations.hasTokenIn(text)) {
        return vscode.l10n.t('This text contains a token. Do not put tokens into settings.');
      }
      return text.trim().length > maxOwnerChars
        ? vscode.l10n.t('Enter at most 200 characters.')
        : undefined;
    },
  });
  if (owner === undefined) return;
  const { scopes } = await owners.set(id, owner || undefined);
  const place = scopeNames(scopes);
  mention(
    owner === ''
      ? vscode.l10n.t('Removed the owner from {place}.', { place })
      : vscode.l10n.t('Saved the owner in {place}.', { place }),
  );
}

async function chooseOwnable(
  services: Services,
  rows: readonly Row[],
  title: string,
): Promise<Ownable | undefined> {
  const [row] = rows;
  if (row && !row.isOfDeployment && row.copyId) return accountWithId(services, row.copyId);
  const [deployment] = await chooseDeployments(services, rows, title);
  return deployment && chooseInDeployment(services, deployment, title);
}

function accountWithId({ impact }: Services, id: string): Ownable {
  const account = impact.newestReading(id)?.finding.account;
  return { id, name: account ? accountLabel(account, maxLabelChars) : shorten(id, maxLabelChars) };
}

/**
 * The owner of a deployment is none of its accounts' other deployments, so what has failed in it is offered first.
 * Asks only where there are several things of which the user may mean one.
 */
async function chooseInDeployment(
  services: Services,
  deployment: Deployment,
  title: string,
): Promise<Ownable | undefined> {
  const { impact, owners } = services;
  const own = { id: deployment.id, name: shortName(deployment, maxLabelChars) };
  const problems = deployment.answer?.findings.problems ?? [];
  const failed = problems.flatMap(({ finding, kind }) =>
    kind === 'failedAccount' && finding.account.id
      ? accountWithId(services, finding.account.id)
      : [],
  );
  const [first] = failed;
  if (first === undefined) return own;
  if (failed.length === 1 && owners.of({ deployment: own.id }) === undefined) return first;
  const items = [
    ...failed.map((one) => ({
      one,
      kind: inDeploymentsWord(impact.countHolders(one.id)) ?? vscode.l10n.t('account'),
    })),
    { one: own, kind: vscode.l10n.t('deployment') },
  ].map(({ one, kind }) => ({
    one,
    label: inertLabel(one.name),
    description: inertLabel(joinWithDots(kind, ownerWord(owners.of({ account: one.id })))),
  }));
  const selectedIds = readRows(undefined, services.selectedRows()).map(({ copyId }) => copyId);
  const suggested = items.filter(({ one }) => one !== own && selectedIds.includes(one.id));
  const options = { title, placeholder: vscode.l10n.t('Select an account or the deployment') };
  const picked = await pickOne(items, options, suggested);
  return picked?.one;
}
