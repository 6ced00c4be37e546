import { inspect } from 'node:util';
import { expect, type Locator, type Page } from '@playwright/test';
import { ContextMenu } from './contextMenu.js';
import { Hovers } from './hovers.js';
import { clickUntil, oneTry, PageObject, spokenNames, untilRead } from './pageObject.js';
import { findRow, type RowQuery, readRows, type TreeRow } from './treeRow.js';

export class TreeView extends PageObject {
  readonly menu = new ContextMenu(this.page);
  private readonly hovers = new Hovers(this.page);
  readonly header: Locator;
  readonly description: Locator;
  readonly welcome: Locator;
  private readonly pane: Locator;

  constructor(
    page: Page,
    private readonly title: string,
  ) {
    super(page);
    this.header = page.locator(`.pane-header[aria-label^="${title}"]`);
    this.description = this.header.locator('.description');
    this.pane = page.locator('.pane', { has: this.header });
    this.welcome = this.pane.locator('.welcome-view-content');
  }

  async rows(): Promise<TreeRow[]> {
    return this.pane.locator('.monaco-list-row').evaluateAll(readRows);
  }

  async outline(): Promise<string[]> {
    const rows = await this.rows();
    return rows.map(({ level, label, description }) => {
      return `${'  '.repeat(level - 1)}${label}${description === '' ? '' : ` · ${description}`}`;
    });
  }

  async row(query: RowQuery): Promise<TreeRow> {
    const rows = await this.waitForRows(
      `the row ${inspect(query)}`,
      (all) => findRow(all, query) !== undefined,
    );
    return findRow(rows, query)!;
  }

  /** Waits until the row is gone and others are there: a tree that is being drawn anew is empty for a moment. */
  async waitForNoRow(query: RowQuery): Promise<void> {
    const gone = (rows: TreeRow[]) => rows.length > 0 && findRow(rows, query) === undefined;
    await this.waitForRows(`${inspect(query)} to vanish`, gone);
  }

  async waitForRows(what: string, wanted: (rows: TreeRow[]) => boolean): Promise<TreeRow[]> {
    return untilRead(`${this.title}: ${what}`, () => this.rows(), wanted);
  }

  expand(query: RowQuery): Promise<void> {
    return this.setExpanded(query, true);
  }

  collapse(query: RowQuery): Promise<void> {
    return this.setExpanded(query, false);
  }

  async select(query: RowQuery, ...modifiers: 'ControlOrMeta'[]): Promise<void> {
    await this.click(query, ...modifiers);
    await this.waitForRows(
      `${inspect(query)} to be selected`,
      (rows) => findRow(rows, query)?.selected === true,
    );
  }

  /** A click on a row whose command may take it away. */
  async click(query: RowQuery, ...modifiers: 'ControlOrMeta'[]): Promise<void> {
    await this.hovers.leave();
    await this.at(query, (row) => labelOf(row).click({ modifiers, ...oneTry }));
  }

  /** Of a row's menu, or of a submenu there. */
  async menuEntries(query: RowQuery, submenu?: string): Promise<string[]> {
    await this.openMenu(query);
    const entries =
      submenu === undefined ? await this.menu.entries() : await this.menu.entriesBelow(submenu);
    await this.menu.close();
    return entries;
  }

  /** `path`: the entry, behind the submenu that it is in. */
  chooseFromMenu(query: RowQuery, ...path: readonly string[]): Promise<void> {
    return this.menu.choose(path, () => this.openMenu(query));
  }

  async inlineActions(query: RowQuery): Promise<string[]> {
    let names: string[] = [];
    await this.at(query, async (row) => {
      await row.hover(oneTry);
      names = await spokenNames(row.locator('.actions .action-label'));
    });
    return names;
  }

  async pressInlineAction(query: RowQuery, name: string): Promise<void> {
    await this.hovers.leave();
    await this.at(query, async (row) => {
      await row.hover(oneTry);
      await row.locator(`.actions .action-label[aria-label="${name}"]`).click(oneTry);
    });
  }

  async tooltip(query: RowQuery, expected: RegExp): Promise<string> {
    return this.hovers.read(labelOf(this.locate(await this.row(query))), expected);
  }

  async pressTitleAction(name: string): Promise<void> {
    await this.header.hover();
    await this.header.locator(`.action-label[aria-label="${name}"]`).click();
  }

  async openTitleMenu(): Promise<void> {
    await this.header.hover(oneTry);
    await this.header.locator('.codicon-toolbar-more').click(oneTry);
    await this.menu.waitForOpen();
  }

  /** The title's buttons are drawn anew when a refresh ends, and a click meanwhile gets lost. */
  chooseFromTitleMenu(entry: string): Promise<void> {
    return this.menu.choose([entry], () => this.openTitleMenu());
  }

  async expectWelcome(text: RegExp, ...buttons: readonly string[]): Promise<void> {
    await expect(this.welcome).toHaveText(text);
    await expect(this.welcome.locator('.monaco-button')).toHaveText(buttons);
  }

  async pressWelcomeButton(name: string): Promise<void> {
    const button = this.welcome.locator('a').filter({ hasText: name });
    // The text comes with the extension, which a busy machine starts some seconds after the window.
    await expect(button).toBeVisible();
    await button.click();
  }

  async open(): Promise<void> {
    const isOpen = async () => (await this.header.getAttribute('aria-expanded')) === 'true';
    await clickUntil(this.header, isOpen);
  }

  private async openMenu(query: RowQuery): Promise<void> {
    await this.hovers.leave();
    await this.at(query, async (row) => {
      await labelOf(row).click({ button: 'right', ...oneTry });
      await this.menu.waitForOpen();
    });
  }

  private async setExpanded(query: RowQuery, wanted: boolean): Promise<void> {
    // A hover lies above the rows below it.
    await this.hovers.leave();
    await expect(async () => {
      const row = await this.row(query);
      if (row.expanded === wanted) return;
      await this.locate(row).locator('.monaco-tl-twistie').click(oneTry);
      await expect
        .poll(async () => (await this.row(query)).expanded, { timeout: 2_000 })
        .toBe(wanted);
    }).toPass();
  }

  /** Does something with a row; a refresh may move it meanwhile, then again. */
  private async at(query: RowQuery, action: (row: Locator) => Promise<void>): Promise<void> {
    await expect(async () => action(this.locate(await this.row(query)))).toPass();
  }

  /** Named by its label too, so that a click between two refreshes never meets the row that took its place. */
  private locate({ index, label }: TreeRow): Locator {
    const name = this.page.locator('.label-name', { hasText: label });
    return this.pane.locator(`.monaco-list-row[data-index="${index}"]`, { has: name });
  }
}

function labelOf(row: Locator): Locator {
  return row.locator('.label-name').first();
}
