import * as vscode from 'vscode';
import { signInAction, UserError } from '../../host/actions.js';
import { mention } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import { sentences } from '../../host/text/format.js';
import { hostOf } from '../../host/text/organization.js';
import { readToken } from '../../model/tokens.js';
import { askOneText } from '../questions.js';
import { currentOrganization } from './currentOrganization.js';
import { validateToken } from './signIn.js';

/** The optional second slot: the user session token that looking up an install takes. */
export async function setSessionToken(services: Services): Promise<void> {
  const { source, id, name, baseUrl, hasSessionToken } = await currentOrganization(services);
  if (source === 'environment') {
    throw new UserError(
      vscode.l10n.t(
        'The organization “environment” is read-only. To use a user session token, sign in to the same base URL under another name.',
      ),
      [signInAction()],
    );
  }
  const values = { name, host: hostOf(baseUrl) };
  const given = await askOneText(vscode.l10n.t('Set User Session Token'), {
    prompt: sentences(
      vscode.l10n.t('The user session token of “{name}”, for looking up installs. It is only sent to {host}.', values),
      hasSessionToken ? vscode.l10n.t('Leave empty to remove the current one.') : undefined,
    ),
    password: true,
    validate: (value) => (value.trim() === '' ? undefined : validateToken(value)),
  });
  if (given === undefined) return;
  const pasted = readToken(given);
  if (pasted.kind === 'token') {
    await services.organizations.setSessionToken(id, pasted.token);
    mention(vscode.l10n.t('Set the user session token of “{name}”.', values));
  } else if (hasSessionToken) {
    await services.organizations.setSessionToken(id, undefined);
    mention(vscode.l10n.t('Removed the user session token of “{name}”.', values));
  }
}
