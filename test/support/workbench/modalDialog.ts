import type { Locator, Page } from 'playwright-core';
import { type Expected, fits, until, untilRead } from './until.js';

/** The modal dialog. */
export class ModalDialog {
  private readonly box: Locator;

  constructor(page: Page) {
    this.box = page.locator('.monaco-dialog-box');
  }

  async isOpen(): Promise<boolean> {
    return (await this.box.count()) > 0;
  }

  /** Waits for a dialog whose text matches and returns it: message and detail. */
  async waitFor(expected: Expected = /\S/): Promise<string> {
    return untilRead(
      `a dialog that says ${expected}`,
      () => this.text(),
      (text) => fits(text, expected),
    );
  }

  async text(): Promise<string> {
    const parts = await this.box.locator('.dialog-message-text, .dialog-message-detail').allInnerTexts();
    return parts
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .join('\n');
  }

  async buttons(): Promise<string[]> {
    const labels = await this.box.locator('.dialog-buttons .monaco-button').allInnerTexts();
    return labels.map((label) => label.trim()).filter((label) => label !== '');
  }

  /** Returns when the dialog is gone; another one may stand in its place already. */
  async press(button: string): Promise<void> {
    const before = await this.text();
    await this.box.locator('.dialog-buttons .monaco-button').filter({ hasText: button }).first().click();
    await until('the dialog to close', async () => (await this.text()) !== before);
  }

  async cancel(): Promise<void> {
    await this.box.press('Escape');
    await this.waitForClosed();
  }

  async waitForClosed(): Promise<void> {
    await until('the dialog to close', async () => !(await this.isOpen()));
  }
}
