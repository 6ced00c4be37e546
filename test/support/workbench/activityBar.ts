import type { Locator, Page } from 'playwright-core';
import { textOf } from './pageElement.js';
import { until } from './until.js';

/** The icons at the side, by their titles. */
export class ActivityBar {
  constructor(private readonly page: Page) {}

  /** Opens a container; one that is open stays so. */
  async open(title: string): Promise<void> {
    await until(`the container ${title} to open`, async () => {
      const item = this.item(title);
      if ((await item.getAttribute('class', { timeout: 2_000 }))?.includes('checked')) return true;
      await item.click({ timeout: 2_000 });
      return false;
    });
  }

  /** The number on the icon; empty if there is none. */
  badge(title: string): Promise<string> {
    return textOf(this.item(title).locator('.badge-content'));
  }

  private item(title: string): Locator {
    const label = this.page.locator(`.action-label[aria-label^="${title}"]`);
    return this.page.locator('.part.activitybar .action-item', { has: label }).first();
  }
}
