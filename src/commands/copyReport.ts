import * as vscode from 'vscode';
import type { Services } from '../host/services.js';
import { numberText, plural, reportWording } from '../host/text.js';
import type { Deployment } from '../model/deployment.js';
import { deploymentReport, deploymentsReportParts } from '../model/report.js';
import { Slices } from '../model/slices.js';
import { deploymentItems, listedDeployments } from './pickDeployment.js';
import { type CommandArguments, deploymentsOf } from './rows.js';
import { mention } from './say.js';

/** Markdown of one deployment, of the selected ones, or of all, for an issue or a chat. */
export async function copyReport(services: Services, ...args: CommandArguments): Promise<void> {
  const selected = new Set(deploymentsOf(services, args).map((deployment) => deployment.id));
  // Worst first, in whatever order they were selected.
  const rows = services.store.deployments.filter((deployment) => selected.has(deployment.id));
  const chosen = rows.length > 0 ? rows : await pickOneOrAll(services);
  const [first] = chosen;
  if (!first) return;
  const wording = reportWording();
  const report =
    chosen.length === 1
      ? deploymentReport(first, wording)
      : (await new Slices().collect(deploymentsReportParts(chosen, wording))).join('');
  await vscode.env.clipboard.writeText(report);
  const count = numberText(chosen.length);
  mention(
    plural(
      chosen.length,
      vscode.l10n.t('The report on {count} deployment is copied.', { count }),
      vscode.l10n.t('The report on {count} deployments is copied.', { count }),
    ),
  );
}

/** Without a deployment: all of them. */
type AllOr = vscode.QuickPickItem & { readonly deployment?: Deployment };

async function pickOneOrAll(services: Services): Promise<readonly Deployment[]> {
  const every = listedDeployments(services);
  const chosen = await vscode.window.showQuickPick(new Slices().collect(choices(every)), {
    title: vscode.l10n.t('Copy Authorization Report'),
    placeHolder: vscode.l10n.t('What to report on'),
    matchOnDescription: true,
  });
  if (!chosen) return [];
  return chosen.deployment ? [chosen.deployment] : every;
}

function* choices(every: readonly Deployment[]): Generator<AllOr, void, void> {
  if (every.length > 1) {
    yield {
      label: vscode.l10n.t('All deployments'),
      description: numberText(every.length),
      iconPath: new vscode.ThemeIcon('list-unordered'),
    };
  }
  yield* deploymentItems(every);
}
