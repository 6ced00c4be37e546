import * as vscode from 'vscode';
import type { Services } from '../host/services.js';
import { showLogStep } from '../host/text.js';
import { UserError } from '../host/userError.js';
import { currentOrganization } from './whichOrganization.js';

/** What happens on the way to the current organization's base URL. Until the steps can be told apart, it says that they can't. */
export async function checkConnection(services: Services): Promise<void> {
  await currentOrganization(services);
  throw new UserError(
    vscode.l10n.t('The connection cannot be checked step by step yet. The log has the requests and how they ended.'),
    [showLogStep()],
  );
}
