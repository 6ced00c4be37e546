import type { Locator } from '@playwright/test';
import { clickUntil, PageObject, textOf } from './pageElement.js';

/** The icons at the side, by their titles. */
export class ActivityBar extends PageObject {
  /** Opens a container; one that is open stays so. */
  async open(title: string): Promise<void> {
    const item = this.item(title);
    await clickUntil(`the container ${title} to open`, item, async () => {
      return (await item.getAttribute('class', { timeout: 2_000 }))?.includes('checked') === true;
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
