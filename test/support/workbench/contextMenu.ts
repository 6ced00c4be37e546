import type { Locator, Page } from 'playwright-core';
import { until } from './until.js';

/** A menu that is open: of a context click or of a "…" button. */
export class ContextMenu {
  readonly #page: Page;
  readonly #items: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.#items = page.locator('.monaco-menu:visible .action-menu-item');
  }

  async waitForOpen(): Promise<void> {
    await this.#items.first().waitFor({ state: 'visible', timeout: 3_000 });
  }

  /** Its entries, without separators. */
  async entries(): Promise<string[]> {
    const labels = await this.#items.locator('.action-label').allInnerTexts();
    return labels.map((label) => label.trim()).filter((label) => label !== '');
  }

  async choose(entry: string): Promise<void> {
    const item = this.#items.filter({ has: this.#page.locator(`.action-label[aria-label="${entry}"]`) });
    await item.first().hover();
    await until(`${entry} to have the focus`, async () => {
      await item.first().hover({ timeout: 2_000 });
      return (await this.#page.locator('.monaco-menu:visible .action-item.focused').allInnerTexts()).some((text) =>
        text.includes(entry),
      );
    });
    // A click right after the opening gets lost; Enter on the focused entry does not.
    await this.#page.keyboard.press('Enter');
    await until('the menu to close', async () => (await this.#items.count()) === 0);
  }

  async close(): Promise<void> {
    await this.#page.keyboard.press('Escape');
    await until('the menu to close', async () => (await this.#items.count()) === 0);
  }
}
