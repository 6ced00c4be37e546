import { inspect } from 'node:util';
import type { Locator, Page } from '@playwright/test';
import { ContextMenu } from './contextMenu.js';
import { Hovers } from './hovers.js';
import { clickUntil, PageObject, spokenNames, textsOf } from './pageElement.js';
import { findRow, type RowQuery, readRows, type TreeRow } from './treeRow.js';
import { type Expected, fits, until, untilRead } from './until.js';

/** One view of a container in the side bar, by its title. */
export class TreeView extends PageObject {
  readonly menu = new ContextMenu(this.page);
  private readonly hovers = new Hovers(this.page);
  readonly header: Locator;
  /** What stands beside the title. */
  readonly description: Locator;
  private readonly pane: Locator;

  constructor(
    page: Page,
    private readonly title: string,
  ) {
    super(page);
    this.header = page.locator(`.pane-header[aria-label^="${title}"]`);
    this.description = this.header.locator('.description');
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

  /** Waits for a row. */
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
  async tooltip(query: RowQuery, expected: RegExp): Promise<string> {
    return this.hovers.read(labelOf(this.locate(await this.row(query))), expected);
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

  /** A button, or a link in its text. */
  async pressWelcomeButton(name: string): Promise<void> {
    await this.pane.locator('.welcome-view-content').locator('a').filter({ hasText: name }).click();
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
    return findRow(await this.rows(), query);
  }
}

function labelOf(row: Locator): Locator {
  return row.locator('.label-name').first();
}
