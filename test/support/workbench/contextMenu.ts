import { expect, type Locator } from '@playwright/test';
import { PageObject, textsOf } from './pageObject.js';

export class ContextMenu extends PageObject {
  private readonly items = this.page.locator('.monaco-menu:visible .action-menu-item');

  async waitForOpen(): Promise<void> {
    await this.items.first().waitFor({ timeout: 3_000 });
  }

  entries(): Promise<string[]> {
    return textsOf(this.items.locator('.action-label'));
  }

  /** What a submenu of the open menu holds. */
  async entriesBelow(submenu: string): Promise<string[]> {
    const below = this.page.locator('.monaco-submenu:visible .action-label');
    await expect(async () => {
      await this.point(submenu);
      await below.first().waitFor({ timeout: 2_000 });
    }).toPass({ timeout: 8_000 });
    return textsOf(below);
  }

  /**
   * Takes an entry of the menu that `open` opens: again, if it closes, as it does when the focus goes elsewhere. `path`: the entry, behind
   * the submenu that it is in.
   */
  async choose(path: readonly string[], open: () => Promise<unknown>): Promise<void> {
    const [entry = '', submenu] = path.toReversed();
    await expect(async () => {
      await this.close();
      await open();
      if (submenu !== undefined) await this.entriesBelow(submenu);
      const item = await this.point(entry);
      // A click right after the opening gets lost; Enter does not, unless the menu closes: so the entry itself takes it.
      await item.press('Enter', { timeout: 1_000 });
    }).toPass();
    await expect(this.items).toHaveCount(0);
  }

  /** Moves the mouse onto an entry until it has the focus. */
  private async point(entry: string): Promise<Locator> {
    const label = this.page.locator(`.action-label[aria-label="${entry}"]`);
    const item = this.items.filter({ has: label }).first();
    // A submenu is drawn inside its own entry, which keeps the focus.
    const focused = this.page.locator('.monaco-menu:visible .focused > .action-menu-item', {
      has: label,
    });
    await expect(async () => {
      await item.hover({ timeout: 1_000 });
      await expect(focused).toHaveCount(1, { timeout: 500 });
    }).toPass({ timeout: 4_000 });
    return item;
  }

  async close(): Promise<void> {
    await expect(async () => {
      if ((await this.items.count()) > 0) await this.page.keyboard.press('Escape');
      await expect(this.items).toHaveCount(0, { timeout: 500 });
    }).toPass();
  }
}
