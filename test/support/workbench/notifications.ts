import { type PageElement, PageObject } from './pageElement.js';
import { type Expected, fits, until } from './until.js';

/** Notifications: as toasts, or in the center for those that were not shown (at most 3 toasts appear at a time). */
export class Notifications extends PageObject {
  private readonly items = this.page.locator(
    ':is(.notifications-toasts, .notifications-center).visible .notification-list-item:visible',
  );

  /** Those on the screen. */
  shown() {
    return this.items.evaluateAll((items: PageElement[]) =>
      items.map((item) => {
        const icon = item.querySelector('.notification-list-item-icon')?.className ?? '';
        const severities = ['info', 'warning', 'error'] as const;
        return {
          text: item.querySelector('.notification-list-item-message')?.textContent ?? '',
          severity: severities.find((severity) => icon.includes(`codicon-${severity}`)) ?? 'unknown',
          buttons: Array.from(item.querySelectorAll('.monaco-button'), (button) => button.textContent).filter(
            (label) => label !== '',
          ),
        };
      }),
    );
  }

  async waitFor(expected: Expected) {
    const fallback = Date.now() + 2_500;
    const center = this.page.locator('.notifications-center.visible');
    return until(
      `a notification that says ${expected}`,
      async () => {
        const found = (await this.shown()).find((notification) => fits(notification.text, expected));
        if (!found && Date.now() > fallback && (await center.count()) === 0) {
          await this.page.locator('[id="status.notifications"]').click({ timeout: 2_000 });
        }
        return found;
      },
      { seen: () => this.shown() },
    );
  }

  /** Presses a button of the notification that matches. */
  async press(expected: Expected, button: string): Promise<void> {
    await this.waitFor(expected);
    const index = (await this.shown()).findIndex((notification) => fits(notification.text, expected));
    const item = this.items.nth(index);
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
