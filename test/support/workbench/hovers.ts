import type { Locator } from '@playwright/test';
import { PageObject } from './pageElement.js';
import { until } from './until.js';

/** Hovers of the workbench: tooltips of rows and items, and those of the editor. */
export class Hovers extends PageObject {
  readonly shown = this.page.locator('.monaco-hover:visible');

  /**
   * Moves the mouse onto it and reads what appears, whole: not before it matches, and not while it is loading. A row that is drawn
   * anew under a mouse that rests shows no hover, and an editor that has just opened none for the first movement over its text.
   */
  async read(target: Locator, expected: RegExp): Promise<string> {
    await this.leave();
    let again = 0;
    let waitMs = 500;
    return until(
      `a hover that says ${expected}`,
      async () => {
        const shown = await this.text();
        if (shown !== '' && !shown.startsWith('Loading...') && expected.test(shown)) return shown;
        // One that says something else may be of a moment ago.
        if (Date.now() < again + (shown === '' ? 0 : 2_300)) return undefined;
        if (shown !== '') await this.leave();
        await this.page.mouse.move(150, 10);
        await target.hover({ timeout: 2_000 });
        await target.hover({ timeout: 2_000, position: { x: 5, y: 5 } });
        waitMs += 300;
        again = Date.now() + waitMs;
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
}
