import type { Locator, Page } from 'playwright-core';
import type { Commands } from './commands.js';
import type { PageElement } from './pageElement.js';
import type { QuickInput } from './quickInput.js';
import { until } from './until.js';

export interface WalkthroughStep {
  readonly title: string;
  readonly done: boolean;
}

/** The page of one walkthrough. */
export class Walkthrough {
  readonly #commands: Commands;
  readonly #input: QuickInput;
  readonly #steps: Locator;
  readonly #page: Page;

  constructor({
    page,
    commands,
    quickInput,
  }: {
    readonly page: Page;
    readonly commands: Commands;
    readonly quickInput: QuickInput;
  }) {
    this.#page = page;
    this.#commands = commands;
    this.#input = quickInput;
    this.#steps = page.locator('.getting-started-step');
  }

  async open(title: string): Promise<void> {
    await this.#commands.run('Welcome: Open Walkthrough...');
    await this.#input.choose(title);
    await until('the walkthrough', async () => (await this.#steps.count()) > 0);
  }

  async steps(): Promise<WalkthroughStep[]> {
    return this.#steps.evaluateAll((steps: PageElement[]) =>
      steps.map((step) => ({
        title: step.querySelector('.step-title')?.textContent ?? '',
        done: step.querySelector('[role="checkbox"]')?.getAttribute('aria-checked') === 'true',
      })),
    );
  }

  /** Waits until exactly these are done. */
  async waitForDone(titles: readonly string[]): Promise<void> {
    await until(
      `the steps ${titles.join(', ')} to be done`,
      async () => {
        const done = (await this.steps()).filter((step) => step.done).map((step) => step.title);
        return done.length === titles.length && titles.every((title) => done.includes(title));
      },
      { seen: () => this.steps() },
    );
  }

  /** Opens a step: its text, its picture, its buttons. */
  async expand(title: string): Promise<void> {
    const step = this.#steps.filter({ hasText: title }).first();
    await until(`the step ${title}`, async () => {
      if ((await step.getAttribute('aria-expanded', { timeout: 2_000 })) === 'true') return true;
      await step.locator('.step-title').click({ timeout: 2_000 });
      return false;
    });
  }

  /** A button in the text of the open step. */
  async press(button: string): Promise<void> {
    await this.#page.locator('.getting-started-step.expanded .monaco-button').filter({ hasText: button }).click();
  }
}
