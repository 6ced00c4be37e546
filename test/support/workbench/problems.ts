import type { Locator, Page } from 'playwright-core';
import { spokenNames } from './pageElement.js';
import { until, untilRead } from './until.js';

/** The Problems panel. */
export class Problems {
  private readonly panel: Locator;

  constructor(private readonly page: Page) {
    this.panel = page.locator('.markers-panel:visible');
  }

  async open(): Promise<void> {
    await until('the Problems panel', async () => {
      if ((await this.panel.count()) === 0) {
        await this.page.locator('[id="status.problems"]').click({ timeout: 2_000 });
      }
      return (await this.panel.count()) > 0;
    });
  }

  async close(): Promise<void> {
    await until('the Problems panel to close', async () => {
      if ((await this.panel.count()) > 0) {
        await this.page.keyboard.press('ControlOrMeta+J');
      }
      return (await this.panel.count()) === 0;
    });
  }

  /** Files and below them their problems, as the panel's screen-reader labels say them. */
  async rows(): Promise<string[]> {
    await this.open();
    return spokenNames(this.panel.locator('.monaco-list-row'));
  }

  async waitForRows(what: string, wanted: (rows: string[]) => boolean): Promise<string[]> {
    return untilRead(`problems: ${what}`, () => this.rows(), wanted);
  }
}
