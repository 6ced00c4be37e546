import type { Page } from 'playwright-core';
import { type Violation, violations } from '../support/workbench/accessibility.js';

/** What VS Code draws so and no extension can change. */
function isOfTheEditor({ rule }: Violation, html: string): boolean {
  switch (rule) {
    // VS Code glues label, description and letter of a row together; that names begin with the label is tested above.
    case 'label-content-name-mismatch':
      return true;
    // VS Code's opacity: of descriptions beside coloured labels and titles, and of a diagnostic's source in hovers.
    case 'color-contrast':
      return /class="(label-)?description"|opacity: 0\.6/.test(html);
    // The rows of VS Code's quick pick are options with a level.
    case 'aria-allowed-attr':
      return html.includes('role="option"');
    default:
      return !/automation-platform|custom-view-tree|monaco-list-row|rendered-markdown/.test(html);
  }
}

/** What axe finds serious in these parts of the page and can be changed by us. */
export async function ownViolations(page: Page, parts: readonly string[]): Promise<Violation[]> {
  return (await violations(page, parts))
    .filter(isSerious)
    .map((violation) => ({
      ...violation,
      elements: violation.elements.filter((html) => !isOfTheEditor(violation, html)),
    }))
    .filter(({ elements }) => elements.length > 0);
}

/** The same where all of each part is ours. */
export async function serious(page: Page, parts: readonly string[]): Promise<Violation[]> {
  return (await violations(page, parts, true)).filter(isSerious);
}

function isSerious({ impact }: Violation): boolean {
  return impact === 'serious' || impact === 'critical';
}
