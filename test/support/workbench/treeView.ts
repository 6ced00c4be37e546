import { inspect } from 'node:util';
import { expect, type Locator, type Page } from '@playwright/test';
import { ContextMenu } from './contextMenu.js';
import { Hovers } from './hovers.js';
import { clickUntil, PageObject, spokenNames, textsOf } from './pageElement.js';
import { findRow, type RowQuery, readRows, type TreeRow } from './treeRow.js';
import { type Expected, fits, until, untilRead } from './until.js';

/** One view of a container in the side bar, by its title. */
export class TreeView extends PageObject {
  readonly menu = new ContextMenu(this.page);
  private readonly hovers = new Hovers(this.page);
  private readonly header: Locator;
  private readonly pane: Locator;
  private readonly searchInput = this.page.locator('.monaco-tree-type-filter input:visible');

  constructor(
    page: Page,
    private readonly title: string,
  ) {
    super(page);
    this.header = page.locator(`.pane-header[aria-label^="${title}"]`);
    this.pane = page.locator('.pane', { has: this.header });
  }

  /** The rows that are on the screen, from top to bottom. */
  async rows(): Promise<TreeRow[]> {
    return this.pane.locator('.monaco-list-row').evaluateAll(readRows);
  }

  /** Labels, indented by level: good for one literal per expectation. */
  async outline(): Promise<string[]> {
    const rows = await this.rows();
    return rows.map(({ level, label, description }) => {
      return `${'  '.repeat(level - 1)}${label}${description === '' ? '' : ` · ${description}`}`;
    });
  }

  /** Waits for a row; looks further down if it is not on the screen. */
  async row(query: RowQuery): Promise<TreeRow> {
    return until(`the row ${inspect(query)} in ${this.title}`, async () => this.find(query), {
      seen: () => this.outline(),
    });
  }

  /** Waits until the row is gone and others are there: a tree that is being drawn anew is empty for a moment. */
  async waitForNoRow(query: RowQuery): Promise<void> {
    const gone = (rows: TreeRow[]) => rows.length > 0 && findRow(rows, query) === undefined;
    await this.waitForRows(`${inspect(query)} to vanish`, gone);
  }

  /** Waits until the rows on the screen are as wanted. */
  async waitForRows(what: string, wanted: (rows: TreeRow[]) => boolean): Promise<TreeRow[]> {
    return untilRead(`${this.title}: ${what}`, () => this.rows(), wanted);
  }

  expand(query: RowQuery): Promise<void> {
    return this.setExpanded(query, true);
  }

  collapse(query: RowQuery): Promise<void> {
    return this.setExpanded(query, false);
  }

  /** A click: selects, and runs the row's command if it has one. With the modifier it adds to the selection. */
  async select(query: RowQuery, modifier?: 'Control'): Promise<void> {
    await this.hovers.leave();
    const modifiers = modifier && { modifiers: ['ControlOrMeta' as const] };
    await this.at(query, (row) => labelOf(row).click({ timeout: 2_000, ...modifiers }));
    await until(`${inspect(query)} to be selected`, async () => (await this.row(query)).selected);
  }

  /** A click on a row whose command may take it away. */
  async click(query: RowQuery): Promise<void> {
    await this.hovers.leave();
    await this.at(query, (row) => labelOf(row).click({ timeout: 2_000 }));
  }

  /** The entries of the row's context menu. */
  async menuEntries(query: RowQuery): Promise<string[]> {
    await this.openMenu(query);
    const entries = await this.menu.entries();
    await this.menu.close();
    return entries;
  }

  chooseFromMenu(query: RowQuery, entry: string): Promise<void> {
    return this.menu.choose(entry, () => this.openMenu(query));
  }

  /** The names of the buttons in the row. */
  async inlineActions(query: RowQuery): Promise<string[]> {
    return this.at(query, async (row) => {
      await row.hover({ timeout: 2_000 });
      return spokenNames(row.locator('.actions .action-label'));
    });
  }

  async pressInlineAction(query: RowQuery, name: string): Promise<void> {
    await this.hovers.leave();
    await this.at(query, async (row) => {
      await row.hover({ timeout: 2_000 });
      await row.locator(`.actions .action-label[aria-label="${name}"]`).click({ timeout: 2_000 });
    });
  }

  /** The tooltip of a row, once it is there, matches and is not loading any more. Leaves it open. */
  async tooltip(query: RowQuery, expected?: Expected): Promise<string> {
    return this.hovers.read(labelOf(this.locate(await this.row(query))), expected);
  }

  /** VS Code's Find of the tree, as its key opens it. */
  async search(text: string): Promise<void> {
    await this.hovers.leave();
    await this.pane.locator('.monaco-list').focus();
    await this.page.keyboard.press('Control+Alt+F');
    await this.searchInput.waitFor();
    await this.searchInput.fill(text);
  }

  async closeSearch(): Promise<void> {
    await this.page.keyboard.press('Escape');
    await this.searchInput.waitFor({ state: 'detached' });
  }

  async waitForTitle(expected: Expected): Promise<void> {
    await expect(this.header.locator('.title')).toHaveText(expected);
  }

  /** What stands beside the title. */
  async waitForDescription(expected: Expected): Promise<void> {
    await expect(this.header.locator('.description')).toHaveText(expected);
  }

  /** Names of the buttons in the view's title; the rest is behind "Views and More Actions...". */
  async titleActions(): Promise<string[]> {
    await this.header.hover();
    return spokenNames(this.header.locator('.action-label'));
  }

  async pressTitleAction(name: string): Promise<void> {
    await this.header.hover();
    await this.header.locator(`.action-label[aria-label="${name}"]`).click();
  }

  /** Opens the "…" menu of the title. */
  async openTitleMenu(): Promise<ContextMenu> {
    await this.header.hover({ timeout: 2_000 });
    await this.header.locator('.codicon-toolbar-more').click({ timeout: 2_000 });
    await this.menu.waitForOpen();
    return this.menu;
  }

  /** The title's buttons are drawn anew when a refresh ends, and a click meanwhile gets lost. */
  chooseFromTitleMenu(entry: string): Promise<void> {
    return this.menu.choose(entry, () => this.openTitleMenu());
  }

  /** What the view says when it has no row. */
  async welcome(expected: Expected = /\S/): Promise<{ text: string; buttons: string[] }> {
    const welcome = this.pane.locator('.welcome-view-content');
    return until(
      `${this.title} to say ${expected}`,
      async () => {
        const text = (await welcome.innerText({ timeout: 1_000 })).trim();
        return fits(text, expected) && { text, buttons: await textsOf(welcome.locator('.monaco-button')) };
      },
      { seen: () => this.pane.innerText() },
    );
  }

  async pressWelcomeButton(name: string): Promise<void> {
    await this.pane.locator('.welcome-view-content .monaco-button').filter({ hasText: name }).first().click();
  }

  async pressWelcomeLink(name: string): Promise<void> {
    await this.pane.locator('.welcome-view-content a').filter({ hasText: name }).click();
  }

  /** Opens the view if only its header is visible. */
  async open(): Promise<void> {
    await clickUntil(`${this.title} to open`, this.header, async () => {
      return (await this.header.getAttribute('aria-expanded', { timeout: 2_000 })) === 'true';
    });
  }

  private async openMenu(query: RowQuery): Promise<void> {
    await this.hovers.leave();
    await this.at(query, async (row) => {
      await labelOf(row).click({ button: 'right', timeout: 2_000 });
      await this.menu.waitForOpen();
    });
  }

  private async setExpanded(query: RowQuery, wanted: boolean): Promise<void> {
    // A hover lies above the rows below it.
    await this.hovers.leave();
    await until(`${inspect(query)} to be ${wanted ? 'expanded' : 'collapsed'}`, async () => {
      const row = await this.find(query);
      if (!row || row.expanded === wanted) return row !== undefined;
      await this.locate(row).locator('.monaco-tl-twistie').click({ timeout: 2_000 });
      await until('the change', async () => (await this.find(query))?.expanded === wanted, { timeout: 2_000 });
      return true;
    });
  }

  /** Does something with a row; a refresh may move it meanwhile, then again. */
  private async at<T>(query: RowQuery, action: (row: Locator) => Promise<T>): Promise<T> {
    const done = await until(
      `${inspect(query)} in ${this.title}`,
      async () => {
        const row = await this.find(query);
        return row && { result: await action(this.locate(row)) };
      },
      { seen: () => this.outline() },
    );
    return done.result;
  }

  /** Named by its label too, so that a click between two refreshes never meets the row that took its place. */
  private locate({ index, label }: TreeRow): Locator {
    const name = this.page.locator('.label-name', { hasText: label });
    return this.pane.locator(`.monaco-list-row[data-index="${index}"]`, { has: name });
  }

  private async find(query: RowQuery): Promise<TreeRow | undefined> {
    const rows = await this.rows();
    const found = findRow(rows, query);
    if (found || rows.length === 0) return found;
    await this.scroll();
    return findRow(await this.rows(), query);
  }

  /** One screen further down, and back to the top from the end. With the wheel: keys move the focus, whose row gets a hover. */
  private async scroll(): Promise<void> {
    await this.pane.locator('.monaco-list > .monaco-scrollable-element').evaluate((element) => {
      const content = element.querySelector('.monaco-list-rows')!;
      const above = element.getBoundingClientRect().top - content.getBoundingClientRect().top;
      const below = content.clientHeight - above - element.clientHeight;
      // The list goes 50 pixels for 120 of the wheel's.
      const way = below > 1 ? element.clientHeight * 0.8 : -above;
      const wheel = new WheelEvent('wheel', { deltaY: (way / 50) * 120, bubbles: true, cancelable: true });
      if (way !== 0) element.dispatchEvent(wheel);
    });
  }
}

function labelOf(row: Locator): Locator {
  return row.locator('.label-name').first();
}
