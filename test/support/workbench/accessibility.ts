import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';

const script = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

declare global {
  const axe: typeof import('axe-core');
}

/** What VS Code draws so and no extension can change. */
const ofTheEditor: Readonly<Record<string, RegExp>> = {
  // VS Code glues label, description and letter of a row together; that names begin with the label has a test of its own.
  'label-content-name-mismatch': /./,
  // VS Code's opacity: of descriptions beside colored labels and titles, and of a diagnostic's source in hovers; its actions there.
  'color-contrast': /class="(label-)?description"|opacity: 0\.6|^<span>(View Problem|Quick Fix)/,
  // The rows of VS Code's quick pick are options with a level.
  'aria-allowed-attr': /role="option"/,
  // The progress bar of VS Code 1.105's quick pick.
  'aria-progressbar-name': /quick-input-progress/,
  // Of the palette's rows, which VS Code keeps for the next list.
  'aria-prohibited-attr': /class="monaco-keybinding"/,
};

/**
 * What axe finds serious or critical in parts of the page, of which none may be absent. Its script goes through the page's own
 * evaluation, since the workbench's content policy forbids script elements.
 */
export async function seriousViolations(page: Page, parts: readonly string[]) {
  if (!(await page.evaluate(() => 'axe' in globalThis)))
    await page.evaluate(await readFile(script, 'utf8'));
  const found = await page.evaluate(async (wanted) => {
    const missing = wanted.filter((part) => !document.querySelector(part));
    if (missing.length > 0) throw new Error(`Not there: ${missing.join(', ')}`);
    // What is still fading in has less contrast than people get.
    const moving = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(moving.map(({ finished }) => finished));
    const { violations } = await axe.run(
      { include: wanted.map((part) => [part]) },
      { resultTypes: ['violations'] },
    );
    const serious = violations.filter(
      ({ impact }) => impact === 'serious' || impact === 'critical',
    );
    return serious.map(({ id, nodes }) => ({
      rule: id,
      elements: nodes.map(({ html, failureSummary = '' }) => {
        return `${html.slice(0, 300)} | ${failureSummary.replaceAll('\n', ' ')}`;
      }),
    }));
  }, parts);
  return found
    .map(({ rule, elements }) => ({
      rule,
      elements: elements.filter((html) => !ofTheEditor[rule]?.test(html)),
    }))
    .filter(({ elements }) => elements.length > 0);
}
