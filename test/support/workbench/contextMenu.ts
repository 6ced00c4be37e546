import type { Locator, Page } from 'playwright-core';
import { until } from './until.js';

/** A menu that is open: of a context click or of a "…" button. */
export class ContextMenu {
  private readonly items: Locator;

  constructor(private readonly page: Page) {
    this.items = page.locator('.monaco-menu:visible .action-menu-item');
  }

  async waitForOpen(): Promise<void> {
    await this.items.first().waitFor({ state: 'visible', timeout: 3_000 });
  }

  async isOpen(): Promise<boolean> {
    return (await this.items.count()) > 0;
  }

  /** Its entries, without separators. */
  async entries(): Promise<string[]> {
    const labels = await this.items.locator('.action-label').allInnerTexts();
    return labels.map((label) => label.trim()).filter((label) => label !== '');
  }

  async choose(entry: string): Promise<void> {
    await this.focus(entry);
    await this.accept();
  }

  /** Moves onto an entry. Fails soon if there is none, or if the menu closes: whoever opened it can do so again. */
  async focus(entry: string): Promise<void> {
    const item = this.items.filter({ has: this.page.locator(`.action-label[aria-label="${entry}"]`) });
    await until(
      `${entry} to have the focus`,
      async () => {
        await item.first().hover({ timeout: 1_000 });
        return (await this.page.locator('.monaco-menu:visible .action-item.focused').allInnerTexts()).some((text) =>
          text.includes(entry),
        );
      },
      { timeout: 4_000, seen: () => this.entries() },
    );
  }

  /** Takes the entry that has the focus. A click right after the opening gets lost; Enter does not. */
  async accept(): Promise<void> {
    await this.page.keyboard.press('Enter');
    await until('the menu to close', async () => !(await this.isOpen()));
  }

  async close(): Promise<void> {
    await until('the menu to close', async () => {
      await this.page.keyboard.press('Escape');
      return !(await this.isOpen());
    });
  }
}
