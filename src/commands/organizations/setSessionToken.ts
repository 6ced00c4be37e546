import * as vscode from 'vscode';
import { signInAction, UserError } from '../../host/actions.js';
import { mention } from '../../host/messages.js';
import type { Organization } from '../../host/organizations/organization.js';
import type { Services } from '../../host/services.js';
import { sentences } from '../../host/text/format.js';
import { hostOf } from '../../host/text/organization.js';
import { readToken } from '../../model/input.js';
import { askOneText } from '../questions.js';
import { validateToken } from './signIn.js';
import { currentOrganization } from './switchOrganization.js';

/** The optional second slot: the user session token that looking up an install takes. */
export async function setSessionToken(services: Services): Promise<void> {
  const organization = await currentOrganization(services);
  if (organization.source === 'environment') throw readOnly();
  const given = await askOneText(vscode.l10n.t('Set User Session Token'), {
    prompt: promptFor(organization),
    placeholder: organization.hasSessionToken ? vscode.l10n.t('Leave empty to remove the token') : '',
    password: true,
    validate: (value) => (value.trim() === '' ? undefined : validateToken(value)),
  });
  if (given === undefined) return;
  const pasted = readToken(given);
  const { name } = organization;
  if (pasted.kind === 'token') {
    await services.organizations.setSessionToken(organization.id, pasted.token);
    mention(vscode.l10n.t('The user session token of “{name}” is set.', { name }));
  } else if (organization.hasSessionToken) {
    await services.organizations.setSessionToken(organization.id, undefined);
    mention(vscode.l10n.t('The user session token of “{name}” is removed.', { name }));
  }
}

function promptFor({ name, baseUrl, hasSessionToken }: Organization): string {
  return sentences(
    vscode.l10n.t(
      'User session token of “{name}”, for looking up installs. It is kept in the keyring and only sent to {host}.',
      {
        name,
        host: hostOf(baseUrl),
      },
    ),
    hasSessionToken ? vscode.l10n.t('One is set; empty input removes it.') : undefined,
  );
}

function readOnly(): UserError {
  return new UserError(
    vscode.l10n.t(
      'The organization “environment” comes from environment variables and is read-only, so it cannot have a user session token. Sign in to the same base URL under another name to use one.',
    ),
    [signInAction()],
  );
}
