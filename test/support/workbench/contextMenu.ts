import { expect } from '@playwright/test';
import { PageObject, textsOf } from './pageObject.js';

export class ContextMenu extends PageObject {
  private readonly items = this.page.locator('.monaco-menu:visible .action-menu-item');

  async waitForOpen(): Promise<void> {
    await this.items.first().waitFor({ timeout: 3_000 });
  }

  entries(): Promise<string[]> {
    return textsOf(this.items.locator('.action-label'));
  }

  /** Takes an entry of the menu that `open` opens: again, if it closes, as it does when the focus goes elsewhere. */
  async choose(entry: string, open: () => Promise<unknown>): Promise<void> {
    const item = this.items.filter({ has: this.page.locator(`.action-label[aria-label="${entry}"]`) }).first();
    const focused = this.page.locator('.monaco-menu:visible .action-item.focused', { hasText: entry });
    await expect(async () => {
      await this.close();
      await open();
      await expect(async () => {
        await item.hover({ timeout: 1_000 });
        await expect(focused).toHaveCount(1, { timeout: 500 });
      }).toPass({ timeout: 4_000 });
      // A click right after the opening gets lost; Enter does not, unless the menu closes: so the entry itself takes it.
      await item.press('Enter', { timeout: 1_000 });
    }).toPass();
    await expect(this.items).toHaveCount(0);
  }

  async close(): Promise<void> {
    await expect(async () => {
      if ((await this.items.count()) > 0) await this.page.keyboard.press('Escape');
      await expect(this.items).toHaveCount(0, { timeout: 500 });
    }).toPass();
  }
}
