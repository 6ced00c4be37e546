import { expect, type Locator } from '@playwright/test';
import { Commands } from './commands.js';
import { Hovers } from './hovers.js';
import { type Expected, oneTry, PageObject } from './pageObject.js';
import { QuickInput } from './quickInput.js';

export class Editor extends PageObject {
  private readonly group = this.page.locator('.editor-group-container.active');
  readonly tab = this.group.locator('.tab.active');
  private readonly active = this.group.locator('.monaco-editor[role="code"]').first();
  readonly squiggles = this.active.locator('[class*="squiggly-"]');
  private readonly hovers = new Hovers(this.page);

  async open(name: string): Promise<void> {
    const input = new QuickInput(this.page);
    await expect(async () => {
      await this.page.keyboard.press('ControlOrMeta+P');
      await input.type(name, oneTry);
      await input.choose(name, oneTry);
      await this.expectTitle(name, 3_000);
    }).toPass();
    await expect(this.active.locator('.view-line').first()).toBeVisible();
  }

  async expectTitle(name: Expected, timeout?: number): Promise<void> {
    await expect(this.tab).toHaveAttribute('data-resource-name', name, { timeout });
  }

  async newUntitled(text: string): Promise<void> {
    await new Commands(this.page).run('File: New Untitled Text File');
    await this.expectTitle(/^Untitled-/);
    await this.active.locator('.native-edit-context, textarea.inputarea').first().focus();
    // As a paste: without auto-closing brackets and suggestions.
    await this.page.keyboard.insertText(text);
  }

  hover(text: string, expected: RegExp): Promise<string> {
    return this.hovers.read(this.piece(text), expected);
  }

  async chooseQuickFix(text: string, title: string): Promise<void> {
    const rows = this.page.locator('.action-widget:visible .monaco-list-row.action');
    await this.hovers.leave();
    await expect(async () => {
      await this.piece(text).click(oneTry);
      await this.page.keyboard.press('ControlOrMeta+.');
      await rows.first().waitFor({ timeout: 3_000 });
    }).toPass();
    // With keys: a hover of the editor can lie over the rows.
    const focused = rows.and(this.page.locator('.focused'));
    await expect(async () => {
      if ((await focused.innerText(oneTry)).trim() !== title)
        await this.page.keyboard.press('ArrowDown');
      await expect(focused).toHaveText(title, { timeout: 200 });
    }).toPass();
    await this.page.keyboard.press('Enter');
    await expect(rows).toHaveCount(0);
  }

  /** The first that says so of the pieces that the colors of its language tell apart. */
  private piece(text: string): Locator {
    return this.active.locator('.view-lines').getByText(text, { exact: true }).first();
  }
}
