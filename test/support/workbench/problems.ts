import { expect } from '@playwright/test';
import { clickUntil, PageObject, spokenNames, untilRead } from './pageObject.js';

export class Problems extends PageObject {
  private readonly panel = this.page.locator('.markers-panel:visible');

  async waitForRows(what: string, wanted: (rows: string[]) => boolean): Promise<string[]> {
    await clickUntil(this.page.locator('[id="status.problems"]'), () => this.panel.isVisible());
    return untilRead(
      `problems: ${what}`,
      () => spokenNames(this.panel.locator('.monaco-list-row')),
      wanted,
    );
  }

  async close(): Promise<void> {
    await this.page.keyboard.press('ControlOrMeta+J');
    await expect(this.panel).toHaveCount(0);
  }
}
