import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../support/paths.js';
import { sampleDeployments } from '../support/platform/sample.js';
import { expect, test } from '../support/workbench/fixtures.js';
import { spokenNames } from '../support/workbench/pageObject.js';
import { Walkthrough } from '../support/workbench/walkthrough.js';
import { openToTheScopes, rowsDownToTheScopes } from './actions.js';

const readProjectFile = (path: string) => readFile(join(projectRoot, path), 'utf8');

const hasDescription = (row: string) => row.includes(' · ');

for (const locale of ['de', 'ja', 'zh-cn']) {
  test(`all texts of the extension are in the display language ${locale}`, {
    tag: '@rest',
  }, async ({ begin }) => {
    const manifest: Record<string, string> = JSON.parse(
      await readProjectFile(`package.nls.${locale}.json`),
    );
    const texts: Record<string, string> = JSON.parse(
      await readProjectFile(`l10n/bundle.l10n.${locale}.json`),
    );
    const { workbench } = await begin({
      list: sampleDeployments,
      displayLanguage: locale,
      viewport: { width: 1600, height: 1200 },
    });

    const view = await workbench.view(manifest['view.deployments']!);
    await view.row({ label: 'Billing sync', description: /\S/ });
    await openToTheScopes(view);
    const englishRows = rowsDownToTheScopes.filter(hasDescription);
    const rows = (await view.outline()).filter(hasDescription);
    expect(rows).toHaveLength(englishRows.length);
    expect(rows.filter((row) => englishRows.includes(row))).toEqual([]);
    const spoken = await spokenNames(workbench.page.locator('.pane-body .monaco-list-row'));
    expect(spoken.length).toBeGreaterThan(rows.length);
    const commaOfOtherLanguages = locale === 'de' ? /[、，]/ : /, /;
    expect(spoken.filter((name) => commaOfOtherLanguages.test(name))).toEqual([]);

    await expect(workbench.summary).toHaveText(
      texts['{count} deployments failing']!.replace('{count}', '6'),
    );
    const { welcome } = await workbench.view(manifest['view.installs']!);
    await expect(welcome).toHaveText(
      manifest['welcome.installs']!.replace(/\[(.*?)\]\(.*?\)/, '$1'),
    );
    await workbench.commands.run(`Automation Platform: ${manifest['command.addDeployment']}`);
    await workbench.quickInput.waitFor(
      new RegExp(texts['Deployment ID, or several separated by spaces or commas.']!),
    );
    await workbench.quickInput.cancel();

    const walkthrough = new Walkthrough(workbench.page);
    await walkthrough.open(manifest['walkthrough.title']!);
    await walkthrough.expand(manifest['walkthrough.sign-in.title']!);
    const svg = await readProjectFile(`media/walkthrough/sign-in.${locale}.svg`);
    const picture = [...svg.matchAll(/<text[^>]*>([^]*?)<\/text>/g)].map(([, words]) =>
      words!.replace(/<[^>]*>/g, ''),
    );
    await expect(workbench.webview.locator('svg text')).toHaveText(picture);
    await workbench.close();
  });
}
