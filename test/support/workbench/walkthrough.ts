import type { Locator } from 'playwright-core';
import { clickUntil, type PageElement } from './pageElement.js';
import { until, untilRead } from './until.js';
import type { Workbench } from './workbench.js';

/** The page of one walkthrough. */
export class Walkthrough {
  private readonly elements: Locator;

  constructor(private readonly workbench: Workbench) {
    this.elements = workbench.page.locator('.getting-started-step');
  }

  async open(title: string): Promise<void> {
    await this.workbench.commands.run('Welcome: Open Walkthrough...');
    await this.workbench.quickInput.choose(title);
    await until('the walkthrough', async () => (await this.elements.count()) > 0);
  }

  steps() {
    return this.elements.evaluateAll((steps: PageElement[]) =>
      steps.map((step) => ({
        title: step.querySelector('.step-title')?.textContent ?? '',
        done: step.querySelector('[role="checkbox"]')?.getAttribute('aria-checked') === 'true',
      })),
    );
  }

  /** Waits until exactly these are done. */
  async waitForDone(titles: readonly string[]): Promise<void> {
    await untilRead(
      `the steps ${titles.join(', ')} to be done`,
      () => this.steps(),
      (steps) => steps.every(({ title, done }) => done === titles.includes(title)),
    );
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
    const buttons = this.workbench.page.locator('.getting-started-step.expanded .monaco-button');
    await buttons.filter({ hasText: button }).click();
  }
}
