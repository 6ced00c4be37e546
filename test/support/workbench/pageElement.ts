import type { Locator } from 'playwright-core';

/** What we use of the DOM, inside of functions that run in the page; the project is compiled without the DOM's types. */
export interface PageElement {
  readonly textContent: string;
  readonly innerText: string;
  readonly className: string;
  getAttribute(name: string): string | null;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
}

/** What a screen reader calls each of these. */
export function spokenNames(elements: Locator): Promise<string[]> {
  return elements.evaluateAll((all: PageElement[]) => all.map((one) => one.getAttribute('aria-label') ?? ''));
}
