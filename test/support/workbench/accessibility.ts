import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

/** What axe found: the rule, how bad, and the elements. */
export interface Violation {
  readonly rule: string;
  readonly impact: string;
  readonly elements: readonly string[];
}

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/**
 * axe on parts of the page. Its script goes through the page's own evaluation, since the workbench's content policy forbids
 * script elements. `all`: an error if one of the parts is not there.
 */
export async function violations(page: Page, parts: readonly string[], all = false): Promise<Violation[]> {
  if (!(await page.evaluate('typeof axe === "object"'))) {
    await page.evaluate(await readFile(axe, 'utf8'));
  }
  return page.evaluate(`(async () => {
    const include = ${JSON.stringify(parts)}.filter((part) => document.querySelector(part)).map((part) => [part]);
    const missing = ${JSON.stringify(parts)}.filter((part) => !document.querySelector(part));
    if (include.length === 0 || ${all} && missing.length > 0) throw new Error('Not there: ' + missing.join(', '));
    const { violations } = await axe.run({ include }, { resultTypes: ['violations'] });
    return violations.map(({ id, impact, nodes }) => ({
      rule: id,
      impact,
      elements: nodes.map(({ html, failureSummary }) => html.slice(0, 300) + ' | ' + failureSummary.replaceAll('\\n', ' ')),
    }));
  })()`);
}
