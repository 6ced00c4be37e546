import { ContextMenu } from './contextMenu.js';
import { PageObject } from './pageElement.js';
import { until } from './until.js';

/** The Accounts menu at the foot of the activity bar. */
export class AccountsMenu extends PageObject {
  private readonly menu = new ContextMenu(this.page);

  /** The accounts that it lists, with the provider in brackets; everything else in it is VS Code's. */
  async accounts(): Promise<string[]> {
    await this.open();
    const entries = await this.menu.entries();
    await this.menu.close();
    return entries.filter((entry) => entry.endsWith(')'));
  }

  /** Takes one of an account's entries; what VS Code asks then is in the dialog. */
  async choose(account: string, entry: string): Promise<void> {
    await this.menu.choose(entry, async () => {
      await this.open();
      await this.menu.items.filter({ hasText: account }).first().hover({ timeout: 2_000 });
      await this.page.keyboard.press('ArrowRight');
      await until(entry, async () => (await this.menu.entries()).includes(entry), { timeout: 2_000 });
    });
  }

  private async open(): Promise<void> {
    await until('the Accounts menu', async () => {
      if (!(await this.menu.isOpen())) {
        const button = this.page.locator('.part.activitybar .action-label[aria-label^="Accounts"]').first();
        await button.click({ timeout: 2_000 });
        await this.menu.waitForOpen();
      }
      // The accounts come a moment after the menu's first look at the providers.
      return (await this.menu.entries()).length > 0;
    });
  }
}
