import { PageObject, textsOf } from './pageElement.js';
import { type Expected, fits, until, untilRead } from './until.js';

/** The one quick input: palette, quick picks and input boxes. */
export class QuickInput extends PageObject {
  private readonly widget = this.page.locator('.quick-input-widget:visible');
  readonly input = this.widget.locator('.quick-input-box input');

  async isOpen(): Promise<boolean> {
    return (await this.widget.count()) > 0;
  }

  /** Waits for an input whose title, prompt, placeholder or validation message matches. */
  async waitFor(expected: Expected): Promise<void> {
    const isMeant = (texts: string[]) => texts.some((text) => fits(text, expected));
    await untilRead(`a quick input that says ${expected}`, () => this.texts(), isMeant);
  }

  async waitForClosed(): Promise<void> {
    await until('the quick input to close', async () => !(await this.isOpen()), { seen: () => this.texts() });
  }

  async value(): Promise<string> {
    return this.input.inputValue({ timeout: 2_000 });
  }

  /** Replaces the value. */
  async type(text: string): Promise<void> {
    // Whoever opened it by a key that got lost presses it again.
    await this.input.fill(text, { timeout: 3_000 });
  }

  rows() {
    return this.widget.locator('.quick-input-list .monaco-list-row').evaluateAll((rows) =>
      rows.map((row) => ({
        label: row.querySelector('.quick-input-list-label .label-name')?.textContent ?? '',
        description: row.querySelector('.quick-input-list-label .label-description')?.textContent ?? '',
        detail: row.querySelector('.quick-input-list-label-meta')?.textContent ?? '',
        focused: row.className.includes('focused'),
      })),
    );
  }

  async waitForRow(label: Expected): Promise<void> {
    const isThere = (rows: readonly { readonly label: string }[]) => rows.some((row) => fits(row.label, label));
    await untilRead(`the row ${label}`, () => this.rows(), isThere);
  }

  /** Takes the row with this label. */
  async choose(label: Expected): Promise<void> {
    let isTried = false;
    await until(
      `the row ${label} to be chosen`,
      async () => {
        const index = (await this.rows()).findIndex((row) => fits(row.label, label));
        // A click that a busy machine reports too late was one all the same.
        if (index < 0) return isTried && !(await this.isOpen());
        isTried = true;
        // The mouse may rest on another row, whose hover lies above this one.
        await this.page.mouse.move(150, 10);
        await this.widget.locator('.quick-input-list .monaco-list-row').nth(index).click({ timeout: 2_000 });
        return true;
      },
      { seen: () => this.rows() },
    );
  }

  /** Enter. */
  async accept(): Promise<void> {
    await this.input.press('Enter');
  }

  /** Types and accepts. */
  async answer(text: string): Promise<void> {
    await this.type(text);
    await this.accept();
  }

  /** Escape. */
  async cancel(): Promise<void> {
    await this.leave();
    await this.waitForClosed();
  }

  /** Escape, where another one follows. */
  async leave(): Promise<void> {
    await this.input.press('Escape');
  }

  /** Placeholder, title, and the prompt or the validation message in its place, as far as there are any. */
  private async texts(): Promise<string[]> {
    if (!(await this.isOpen())) return [];
    const placeholder = (await this.input.getAttribute('placeholder')) ?? '';
    const said = this.widget.locator('.quick-input-title, .quick-input-message');
    return [placeholder, ...(await textsOf(said))].filter((text) => text !== '');
  }
}
