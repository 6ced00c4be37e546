import { expect, type Locator, type Page } from '@playwright/test';

/** A part of the workbench, as people call it. It keeps nothing but where to look, so that there may be several of the same. */
export abstract class PageObject {
  constructor(readonly page: Page) {}
}

/** How tests name what they expect to read: the whole text, or an expression that matches in it. */
export type Expected = string | RegExp;

export function fits(text: string, expected: Expected): boolean {
  return typeof expected === 'string' ? text === expected : expected.test(text);
}

/** For an action that is done again until it has its effect. Any other has the whole time that the config gives it. */
export const oneTry = { timeout: 4_000 };

export async function untilRead<T>(
  what: string,
  read: () => Promise<T>,
  wanted: (seen: T) => boolean,
): Promise<T> {
  let last: T;
  await expect(async () => {
    last = await read();
    if (!wanted(last))
      throw new Error(`Waited in vain for ${what}; seen: ${JSON.stringify(last, undefined, 1)}`);
  }).toPass();
  return last!;
}

export async function clickUntil(element: Locator, isSo: () => Promise<boolean>): Promise<void> {
  await expect(async () => {
    if (await isSo()) return;
    await element.click(oneTry);
    await expect.poll(isSo, { timeout: 1_000 }).toBe(true);
  }).toPass();
}

export function spokenNames(elements: Locator): Promise<string[]> {
  return elements.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''));
}

export async function textsOf(elements: Locator): Promise<string[]> {
  return (await elements.allInnerTexts()).map((text) => text.trim()).filter((text) => text !== '');
}
