import * as vscode from 'vscode';
import { addDeploymentAction } from '../../host/actions.js';
import { scopeForNewEntries } from '../../host/list/settingsScope.js';
import { showMessage } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import { joinSentences, joinWithDots, numberText, plural } from '../../host/text/format.js';
import { organizationName } from '../../host/text/organization.js';
import {
  type Candidate,
  type Candidates,
  candidatesIn,
  maxTextChars,
} from '../../model/entered/candidates.js';
import { inertLabel, inertPlain } from '../../model/inertText.js';
import { pickChecked } from '../quickPick.js';
import { addToList } from './addDeployment.js';
import { offerUndo } from './changeList.js';

/** An ID that is offered, with its check box. */
type Entry = vscode.QuickPickItem & { readonly id: string };

interface Checklist {
  readonly items: readonly Entry[];
  /** Stands before the question: "3 other words are not shown." */
  readonly note: string;
  /**
   * What Show All Words shows, if `items` leaves out some words. It contains the same objects,
   * because VS Code recognizes checked items by their identity.
   */
  readonly all?: Checklist;
}

/**
 * Offers to add the deployments whose IDs stand in the selection of the active editor, or in the
 * clipboard if nothing is selected.
 */
export async function addDeploymentsFromText(services: Services): Promise<void> {
  const { deploymentList, log, organizations } = services;
  // The tokens are known once the keyring was read; they are left out.
  await organizations.waitForSignIns();
  const selection = selectedText();
  const isSelection = selection !== undefined;
  const text = selection ?? (await vscode.env.clipboard.readText());
  const listedIds = deploymentList.listed.map(({ id }) => id);
  const candidates = candidatesIn(text, listedIds, (part) => log.redact(part));
  const limits = limitsText(candidates);
  if (candidates.found.length === 0) {
    const sentence = vscode.l10n.t('No new deployment IDs found.');
    return showMessage(joinSentences(sentence, limits), addDeploymentAction);
  }

  const title = isSelection
    ? vscode.l10n.t('Add Deployments from Selection')
    : vscode.l10n.t('Add Deployments from Clipboard');
  const { found, total } = candidates;
  const entries = found.map((candidate) => entryOf(candidate, isSelection));
  const likelyCandidates = found.filter(({ beginsLikeListed }) => beginsLikeListed);
  const likelyIds = new Set(likelyCandidates.map(({ id }) => id));
  const likely = entries.filter(({ id }) => likelyIds.has(id));
  const allWords = {
    items: entries,
    note: joinSentences(limits, cutText(entries.length, total)),
  };
  if (likely.length > 0 && likely.length < entries.length) {
    return addFromChecklist(services, title, {
      items: likely,
      note: joinSentences(limits, hiddenText(total - likely.length)),
      all: allWords,
    });
  }

  const offerAllWords = (): Promise<void> => addFromChecklist(services, title, allWords);
  if (!candidates.hasListedId || likely.length > 0) return offerAllWords();
  // The text has listed IDs, and no new words that look like them.
  const sentence = vscode.l10n.t('No new IDs like those in the list.');
  showMessage(sentence, { title: vscode.l10n.t('Show All Words'), run: offerAllWords });
}

/** `undefined` if nothing is selected in the active editor. */
function selectedText(): string | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return undefined;
  const selections = editor.selections.filter(({ isEmpty }) => !isEmpty);
  if (selections.length === 0) return undefined;
  return selections.map((selection) => editor.document.getText(selection)).join('\n');
}

/**
 * In a selection, words like listed IDs are checked at first, because the user chose the text. The
 * clipboard may contain anything.
 */
function entryOf(candidate: Candidate, isSelection: boolean): Entry {
  const { id, beginsLikeListed, mayBeInstallToken } = candidate;
  const entry: Entry = {
    id,
    label: inertLabel(id, 200),
    picked: isSelection && beginsLikeListed && !mayBeInstallToken,
  };
  if (mayBeInstallToken) entry.description = vscode.l10n.t('This may be an install token.');
  return entry;
}

/**
 * Asks which entries to add, and adds them. `source`: the beginning of the title "Add Deployments
 * from Clipboard · user settings (all windows) · Acme", which says where the IDs come from.
 */
export async function addFromChecklist(
  services: Services,
  source: string,
  checklist: Checklist,
): Promise<void> {
  const { current } = services.organizations;
  const organization = current ? organizationName(current) : vscode.l10n.t('not signed in');
  const title = joinWithDots(source, scopeForNewEntries().detailedName, organization);
  const chosen = await checkEntries(inertPlain(title, 300), checklist);
  if (chosen.length === 0) return;

  const deployments = chosen.map(({ id }) => ({ id }));
  await addToList(services, deployments, (sentence, change) =>
    offerUndo(services, change, sentence),
  );
}

/** Resolves with the entries that the user checks; empty if the user dismisses the list. */
async function checkEntries(title: string, checklist: Checklist): Promise<readonly Entry[]> {
  const list = vscode.window.createQuickPick<Entry>();
  const showAllButton = {
    iconPath: new vscode.ThemeIcon('list-unordered'),
    tooltip: vscode.l10n.t('Show All Words'),
  };
  const show = ({ items, note, all }: Checklist, checked: readonly Entry[]): void => {
    list.placeholder = joinSentences(note, vscode.l10n.t('Select the deployments to add.'));
    list.items = items;
    list.selectedItems = checked;
    list.buttons = all ? [showAllButton] : [];
  };
  list.title = title;
  list.canSelectMany = true;
  list.matchOnDescription = true;
  show(
    checklist,
    checklist.items.filter(({ picked }) => picked === true),
  );
  list.onDidTriggerButton(() => {
    if (checklist.all) show(checklist.all, list.selectedItems);
  });
  return pickChecked(list);
}

/**
 * "Only the first 300,000 characters were searched. 2 skipped: they may be tokens, …"; empty if the
 * whole text was searched and nothing was skipped.
 */
function limitsText({ isCut, leftOutCount }: Candidates): string {
  return joinSentences(
    isCut
      ? vscode.l10n.t('Only the first {count} characters were searched.', {
          count: numberText(maxTextChars),
        })
      : undefined,
    leftOutCount > 0 ? leftOutText(leftOutCount) : undefined,
  );
}

/** "2 skipped: they may be tokens, or are longer than 128 characters." */
function leftOutText(leftOutCount: number): string {
  const count = numberText(leftOutCount);
  return plural(
    leftOutCount,
    vscode.l10n.t('{count} skipped: it may be a token, or is longer than 128 characters.', {
      count,
    }),
    vscode.l10n.t('{count} skipped: they may be tokens, or are longer than 128 characters.', {
      count,
    }),
  );
}

/** "3 other words are not shown.", where only words like listed IDs are. */
function hiddenText(hiddenCount: number): string {
  const count = numberText(hiddenCount);
  return plural(
    hiddenCount,
    vscode.l10n.t('{count} other word is not shown.', { count }),
    vscode.l10n.t('{count} other words are not shown.', { count }),
  );
}

/** "Showing the first 200 of 312."; `undefined` if all are shown. */
export function cutText(shownCount: number, total: number): string | undefined {
  if (total <= shownCount) return undefined;
  const words = { count: numberText(shownCount), total: numberText(total) };
  return vscode.l10n.t('Showing the first {count} of {total}.', words);
}
