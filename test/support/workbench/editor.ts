import type { Locator } from '@playwright/test';
import { Commands } from './commands.js';
import { Hovers } from './hovers.js';
import { PageObject } from './pageElement.js';
import { QuickInput } from './quickInput.js';
import { until } from './until.js';

/** The active text editor. */
export class Editor extends PageObject {
  private readonly group = this.page.locator('.editor-group-container.active');
  private readonly tab = this.group.locator('.tab.active');
  private readonly active = this.group.locator('.monaco-editor[role="code"]').first();
  /** What is underlined. */
  readonly squiggles = this.active.locator('[class*="squiggly-"]');
  private readonly hovers = new Hovers(this.page);
  private readonly input = new QuickInput(this.page);

  /** Opens a file of the workspace, by its name or the end of its path, and waits for its text. */
  async open(file: string): Promise<void> {
    const name = file.split('/').at(-1) ?? file;
    await until(
      `${file} in the list of files`,
      async () => {
        await this.page.keyboard.press('ControlOrMeta+P');
        await this.input.type(file);
        const isThere = async () => (await this.input.rows()).some(({ label }) => label === name);
        await until('a row', isThere, { timeout: 3_000 });
        await this.input.choose(name);
        return true;
      },
      { seen: () => this.input.rows() },
    );
    await until(`${file} to be open`, async () => {
      return (await this.title()) === name && (await this.active.locator('.view-line').count()) > 0;
    });
  }

  /** The name on the active tab. */
  async title(): Promise<string> {
    return (await this.tab.getAttribute('data-resource-name', { timeout: 2_000 })) ?? '';
  }

  /** Opens a new text file that is not saved anywhere. */
  async newUntitled(text: string): Promise<void> {
    await new Commands(this.page).run('File: New Untitled Text File');
    await until('an untitled editor', async () => (await this.title()).startsWith('Untitled-'));
    await this.active.locator('.native-edit-context, textarea.inputarea').first().focus();
    // As a paste: without auto-closing brackets and suggestions.
    await this.page.keyboard.insertText(text);
  }

  /** Closes the active editor; its changes must have been saved. */
  async close(): Promise<void> {
    const tabs = this.group.locator('.tab');
    const before = await tabs.count();
    await this.tab.locator('.tab-actions .action-label').first().click();
    await until('the editor to close', async () => (await tabs.count()) < before);
  }

  /** The hover over a piece of text. */
  hover(text: string, expected: RegExp): Promise<string> {
    return this.hovers.read(this.piece(text), expected);
  }

  async chooseQuickFix(text: string, title: string): Promise<void> {
    const rows = this.page.locator('.action-widget:visible .monaco-list-row.action');
    await this.hovers.leave();
    await until('quick fixes', async () => {
      await this.piece(text).click({ timeout: 2_000 });
      await this.page.keyboard.press('ControlOrMeta+.');
      await rows.first().waitFor({ timeout: 3_000 });
      return true;
    });
    // With keys: a hover of the editor can lie over the rows.
    const focused = rows.and(this.page.locator('.focused'));
    await until(`the quick fix ${title}`, async () => {
      if ((await focused.innerText({ timeout: 2_000 })).trim() === title) return true;
      await this.page.keyboard.press('ArrowDown');
      return false;
    });
    await this.page.keyboard.press('Enter');
    await until('the menu to close', async () => (await rows.count()) === 0);
  }

  /** The first that says so of the pieces that the colors of its language tell apart. */
  private piece(text: string): Locator {
    return this.active.locator('.view-lines').getByText(text, { exact: true }).first();
  }
}
