import * as vscode from 'vscode';
import type { Services } from '../host/services.js';
import { organizationName } from '../host/text.js';
import { idProblemText } from './idProblemText.js';
import { textPrefill } from './prefill.js';
import { type RevocationTarget, revocationTarget } from './revocation.js';
import { confirm } from './say.js';
import { createSendRevocation, targetChanged } from './sendRevocation.js';
import { askOneText, note } from './steps.js';
import { currentOrganization } from './whichOrganization.js';

/**
 * Permanently revokes an API key: the key id, a warning that names everything, the key id once more, and then one request that is
 * never repeated (contract, "Revocation"). Whoever stops anywhere before that has changed nothing.
 */
export function createRevokeApiKey(services: Services): (prefill?: unknown) => Promise<void> {
  const sendOnce = createSendRevocation(services);
  return async (prefill) => {
    const meant = revocationTarget(services.organizations, await currentOrganization(services));
    if (!meant) throw targetChanged();

    const keyId = await askKeyId(services, meant, textPrefill(prefill));
    if (keyId === undefined) return;
    if (!(await warned(meant, keyId))) return;
    if (!(await typedAgain(keyId))) return;

    await sendOnce(meant, keyId);
  };
}

async function askKeyId(services: Services, { organization }: RevocationTarget, prefill?: string) {
  const given = await askOneText(
    { title: vscode.l10n.t('Revoke API Key'), ignoreFocusOut: true },
    {
      prompt: vscode.l10n.t('The id of the API key in “{name}”. Not the key itself.', {
        name: organizationName(organization),
      }),
      ...(prefill !== undefined && { value: prefill }),
      validate: (value) => validateKeyId(services, value),
      required: vscode.l10n.t('Enter the id of an API key.'),
    },
  );
  return given?.trim();
}

function validateKeyId({ organizations }: Services, value: string) {
  const keyId = value.trim();
  const problem = idProblemText(organizations, keyId, {
    empty: vscode.l10n.t('Enter the id of an API key.'),
    token: vscode.l10n.t('This is the key itself, not its id. The id stands beside the key in the dashboard.'),
  });
  if (problem !== undefined || keyId === value) return problem;
  return note(vscode.l10n.t('Used without the spaces around it: {key}', { key: keyId }));
}

function warned({ organization, target }: RevocationTarget, keyId: string): Promise<boolean> {
  return confirm(
    vscode.l10n.t('Permanently revoke the API key “{key}”?', { key: keyId }),
    [
      vscode.l10n.t('Organization: {name}', { name: organizationName(organization) }),
      vscode.l10n.t('Base URL: {url}', { url: target.baseUrl }),
      '',
      vscode.l10n.t('This cannot be undone. Everything that uses the key stops working.'),
      vscode.l10n.t('The key may be the very token that is in use here, or anywhere else.'),
      vscode.l10n.t('The key id is asked for once more before anything is sent.'),
    ],
    vscode.l10n.t('Continue'),
  );
}

/** Exactly the same, with no help from us: this is the last moment to notice a mix-up. */
async function typedAgain(keyId: string): Promise<boolean> {
  const different = vscode.l10n.t('This is not the same key id. Nothing has been sent.');
  const typed = await askOneText(
    { title: vscode.l10n.t('Revoke API Key'), ignoreFocusOut: true },
    {
      prompt: vscode.l10n.t('Type the key id {key} once more to revoke it for good.', { key: keyId }),
      // An error while typing would be one before the last character, so it waits for Enter.
      validateOnEnter: (value) => (value === keyId ? undefined : different),
    },
  );
  return typed === keyId;
}
