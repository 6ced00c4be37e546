import * as vscode from 'vscode';
import { addDeploymentAction } from '../../host/actions.js';
import { addScope } from '../../host/list/settingsScope.js';
import { showMessage } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import { joinSentences, joinWithDots, numberText, plural } from '../../host/text/format.js';
import { organizationName } from '../../host/text/organization.js';
import { candidatesIn, maxTextChars } from '../../model/entered/candidates.js';
import { inertLabel, inertPlain } from '../../model/inertText.js';
import { checkedRows } from '../quickPick.js';
import { addToList } from './addDeployment.js';
import { offerUndo } from './changeList.js';

export async function addDeploymentsFromText(services: Services): Promise<void> {
  // Which tokens there are is known once the keyring was read.
  await services.organizations.waitForSignIns();
  const selection = selectedText();
  const text = selection ?? (await vscode.env.clipboard.readText());
  const listed = services.deploymentList.listed.map(({ id }) => id);
  const { found, total, hasListedId, leftOutCount, isCut } = candidatesIn(text, listed, (one) =>
    services.log.redact(one),
  );
  const left = joinSentences(
    isCut
      ? vscode.l10n.t('Only the first {count} characters were searched.', {
          count: numberText(maxTextChars),
        })
      : undefined,
    leftOutCount > 0 ? leftOutText(leftOutCount) : undefined,
  );
  if (found.length === 0)
    return showMessage(
      joinSentences(vscode.l10n.t('No new deployment IDs found.'), left),
      addDeploymentAction,
    );

  const isSelection = selection !== undefined;
  const items = found.map(({ id, beginsLikeListed, mayBeInstallToken }) => ({
    id,
    label: inertLabel(id, 200),
    ...(mayBeInstallToken && { description: vscode.l10n.t('This may be an install token.') }),
    picked: isSelection && beginsLikeListed && !mayBeInstallToken,
  }));
  const title = isSelection
    ? vscode.l10n.t('Add Deployments from Selection')
    : vscode.l10n.t('Add Deployments from Clipboard');
  const isLikely = new Set(
    found.filter(({ beginsLikeListed }) => beginsLikeListed).map(({ id }) => id),
  );
  const likely = items.filter(({ id }) => isLikely.has(id));
  const all = { items, note: joinSentences(left, cutText(items.length, total)) };
  if (likely.length > 0 && likely.length < items.length) {
    return addFromChecklist(services, title, {
      items: likely,
      note: joinSentences(left, hiddenText(total - likely.length)),
      all,
    });
  }
  const offer = (): Promise<void> => addFromChecklist(services, title, all);
  if (!hasListedId || likely.length > 0) return offer();
  const sentence = vscode.l10n.t('No new IDs like those in the list.');
  showMessage(sentence, { title: vscode.l10n.t('Show All Words'), run: offer });
}

type Entry = vscode.QuickPickItem & { readonly id: string };

/** What is offered. `all`: what else is, once the user asks for all words. */
interface Checklist {
  readonly items: readonly Entry[];
  /** Stands before the question. */
  readonly note: string;
  readonly all?: Checklist;
}

export async function addFromChecklist(
  services: Services,
  source: string,
  checklist: Checklist,
): Promise<void> {
  const { current } = services.organizations;
  const asked = current ? organizationName(current) : vscode.l10n.t('not signed in');
  const title = inertPlain(joinWithDots(source, addScope().nameInQuestion, asked), 300);
  const chosen = await choose(title, checklist);
  if (chosen.length === 0) return;
  const deployments = chosen.map(({ id }) => ({ id }));
  await addToList(services, deployments, (sentence, change) =>
    offerUndo(services, change, sentence),
  );
}

async function choose(title: string, checklist: Checklist): Promise<readonly Entry[]> {
  const pick = vscode.window.createQuickPick<Entry>();
  const offer = ({ items, note, all }: Checklist, selected: readonly Entry[]): void => {
    const showAll = {
      iconPath: new vscode.ThemeIcon('list-unordered'),
      tooltip: vscode.l10n.t('Show All Words'),
    };
    pick.placeholder = joinSentences(note, vscode.l10n.t('Select the deployments to add.'));
    pick.items = items;
    pick.selectedItems = selected;
    pick.buttons = all ? [showAll] : [];
  };
  pick.title = title;
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  offer(
    checklist,
    checklist.items.filter(({ picked }) => picked === true),
  );
  pick.onDidTriggerButton(() => checklist.all && offer(checklist.all, pick.selectedItems));
  return checkedRows(pick);
}

/** Of a list that begins with the likely ones. */
function hiddenText(hidden: number): string {
  const count = numberText(hidden);
  return plural(
    hidden,
    vscode.l10n.t('{count} other word is not shown.', { count }),
    vscode.l10n.t('{count} other words are not shown.', { count }),
  );
}

/** Of a list that is not shown whole. */
export function cutText(count: number, total: number): string | undefined {
  const words = { count: numberText(count), total: numberText(total) };
  return total > count ? vscode.l10n.t('Showing the first {count} of {total}.', words) : undefined;
}

function selectedText(): string | undefined {
  const editor = vscode.window.activeTextEditor;
  const selections = editor?.selections.filter(({ isEmpty }) => !isEmpty) ?? [];
  if (!editor || selections.length === 0) return undefined;
  return selections.map((selection) => editor.document.getText(selection)).join('\n');
}

function leftOutText(leftOut: number): string {
  const count = numberText(leftOut);
  return plural(
    leftOut,
    vscode.l10n.t('{count} skipped: it may be a token, or is longer than 128 characters.', {
      count,
    }),
    vscode.l10n.t('{count} skipped: they may be tokens, or are longer than 128 characters.', {
      count,
    }),
  );
}
