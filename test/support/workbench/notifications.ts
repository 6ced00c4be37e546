import { expect, type Locator } from '@playwright/test';
import { type Expected, PageObject } from './pageObject.js';

/** Notifications: as toasts, or in the center for those that were not shown (at most 3 toasts appear at a time). */
export class Notifications extends PageObject {
  private readonly center = this.page.locator('.notifications-center.visible');
  readonly items = this.page
    .locator('.notifications-toasts.visible')
    .or(this.center)
    .locator('.notification-list-item:visible');

  async waitFor(expected: Expected): Promise<Locator> {
    const message = this.page
      .locator('.notification-list-item-main-row')
      .getByText(expected, { exact: true });
    const item = this.items.filter({ has: message }).first();
    await item.waitFor({ timeout: 2_500 }).catch(async () => {
      if (!(await this.center.isVisible()))
        await this.page.locator('[id="status.notifications"]').click();
    });
    await expect(item).toBeVisible();
    return item;
  }

  async press(expected: Expected, button: string): Promise<void> {
    const item = await this.waitFor(expected);
    // In the center only the notification under the mouse shows its buttons.
    await item.hover();
    await item.locator('.monaco-button').filter({ hasText: button }).first().click();
  }

  async clear(): Promise<void> {
    await expect(async () => {
      for (const item of await this.items.all()) {
        await item.hover({ timeout: 1_000 });
        await item.locator('.codicon-notifications-clear').first().click({ timeout: 1_000 });
      }
      await expect(this.items).toHaveCount(0, { timeout: 500 });
    }).toPass();
  }
}
