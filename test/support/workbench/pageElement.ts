import type { Locator } from 'playwright-core';

/** What we use of the DOM, inside of functions that run in the page; the project is compiled without the DOM's types. */
export interface PageElement {
  readonly textContent: string;
  readonly className: string;
  getAttribute(name: string): string | null;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
}

/** What a screen reader calls each of these. */
export function spokenNames(elements: Locator): Promise<string[]> {
  return elements.evaluateAll((all: PageElement[]) => all.map((one) => one.getAttribute('aria-label') ?? ''));
}

/** What one reads in each of these, without those that are blank. */
export async function textsOf(elements: Locator): Promise<string[]> {
  return (await elements.allInnerTexts()).map((text) => text.trim()).filter((text) => text !== '');
}

/** What one reads in it; empty if it is not there. */
export async function textOf(element: Locator): Promise<string> {
  return (await element.isVisible()) ? (await element.innerText()).trim() : '';
}
