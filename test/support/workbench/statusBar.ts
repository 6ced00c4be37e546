import type { Locator, Page } from 'playwright-core';
import type { Hovers } from './hovers.js';
import { type Expected, fits, until, untilRead } from './until.js';

/** Items of the status bar; ours are named by the part after the extension's id. */
export class StatusBar {
  constructor(
    private readonly page: Page,
    private readonly hovers: Hovers,
  ) {}

  async isVisible(id: string): Promise<boolean> {
    return this.item(id).isVisible();
  }

  /** The text beside icons; `undefined` if the item is not there. */
  async text(id: string): Promise<string | undefined> {
    const item = this.item(id);
    return (await item.isVisible()) ? (await item.innerText()).trim() : undefined;
  }

  async ariaLabel(id: string): Promise<string> {
    return (await this.item(id).locator('[aria-label]').first().getAttribute('aria-label')) ?? '';
  }

  async waitForText(id: string, expected: Expected): Promise<void> {
    await untilRead(
      `the status bar item ${id} to say ${expected}`,
      () => this.text(id),
      (text) => text !== undefined && fits(text, expected),
    );
  }

  async waitForGone(id: string): Promise<void> {
    await until(`the status bar item ${id} to vanish`, async () => !(await this.isVisible(id)));
  }

  async tooltip(id: string, expected?: Expected): Promise<string> {
    return this.hovers.read(this.item(id), expected);
  }

  async click(id: string): Promise<void> {
    await this.item(id).click();
  }

  private item(id: string): Locator {
    return this.page.locator(`[id="automation-platform-tools.automation-platform.${id}"]`);
  }
}
