import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { joinSentences } from '../host/text/format.js';

interface ListOptions
  extends Pick<vscode.QuickPickOptions, 'matchOnDescription' | 'matchOnDetail'> {
  readonly title: string;
  /** VS Code makes the list's name for screen readers of the title and this text. */
  readonly placeholder: string;
}

/**
 * Shows a list and returns the item that the user picks; `undefined` if the user dismisses the
 * list. The first of the suggested items is highlighted.
 */
export async function pickOne<Item extends vscode.QuickPickItem>(
  items: readonly Item[],
  options: ListOptions,
  suggested?: readonly Item[],
): Promise<Item | undefined> {
  const [picked] = await pickFrom(createList(items, options), suggested);
  return picked;
}

/** An item behind those of a list, and what the list shows instead once the user picks it. */
interface OthersItem<Item extends vscode.QuickPickItem> {
  readonly item: vscode.QuickPickItem;
  readonly title: string;
  readonly items: () => readonly Item[];
}

/**
 * As `pickOne`, with another item at the end. If the user picks that one, the list stays open with
 * other items, which are filtered by what the user has typed.
 */
export async function pickOneOrOthers<Item extends vscode.QuickPickItem>(
  items: readonly Item[],
  options: ListOptions,
  suggested: readonly Item[],
  others: OthersItem<Item>,
): Promise<Item | undefined> {
  const list = createList<Item | vscode.QuickPickItem>([...items, others.item], options);
  list.activeItems = [...suggested, ...list.items].slice(0, 1);
  let shownItems = items;
  const showOthers = (): void => {
    shownItems = others.items();
    list.title = others.title;
    list.items = shownItems;
  };
  return showUntil<Item | undefined>(list, undefined, (resolve) => {
    const [accepted] = [...list.selectedItems, ...list.activeItems];
    if (accepted === others.item) return showOthers();
    const picked = shownItems.find((item) => item === accepted);
    if (picked) resolve(picked);
  });
}

/**
 * Shows a list with check boxes and returns the items that the user picks; none if the user
 * dismisses the list. Several suggested items are checked, a single one is only highlighted.
 */
export async function pickMany<Item extends vscode.QuickPickItem>(
  items: readonly Item[],
  options: ListOptions,
  suggested?: readonly Item[],
): Promise<readonly Item[]> {
  const list = createList(items, options);
  list.canSelectMany = true;
  list.selectedItems = items.filter(({ picked }) => picked === true);
  return pickFrom(list, suggested);
}

/**
 * Shows a list with check boxes, and returns the items that are checked when the user presses
 * Enter, which may be none; `undefined` if the user dismisses the list. Items with `picked` are
 * checked at first.
 */
export async function pickAnyChecked<Item extends vscode.QuickPickItem>(
  items: readonly Item[],
  options: ListOptions,
): Promise<readonly Item[] | undefined> {
  const list = createList(items, options);
  list.canSelectMany = true;
  list.selectedItems = items.filter(({ picked }) => picked === true);
  list.activeItems = items.slice(0, 1);
  return showUntil<readonly Item[] | undefined>(list, undefined, (resolve) => {
    resolve(list.selectedItems);
  });
}

function createList<Item extends vscode.QuickPickItem>(
  items: readonly Item[],
  options: ListOptions,
): vscode.QuickPick<Item> {
  return Object.assign(vscode.window.createQuickPick<Item>(), options, { items });
}

/**
 * Shows the list and returns what the user accepts with Enter: the checked items, or the
 * highlighted item if none has ever been checked. Returns none if the user dismisses the list, or
 * unchecks all items. With `onNothingChecked`, Enter accepts checked items only; while there are
 * none, it calls this function, and the list stays open.
 */
export async function pickFrom<Item extends vscode.QuickPickItem>(
  list: vscode.QuickPick<Item>,
  suggested: readonly Item[] = [],
  onNothingChecked?: () => void,
): Promise<readonly Item[]> {
  const checkedAtFirst = list.canSelectMany && suggested.length > 1 ? suggested : [];
  if (checkedAtFirst.length > 0) list.selectedItems = checkedAtFirst;
  list.activeItems = [...suggested, ...list.items].slice(0, 1);

  let wasChecked = list.selectedItems.length > 0;
  list.onDidChangeSelection(({ length }) => {
    if (length > 0) wasChecked = true;
  });
  list.onDidChangeValue(() => {
    // Without suggested items there is nothing to uncheck, and VS Code would uncheck an item that
    // the user checks quickly.
    if (checkedAtFirst.length === 0) return;
    if (!isDeepStrictEqual(list.selectedItems, checkedAtFirst)) return;
    // The filter may hide suggested items from the user, so they are unchecked.
    list.selectedItems = [];
    wasChecked = false;
  });

  return showUntil<readonly Item[]>(list, [], (resolve) => {
    const { activeItems, selectedItems } = list;
    if (selectedItems.length > 0) return resolve(selectedItems);
    if (!onNothingChecked && wasChecked) return resolve([]);
    if (!onNothingChecked && activeItems.length > 0) return resolve(activeItems);

    onNothingChecked?.();
    // Once the user has typed, VS Code highlights no item of a list with check boxes.
    if (activeItems.length === 0) void vscode.commands.executeCommand('quickInput.first');
  });
}

/**
 * Shows the list, and disposes of it at the end. `accept` is called on Enter, and resolves with the
 * result, or leaves the list open. Resolves with `dismissed` if the user dismisses the list.
 */
async function showUntil<Result>(
  list: vscode.QuickPick<vscode.QuickPickItem>,
  dismissed: Result,
  accept: (resolve: (result: Result) => void) => void,
): Promise<Result> {
  try {
    return await new Promise((resolve) => {
      list.onDidAccept(() => accept(resolve));
      list.onDidHide(() => resolve(dismissed));
      list.show();
    });
  } finally {
    list.dispose();
  }
}

/**
 * Shows a list with check boxes, and returns the checked items; none if the user dismisses the
 * list. If no item is checked, Enter leaves the list open, and makes the title say how to check
 * one: the items are words from a clipboard or from files, so the first one must not be accepted
 * only because it is the first.
 */
export function pickChecked<Item extends vscode.QuickPickItem>(
  list: vscode.QuickPick<Item>,
): Promise<readonly Item[]> {
  const { title = '' } = list;
  list.onDidChangeSelection(({ length }) => {
    if (length > 0) list.title = title;
  });
  // A screen reader reads the title, which is visible even while a filter hides the placeholder.
  return pickFrom(list, [], () => {
    list.title = joinSentences(vscode.l10n.t('Press Space to select.'), title);
  });
}
