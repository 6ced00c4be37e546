import * as vscode from 'vscode';
import { UserError } from '../host/actions.js';
import { mention } from '../host/messages.js';
import type { Services } from '../host/services.js';
import { numberText } from '../host/text/format.js';
import { type CommandArguments, copyIdOf, rowsOf } from './arguments.js';
import { pickDeployments } from './deployments/pickDeployment.js';

/** The ids of the rows, one a line: of the menu's row, the selection, or of deployments that are asked for. Never a token. */
export async function copyId(services: Services, ...args: CommandArguments): Promise<void> {
  const rows = rowsOf(args);
  const ids = rows.length > 0 ? rows.map((row) => copyIdOf(services, row)) : await pickIds(services);
  if (ids.length === 0) return;
  const known = [...new Set(ids.filter((id) => id !== undefined && id !== ''))];
  if (known.length === 0) throw new UserError(vscode.l10n.t('There is no id to copy: the service sent none.'));
  await vscode.env.clipboard.writeText(known.join('\n'));
  mention(
    known.length === 1
      ? vscode.l10n.t('The id is copied.')
      : vscode.l10n.t('{count} ids are copied.', { count: numberText(known.length) }),
  );
}

async function pickIds(services: Services): Promise<readonly string[]> {
  const deployments = await pickDeployments(services, {
    title: vscode.l10n.t('Copy ID'),
    placeholder: vscode.l10n.t('Deployments whose ids to copy'),
  });
  return deployments.map((deployment) => deployment.id);
}
