import { expect } from '@playwright/test';
import { type Expected, fits, PageObject, textsOf, untilRead } from './pageObject.js';

export class ModalDialog extends PageObject {
  private readonly box = this.page.locator('.monaco-dialog-box');

  isOpen(): Promise<boolean> {
    return this.box.isVisible();
  }

  async waitFor(expected: Expected): Promise<string> {
    const isMeant = (text: string) => fits(text, expected);
    return untilRead(`a dialog that says ${expected}`, () => this.text(), isMeant);
  }

  /** Returns when the dialog is gone; another one may stand in its place already. */
  async press(button: string): Promise<void> {
    const before = await this.text();
    await this.box
      .locator('.dialog-buttons .monaco-button')
      .filter({ hasText: button })
      .first()
      .click();
    await expect.poll(() => this.text()).not.toBe(before);
  }

  async cancel(): Promise<void> {
    await this.box.press('Escape');
    await expect(this.box).toHaveCount(0);
  }

  private async text(): Promise<string> {
    return (await textsOf(this.box.locator('.dialog-message-text, .dialog-message-detail'))).join(
      '\n',
    );
  }
}
