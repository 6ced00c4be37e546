import type { Locator, Page } from 'playwright-core';
import { until } from './until.js';

/** The icons at the side, by their titles. */
export class ActivityBar {
  constructor(private readonly page: Page) {}

  async has(title: string): Promise<boolean> {
    return (await this.item(title).count()) > 0;
  }

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
  async badge(title: string): Promise<string> {
    const badge = this.item(title).locator('.badge-content');
    return (await badge.isVisible()) ? (await badge.innerText()).trim() : '';
  }

  private item(title: string): Locator {
    const label = this.page.locator(`.action-label[aria-label^="${title}"]`);
    return this.page.locator('.part.activitybar .action-item', { has: label }).first();
  }
}
