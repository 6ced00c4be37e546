import { PageObject, textsOf } from './pageElement.js';
import { type Expected, fits, until, untilRead } from './until.js';

/** The modal dialog. */
export class ModalDialog extends PageObject {
  private readonly box = this.page.locator('.monaco-dialog-box');

  async isOpen(): Promise<boolean> {
    return (await this.box.count()) > 0;
  }

  /** Waits for a dialog whose text matches and returns it: message and detail. */
  async waitFor(expected: Expected): Promise<string> {
    return untilRead(
      `a dialog that says ${expected}`,
      () => this.text(),
      (text) => fits(text, expected),
    );
  }

  /** Returns when the dialog is gone; another one may stand in its place already. */
  async press(button: string): Promise<void> {
    const before = await this.text();
    await this.box.locator('.dialog-buttons .monaco-button').filter({ hasText: button }).first().click();
    await until('the dialog to close', async () => (await this.text()) !== before);
  }

  async cancel(): Promise<void> {
    await this.box.press('Escape');
    await until('the dialog to close', async () => !(await this.isOpen()));
  }

  private async text(): Promise<string> {
    return (await textsOf(this.box.locator('.dialog-message-text, .dialog-message-detail'))).join('\n');
  }
}
