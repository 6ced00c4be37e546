import { expect, type Locator } from '@playwright/test';
import { oneTry, PageObject } from './pageObject.js';

export class Hovers extends PageObject {
  readonly shown = this.page.locator('.monaco-hover:visible');

  /**
   * Moves the mouse onto it and reads what appears, whole: not before it matches, and not while it is loading. A row that is drawn
   * anew under a mouse that rests shows no hover, and an editor that has just opened none for the first movement over its text.
   */
  async read(target: Locator, expected: RegExp): Promise<string> {
    let text = '';
    await expect(async () => {
      await this.leave();
      await target.hover(oneTry);
      await target.hover({ position: { x: 5, y: 5 }, ...oneTry });
      await expect(async () => {
        text = await this.text();
        expect(text).toMatch(expected);
        expect(text).not.toMatch(/^Loading\.\.\./);
      }).toPass({ timeout: 2_500 });
    }).toPass();
    return text;
  }

  async text(): Promise<string> {
    return (await this.shown.allInnerTexts()).join('\n').trim();
  }

  async leave(): Promise<void> {
    await expect(async () => {
      // The empty part of the title bar.
      await this.page.mouse.move(150, 10);
      await this.page.mouse.move(151, 11);
      try {
        await expect(this.shown).toHaveCount(0, { timeout: 1_000 });
      } catch (error) {
        // The hover of what has the keyboard's focus stays without the mouse, until another one takes its place.
        await this.page.locator('[id="status.notifications"]').hover(oneTry);
        throw error;
      }
    }).toPass();
  }
}
