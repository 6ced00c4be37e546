import * as vscode from 'vscode';
import { mention } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import { shorten } from '../../model/inertText.js';
import { ownerProblem } from '../../model/owners.js';
import { copyIdOf, type Row } from '../arguments.js';
import { askOneText } from '../questions.js';
import { chooseDeployments } from './pickDeployment.js';

/** Who can repair the account of a row, or the deployment; an empty answer forgets it. */
export async function setOwner(services: Services, rows: readonly Row[]): Promise<void> {
  const { owners, organizations } = services;
  const title = vscode.l10n.t('Set Owner');
  const [row] = rows;
  const own = row && !row.isOfDeployment ? copyIdOf(services, row) : undefined;
  const wording = { title, placeHolder: vscode.l10n.t('Deployment whose owner to set') };
  const id = own || (await chooseDeployments(services, rows, wording))[0]?.id;
  if (id === undefined) return;
  const before = owners.of({ account: id }) ?? '';
  await organizations.ready;
  const given = await askOneText(title, {
    prompt: vscode.l10n.t('Who can repair “{id}”? Leave it empty to remove the owner.', { id: shorten(id) }),
    placeholder: vscode.l10n.t('For example: Maria, #finance-ops'),
    value: before,
    validate: (text) => {
      if (organizations.holdsToken(text)) {
        return vscode.l10n.t('This text contains a token. Do not put tokens into settings.');
      }
      return ownerProblem(text) === 'tooLong' ? vscode.l10n.t('Enter at most 200 characters.') : undefined;
    },
  });
  const owner = given?.trim();
  if (owner === undefined || owner === before) return;
  const { name: place } = await owners.set(id, owner || undefined);
  mention(
    owner === ''
      ? vscode.l10n.t('Removed the owner from {place}.', { place })
      : vscode.l10n.t('Saved the owner in {place}.', { place }),
  );
}
