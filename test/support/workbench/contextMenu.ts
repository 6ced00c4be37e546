import { PageObject, textsOf } from './pageElement.js';
import { until } from './until.js';

/** A menu that is open: of a context click or of a "…" button. */
export class ContextMenu extends PageObject {
  readonly items = this.page.locator('.monaco-menu:visible .action-menu-item');

  async waitForOpen(): Promise<void> {
    await this.items.first().waitFor({ state: 'visible', timeout: 3_000 });
  }

  async isOpen(): Promise<boolean> {
    return (await this.items.count()) > 0;
  }

  /** Its entries, without separators. */
  entries(): Promise<string[]> {
    return textsOf(this.items.locator('.action-label'));
  }

  /** Takes an entry of the menu that `open` opens: again, if it closes, as it does when the focus goes elsewhere. */
  async choose(entry: string, open: () => Promise<unknown>): Promise<void> {
    const item = this.items.filter({ has: this.page.locator(`.action-label[aria-label="${entry}"]`) }).first();
    const focused = this.page.locator('.monaco-menu:visible .action-item.focused');
    await until(`${entry} in the menu`, async () => {
      if (await this.isOpen()) await this.close();
      await open();
      const hasFocus = async () => {
        await item.hover({ timeout: 1_000 });
        return (await focused.allInnerTexts()).some((text) => text.includes(entry));
      };
      await until(`${entry} to have the focus`, hasFocus, { timeout: 4_000, seen: () => this.entries() });
      // A click right after the opening gets lost; Enter does not, unless the menu closes: so the entry itself takes it.
      await item.press('Enter', { timeout: 1_000 });
      return true;
    });
    await until('the menu to close', async () => !(await this.isOpen()));
  }

  async close(): Promise<void> {
    await until('the menu to close', async () => {
      await this.page.keyboard.press('Escape');
      return !(await this.isOpen());
    });
  }
}
