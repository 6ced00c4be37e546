import type { Locator, Page } from 'playwright-core';
import { type Expected, fits, until } from './until.js';

/** Hovers of the workbench: tooltips of rows and items, and those of the editor. */
export class Hovers {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get shown(): Locator {
    return this.#page.locator('.monaco-hover:visible');
  }

  /** Moves the mouse onto it and reads what appears, whole: not before it matches, and not while it is loading. */
  async read(target: Locator | { x: number; y: number }, expected: Expected = /\S/): Promise<string> {
    await this.leave();
    return until(`a hover that says ${expected}`, async () => {
      // A mouse that is there already starts no hover: one that got lost is started anew from elsewhere.
      await this.#page.mouse.move(150, 10);
      await this.#moveOnto(target);
      const text = await until('text', () => this.#text(expected), { timeout: 3_000 });
      return text;
    });
  }

  /** The text of a hover that is open. */
  async text(): Promise<string> {
    return (await this.shown.allInnerTexts()).join('\n').trim();
  }

  /** The targets of the links in a hover that is open. */
  async links(): Promise<string[]> {
    return this.shown
      .locator('a')
      .evaluateAll((links: { getAttribute(name: string): string | null }[]) =>
        links.map((link) => link.getAttribute('data-href') ?? link.getAttribute('href') ?? ''),
      );
  }

  /** Moves the mouse where nothing has a hover, and waits until none is left. */
  async leave(): Promise<void> {
    let stuck = Date.now() + 500;
    await until('hovers to vanish', async () => {
      if (Date.now() > stuck) {
        // The hover of what has the keyboard's focus stays without the mouse, until another one takes its place.
        const before = await this.text();
        // From elsewhere: a mouse that is there already starts nothing.
        await this.#page.mouse.move(150, 10);
        await this.#page.locator('[id="status.notifications"]').hover({ timeout: 1_000 });
        await until('another hover', async () => (await this.text()) !== before, { timeout: 1_000 });
        // That one goes with the mouse, but not at once.
        stuck = Date.now() + 1_000;
      }
      // The empty part of the title bar.
      await this.#page.mouse.move(150, 10);
      await this.#page.mouse.move(151, 11);
      return (await this.shown.count()) === 0;
    });
  }

  async #moveOnto(target: Locator | { x: number; y: number }): Promise<void> {
    if ('x' in target) {
      await this.#page.mouse.move(target.x, target.y);
      // A hover starts with a movement over its target.
      await this.#page.mouse.move(target.x + 1, target.y);
    } else {
      await target.hover({ timeout: 2_000 });
    }
  }

  async #text(expected: Expected): Promise<string | undefined> {
    const text = await this.text();
    return text !== '' && !text.startsWith('Loading...') && fits(text, expected) ? text : undefined;
  }
}
