import { PageObject } from './pageElement.js';
import { type Expected, fits, until } from './until.js';

/** Notifications: as toasts, or in the center for those that were not shown (at most 3 toasts appear at a time). */
export class Notifications extends PageObject {
  private readonly center = this.page.locator('.notifications-center.visible');
  private readonly items = this.page
    .locator('.notifications-toasts.visible')
    .or(this.center)
    .locator('.notification-list-item:visible');

  /** What those on the screen say. */
  shown(): Promise<string[]> {
    return this.items.locator('.notification-list-item-message').allTextContents();
  }

  /** Waits for a notification, and says which one it is. */
  async waitFor(expected: Expected): Promise<number> {
    const fallback = Date.now() + 2_500;
    const look = async () => {
      const index = (await this.shown()).findIndex((text) => fits(text, expected));
      if (index >= 0) return { index };
      if (Date.now() > fallback && (await this.center.count()) === 0) {
        await this.page.locator('[id="status.notifications"]').click({ timeout: 2_000 });
      }
      return undefined;
    };
    return (await until(`a notification that says ${expected}`, look, { seen: () => this.shown() })).index;
  }

  /** Presses a button of the notification that matches. */
  async press(expected: Expected, button: string): Promise<void> {
    const item = this.items.nth(await this.waitFor(expected));
    // In the center only the notification under the mouse shows its buttons.
    await item.hover();
    await item.locator('.monaco-button').filter({ hasText: button }).first().click();
  }

  /** Dismisses all, so that the next check sees only new ones. */
  async clear(): Promise<void> {
    await until('notifications to vanish', async () => {
      for (const item of await this.items.all()) {
        await item.hover({ timeout: 1_000 });
        await item.locator('.codicon-notifications-clear').first().click({ timeout: 1_000 });
      }
      return (await this.items.count()) === 0;
    });
  }
}
