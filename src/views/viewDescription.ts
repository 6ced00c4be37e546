import * as vscode from 'vscode';
import type { Organization } from '../host/organizations/organization.js';
import { countsText, progressText } from '../host/text/deployment.js';
import { parts } from '../host/text/format.js';
import { inertLabel } from '../model/inertText.js';
import type { Store } from '../model/store/store.js';

/** Beside the view's title: which organization, and how it stands. `TreeView.message` would hide the welcome view. */
export function viewDescription(
  organization: Organization | undefined,
  { counts, progress }: Pick<Store, 'counts' | 'progress'>,
): string | undefined {
  if (!organization) return undefined;
  const state = progress
    ? progressText(progress)
    : counts.total === 0
      ? vscode.l10n.t('not checked yet')
      : countsText(counts);
  return inertLabel(parts(organization.name, state), 200);
}
