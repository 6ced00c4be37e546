import type * as vscode from 'vscode';
import type { Services } from '../host/services.js';
import { inertLabel, inertPlain } from '../model/inertText.js';
import { statusHover } from './hovers/statusHover.js';
import type { StatusSummary } from './missingOrganization.js';
import { statusSummary } from './statusSummary.js';

/** What the status bar says of the deployments, and its hover. */
export function shownOf({
  organizations,
  store,
}: Pick<Services, 'organizations' | 'store'>):
  | { readonly summary: StatusSummary; readonly tooltip: vscode.MarkdownString }
  | undefined {
  const summary = statusSummary(organizations, store);
  if (!summary) return undefined;
  const { icon, text, spoken } = summary;
  return {
    summary: { icon, text: inertLabel(text), spoken: inertPlain(spoken) },
    tooltip: statusHover(organizations.current, store, text),
  };
}
