import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';

export interface ListOptions extends Pick<vscode.QuickPickOptions, 'matchOnDescription' | 'matchOnDetail'> {
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

function quickPick<Item extends vscode.QuickPickItem>(items: readonly Item[], options: ListOptions) {
  return Object.assign(vscode.window.createQuickPick<Item>(), options, { items });
}

/**
 * Shows the list and returns what Enter takes: the checked rows, or the highlighted one where none has been
 * checked. Empty if the user dismisses the list, or unchecks all rows.
 */
export async function rowsTaken<Item extends vscode.QuickPickItem>(
  list: vscode.QuickPick<Item>,
  suggested: readonly Item[] = [],
): Promise<readonly Item[]> {
  const checked = list.canSelectMany && suggested.length > 1 ? suggested : [];
  if (checked.length > 0) list.selectedItems = checked;
  list.activeItems = [...suggested, ...list.items].slice(0, 1);
  let wasChecked = list.selectedItems.length > 0;
  list.onDidChangeSelection(({ length }) => {
    if (length > 0) wasChecked = true;
  });
  list.onDidChangeValue(() => {
    if (!isDeepStrictEqual(list.selectedItems, checked)) return;
    // Suggested rows are unchecked, since the filter may hide them from the user.
    list.selectedItems = [];
    wasChecked = false;
  });
  try {
    return await new Promise((resolve) => {
      list.onDidAccept(() => {
        const { activeItems, selectedItems } = list;
        if (selectedItems.length > 0 || wasChecked) return resolve(selectedItems);
        if (activeItems.length > 0) return resolve(activeItems);
        // VS Code highlights no row of a list with check boxes once the user has typed.
        void vscode.commands.executeCommand('quickInput.first');
      });
      list.onDidHide(() => resolve([]));
      list.show();
    });
  } finally {
    list.dispose();
  }
}
