import { clickUntil, PageObject, spokenNames } from './pageElement.js';
import { until, untilRead } from './until.js';

/** The Problems panel. */
export class Problems extends PageObject {
  private readonly panel = this.page.locator('.markers-panel:visible');

  /** Files and below them their problems, as the panel's screen-reader labels say them. */
  async waitForRows(what: string, wanted: (rows: string[]) => boolean): Promise<string[]> {
    await clickUntil('the Problems panel', this.page.locator('[id="status.problems"]'), () => this.isOpen());
    return untilRead(`problems: ${what}`, () => spokenNames(this.panel.locator('.monaco-list-row')), wanted);
  }

  async close(): Promise<void> {
    await until('the Problems panel to close', async () => {
      if (await this.isOpen()) await this.page.keyboard.press('ControlOrMeta+J');
      return !(await this.isOpen());
    });
  }

  private async isOpen(): Promise<boolean> {
    return (await this.panel.count()) > 0;
  }
}
