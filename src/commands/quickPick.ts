import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { joinSentences } from '../host/text/format.js';

interface ListOptions
  extends Pick<vscode.QuickPickOptions, 'matchOnDescription' | 'matchOnDetail'> {
  readonly title: string;
  /** With the title the spoken name of the list. */
  readonly placeholder: string;
}

/** Returns the row that the user takes, or `undefined`. Of the suggested rows the first is highlighted. */
export async function pickOne<Item extends vscode.QuickPickItem>(
  items: readonly Item[],
  options: ListOptions,
  suggested?: readonly Item[],
): Promise<Item | undefined> {
  const [taken] = await rowsTaken(quickPick(items, options), suggested);
  return taken;
}

/** Returns the rows that the user takes. Several suggested rows are checked, one is only highlighted. */
export async function pickMany<Item extends vscode.QuickPickItem>(
  items: readonly Item[],
  options: ListOptions,
  suggested?: readonly Item[],
): Promise<readonly Item[]> {
  const list = quickPick(items, options);
  list.canSelectMany = true;
  list.selectedItems = items.filter(({ picked }) => picked === true);
  return rowsTaken(list, suggested);
}

function quickPick<Item extends vscode.QuickPickItem>(
  items: readonly Item[],
  options: ListOptions,
) {
  return Object.assign(vscode.window.createQuickPick<Item>(), options, { items });
}

/**
 * Shows the list and returns what Enter takes: the checked rows, or the highlighted one where none has been
 * checked. Empty if the user dismisses the list, or unchecks all rows. With `askToCheck`, which is called then, Enter takes
 * checked rows only.
 */
export async function rowsTaken<Item extends vscode.QuickPickItem>(
  list: vscode.QuickPick<Item>,
  suggested: readonly Item[] = [],
  askToCheck?: () => void,
): Promise<readonly Item[]> {
  const checked = list.canSelectMany && suggested.length > 1 ? suggested : [];
  if (checked.length > 0) list.selectedItems = checked;
  list.activeItems = [...suggested, ...list.items].slice(0, 1);
  let wasChecked = list.selectedItems.length > 0;
  list.onDidChangeSelection(({ length }) => {
    if (length > 0) wasChecked = true;
  });
  list.onDidChangeValue(() => {
    // Without suggested rows there is nothing to uncheck, and VS Code would get it after a row that the user checks quickly.
    if (checked.length === 0 || !isDeepStrictEqual(list.selectedItems, checked)) return;
    // Suggested rows are unchecked, since the filter may hide them from the user.
    list.selectedItems = [];
    wasChecked = false;
  });
  try {
    return await new Promise((resolve) => {
      list.onDidAccept(() => {
        const { activeItems, selectedItems } = list;
        if (selectedItems.length > 0) return resolve(selectedItems);
        if (!askToCheck && wasChecked) return resolve([]);
        if (!askToCheck && activeItems.length > 0) return resolve(activeItems);
        askToCheck?.();
        // VS Code highlights no row of a list with check boxes once the user has typed.
        if (activeItems.length === 0) void vscode.commands.executeCommand('quickInput.first');
      });
      list.onDidHide(() => resolve([]));
      list.show();
    });
  } finally {
    list.dispose();
  }
}

/**
 * Shows the list and returns the checked rows. While there is none, Enter leaves it open and says how to check one: of words that
 * come from a clipboard or from files, none may be taken because it was the first.
 */
export function checkedRows<Item extends vscode.QuickPickItem>(
  list: vscode.QuickPick<Item>,
): Promise<readonly Item[]> {
  const { title = '' } = list;
  list.onDidChangeSelection(({ length }) => {
    if (length > 0) list.title = title;
  });
  // A screen reader says the title, which is also seen while a filter hides the placeholder.
  return rowsTaken(list, [], () => {
    list.title = joinSentences(vscode.l10n.t('Press Space to select.'), title);
  });
}
