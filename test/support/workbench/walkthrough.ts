import { expect } from '@playwright/test';
import { Commands } from './commands.js';
import { clickUntil, PageObject } from './pageElement.js';
import { QuickInput } from './quickInput.js';

/** The page of one walkthrough. */
export class Walkthrough extends PageObject {
  private readonly elements = this.page.locator('.getting-started-step');

  async open(title: string): Promise<void> {
    await new Commands(this.page).run('Welcome: Open Walkthrough...');
    await new QuickInput(this.page).choose(title);
    await expect(this.elements.first()).toBeVisible();
  }

  steps() {
    return this.elements.evaluateAll((steps) =>
      steps.map((step) => ({
        title: step.querySelector('.step-title')?.textContent ?? '',
        done: step.querySelector('[role="checkbox"]')?.getAttribute('aria-checked') === 'true',
      })),
    );
  }

  /** Waits until exactly these are done. */
  async waitForDone(titles: readonly string[]): Promise<void> {
    const done = async () => (await this.steps()).flatMap((step) => (step.done ? [step.title] : []));
    await expect.poll(done).toEqual(titles);
  }

  /** Opens a step: its text, its picture, its buttons. */
  async expand(title: string): Promise<void> {
    const step = this.elements.filter({ hasText: title }).first();
    await clickUntil(`the step ${title}`, step.locator('.step-title'), async () => {
      return (await step.getAttribute('aria-expanded', { timeout: 2_000 })) === 'true';
    });
  }

  /** A button in the text of the open step. */
  async press(button: string): Promise<void> {
    const buttons = this.page.locator('.getting-started-step.expanded .monaco-button');
    await buttons.filter({ hasText: button }).click();
  }
}
