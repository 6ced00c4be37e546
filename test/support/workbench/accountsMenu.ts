import type { Locator, Page } from 'playwright-core';
import { until } from './until.js';

/** The Accounts menu at the foot of the activity bar. */
export class AccountsMenu {
  readonly #page: Page;
  readonly #items: Locator;
  readonly #focused: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.#items = page.locator('.monaco-menu:visible .action-menu-item');
    this.#focused = page.locator('.monaco-menu:visible .action-item.focused');
  }

  /** The accounts that it lists, with the provider in brackets; everything else in it is VS Code's. */
  async accounts(): Promise<string[]> {
    await this.#open();
    const entries = await this.#entries();
    await this.close();
    return entries.filter((entry) => entry.endsWith(')'));
  }

  /** What can be done with one account. */
  async entriesOf(account: string): Promise<string[]> {
    await this.#openSubmenu(account);
    const entries = await this.#page.locator('.monaco-submenu .action-menu-item').allInnerTexts();
    await this.close();
    return entries.map((entry) => entry.trim());
  }

  /** Takes one of an account's entries; what VS Code asks then is in the dialog. */
  async choose(account: string, entry: string): Promise<void> {
    await this.#openSubmenu(account);
    const item = this.#items.filter({ hasText: entry }).first();
    await until(`${entry} to have the focus`, async () => {
      await item.hover({ timeout: 2_000 });
      return (await this.#focused.last().innerText({ timeout: 2_000 })).trim() === entry;
    });
    await this.#page.keyboard.press('Enter');
    await until('the menu to close', async () => (await this.#items.count()) === 0);
  }

  async close(): Promise<void> {
    await until('the menu to close', async () => {
      await this.#page.keyboard.press('Escape');
      return (await this.#items.count()) === 0;
    });
  }

  async #open(): Promise<void> {
    await until('the Accounts menu', async () => {
      if ((await this.#items.count()) === 0) {
        await this.#page
          .locator('.part.activitybar .action-label[aria-label^="Accounts"]')
          .first()
          .click({ timeout: 2_000 });
        await this.#items.first().waitFor({ timeout: 2_000 });
      }
      // The accounts come a moment after the menu's first look at the providers.
      return (await this.#entries()).length > 0;
    });
  }

  async #openSubmenu(account: string): Promise<void> {
    await until(`the menu of ${account}`, async () => {
      await this.#open();
      const item = this.#items.filter({ hasText: account }).first();
      await item.hover({ timeout: 2_000 });
      await this.#page.keyboard.press('ArrowRight');
      await this.#page.locator('.monaco-submenu .action-menu-item').first().waitFor({ timeout: 2_000 });
      return true;
    });
  }

  async #entries(): Promise<string[]> {
    return (await this.#items.locator('.action-label').allInnerTexts()).map((entry) => entry.trim()).filter(Boolean);
  }
}
