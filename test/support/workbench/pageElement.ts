import type { Locator, Page } from '@playwright/test';
import { until } from './until.js';

/** A part of the workbench, as people call it. It keeps nothing but where to look, so that there may be several of the same. */
export abstract class PageObject {
  constructor(readonly page: Page) {}
}

/** Clicks again until it is so; what is so already is left alone. */
export async function clickUntil(what: string, element: Locator, isSo: () => Promise<boolean>): Promise<void> {
  await until(what, async () => {
    if (await isSo()) return true;
    await element.click({ timeout: 2_000 });
    return false;
  });
}

/** What a screen reader calls each of these. */
export function spokenNames(elements: Locator): Promise<string[]> {
  return elements.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''));
}

/** What one reads in each of these, without those that are blank. */
export async function textsOf(elements: Locator): Promise<string[]> {
  return (await elements.allInnerTexts()).map((text) => text.trim()).filter((text) => text !== '');
}
