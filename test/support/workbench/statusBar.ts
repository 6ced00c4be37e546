import { expect, type Locator } from '@playwright/test';
import { Hovers } from './hovers.js';
import { PageObject } from './pageElement.js';
import type { Expected } from './until.js';

/** Items of the status bar; ours are named by the part after the extension's id. */
export class StatusBar extends PageObject {
  /** Waits for the text beside icons. */
  async waitForText(id: string, expected: Expected): Promise<void> {
    await expect(this.item(id)).toHaveText(expected);
  }

  /** Waits for a text that stands there for a few seconds. */
  async waitForMessage(expected: Expected): Promise<void> {
    await expect(this.page.locator('[id="status.extensionMessage"]')).toHaveText(expected);
  }

  async waitForGone(id: string): Promise<void> {
    await expect(this.item(id)).toBeHidden();
  }

  tooltip(id: string, expected?: Expected): Promise<string> {
    return new Hovers(this.page).read(this.item(id), expected);
  }

  async click(id: string): Promise<void> {
    await this.item(id).click();
  }

  private item(id: string): Locator {
    return this.page.locator(`[id="automation-platform-tools.automation-platform.${id}"]`);
  }
}
