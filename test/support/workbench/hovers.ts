import type { Locator } from '@playwright/test';
import { PageObject } from './pageElement.js';
import { type Expected, fits, until } from './until.js';

/** Hovers of the workbench: tooltips of rows and items, and those of the editor. */
export class Hovers extends PageObject {
  readonly shown = this.page.locator('.monaco-hover:visible');

  /**
   * Moves the mouse onto it and reads what appears, whole: not before it matches, and not while it is loading. A hand is never still:
   * an editor that has just opened starts no hover for the first movement over its text, but for the next one.
   */
  async read(target: Locator | { x: number; y: number }, expected: Expected = /\S/): Promise<string> {
    await this.leave();
    let movements = 0;
    let again = 0;
    return until(
      `a hover that says ${expected}`,
      async () => {
        const shown = await this.text();
        if (shown !== '' && !shown.startsWith('Loading...') && fits(shown, expected)) return shown;
        // One that says something else may be of a moment ago.
        if (Date.now() < again + (shown === '' ? 0 : 2_300)) return undefined;
        if (shown !== '') await this.leave();
        await this.moveOnto(target, movements++ % 2);
        again = Date.now() + 500 + 300 * movements;
        return undefined;
      },
      { seen: () => this.text() },
    );
  }

  /** The text of a hover that is open. */
  async text(): Promise<string> {
    return (await this.shown.allInnerTexts()).join('\n').trim();
  }

  /** Moves the mouse where nothing has a hover, and waits until none is left. */
  async leave(): Promise<void> {
    let stuck = Date.now() + 500;
    await until('hovers to vanish', async () => {
      if (Date.now() > stuck) {
        // The hover of what has the keyboard's focus stays without the mouse, until another one takes its place.
        const before = await this.text();
        // From elsewhere: a mouse that is there already starts nothing.
        await this.page.mouse.move(150, 10);
        await this.page.locator('[id="status.notifications"]').hover({ timeout: 1_000 });
        await until('another hover', async () => (await this.text()) !== before, { timeout: 1_000 });
        // That one goes with the mouse, but not at once.
        stuck = Date.now() + 1_000;
      }
      // The empty part of the title bar.
      await this.page.mouse.move(150, 10);
      await this.page.mouse.move(151, 11);
      return (await this.shown.count()) === 0;
    });
  }

  private async moveOnto(target: Locator | { x: number; y: number }, aside: number): Promise<void> {
    if ('x' in target) {
      await this.page.mouse.move(target.x - 1 + aside, target.y);
      // A hover starts with a movement over its target.
      await this.page.mouse.move(target.x + aside, target.y);
    } else {
      // A row that is drawn anew under a mouse that rests shows no hover: the mouse has to come from elsewhere.
      await this.page.mouse.move(150, 10);
      await target.hover({ timeout: 2_000 });
    }
  }
}
