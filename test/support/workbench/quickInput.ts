import { expect, type Locator } from '@playwright/test';
import { type Expected, type oneTry, PageObject } from './pageObject.js';

export class QuickInput extends PageObject {
  private readonly widget = this.page.locator('.quick-input-widget:visible');
  readonly input = this.widget.locator('.quick-input-box input');
  readonly rows = this.widget.locator('.quick-input-list .monaco-list-row');
  readonly highlighted = this.widget.locator('.quick-input-list .monaco-list-row.focused');
  readonly labels = this.rows.locator('.label-name');

  isOpen(): Promise<boolean> {
    return this.widget.isVisible();
  }

  async waitFor(expected: Expected): Promise<void> {
    const said = this.widget.getByText(expected, { exact: true });
    const asked = this.widget.getByPlaceholder(expected, { exact: true });
    await expect(said.or(asked).filter({ visible: true }).first()).toBeVisible();
  }

  async waitForClosed(): Promise<void> {
    await expect(this.widget).toHaveCount(0);
  }

  value(): Promise<string> {
    return this.input.inputValue();
  }

  async type(text: string, limit?: typeof oneTry): Promise<void> {
    await this.input.fill(text, limit);
  }

  row(label: Expected): Locator {
    const name = this.page.locator('.quick-input-list-label').getByText(label, { exact: true });
    return this.rows.filter({ has: name }).first();
  }

  async choose(label: Expected, limit?: typeof oneTry): Promise<void> {
    // The mouse may rest on another row, whose hover lies above this one.
    await this.page.mouse.move(150, 10);
    await this.row(label).click(limit);
  }

  async pressButton(name: string): Promise<void> {
    await this.widget.locator(`.action-label[aria-label="${name}"]`).click();
  }

  async accept(limit?: typeof oneTry): Promise<void> {
    await this.input.press('Enter', limit);
  }

  async answer(text: string): Promise<void> {
    await this.type(text);
    await this.accept();
  }

  async cancel(): Promise<void> {
    await this.input.press('Escape');
    await this.waitForClosed();
  }
}
