import { expect } from '@playwright/test';
import { oneTry, PageObject } from './pageObject.js';
import { QuickInput } from './quickInput.js';

export class Commands extends PageObject {
  private readonly input = new QuickInput(this.page);

  /** Runs a command by its whole title, category included. Returns when the palette has given way to what comes. */
  async run(title: string): Promise<void> {
    const row = this.input.row(title);
    await expect(async () => {
      await this.page.keyboard.press('F1');
      await expect(this.input.input).toHaveValue(/^>/, { timeout: 2_000 });
      // An open palette looks anew only for what is typed anew, and an extension's commands come a moment after the window.
      await this.input.type('>', oneTry);
      await this.input.type(`>${title}`, oneTry);
      await row.waitFor({ timeout: 2_000 });
      const hasFocus = (await row.getAttribute('class'))?.includes('focused');
      await (hasFocus ? this.input.accept(oneTry) : this.input.choose(title, oneTry));
    }).toPass({ timeout: 20_000 });
    await expect(async () => {
      if (await this.input.isOpen()) expect(await this.input.value()).not.toMatch(/^>/);
    }).toPass();
  }
}
