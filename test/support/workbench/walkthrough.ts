import { expect } from '@playwright/test';
import { Commands } from './commands.js';
import { clickUntil, PageObject } from './pageObject.js';
import { QuickInput } from './quickInput.js';

export class Walkthrough extends PageObject {
  private readonly steps = this.page.locator('.getting-started-step');
  readonly titles = this.steps.locator('.step-title');

  async open(title: string): Promise<void> {
    await new Commands(this.page).run('Welcome: Open Walkthrough...');
    await new QuickInput(this.page).choose(title);
    await expect(this.steps.first()).toBeVisible();
  }

  async waitForDone(titles: readonly string[]): Promise<void> {
    const done = this.steps.filter({ has: this.page.getByRole('checkbox', { checked: true }) });
    await expect(done.locator('.step-title')).toHaveText(titles);
  }

  async expand(title: string): Promise<void> {
    const step = this.steps.filter({ hasText: title }).first();
    const isOpen = async () => (await step.getAttribute('aria-expanded')) === 'true';
    await clickUntil(step.locator('.step-title'), isOpen);
  }

  async press(button: string): Promise<void> {
    const buttons = this.page.locator('.getting-started-step.expanded .monaco-button');
    await buttons.filter({ hasText: button }).click();
  }
}
