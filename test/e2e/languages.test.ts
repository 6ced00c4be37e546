import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../support/paths.js';
import { sampleDeployments } from '../support/platform/sample.js';
import { expect, test } from '../support/workbench/fixtures.js';
import { spokenNames } from '../support/workbench/pageObject.js';
import { Walkthrough } from '../support/workbench/walkthrough.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { openToTheScopes } from './actions.js';

/**
 * What the server keeps of installed language packs, and the display language that a user chose. Microsoft's packs are in no
 * registry that tests may use, so these translate nothing of VS Code itself: its own words stay English, ours must not.
 */
async function chooseLanguage(workbench: Workbench, locale: string): Promise<void> {
  const data = join(workbench.dataFolder, 'data');
  const translations = join(data, 'no-translations.json');
  const pack = {
    hash: `empty-${locale}`,
    label: locale,
    extensions: [{ extensionIdentifier: { id: `test.language-pack-${locale}` }, version: '1.0.0' }],
    translations: { vscode: translations },
  };
  await mkdir(join(data, 'User'), { recursive: true });
  await writeFile(translations, JSON.stringify({ contents: {} }));
  await writeFile(join(data, 'languagepacks.json'), JSON.stringify({ [locale]: pack }));
  await writeFile(join(data, 'User', 'argv.json'), JSON.stringify({ locale }));
  await workbench.reload();
}

const readProjectFile = (path: string) => readFile(join(projectRoot, path), 'utf8');

/** Rows with a description of ours, opened down to the scopes. */
async function describedRows(workbench: Workbench, viewTitle: string): Promise<readonly string[]> {
  const view = await workbench.view(viewTitle);
  await view.row({ label: 'Billing sync', description: /\S/ });
  await openToTheScopes(view);
  return (await view.outline()).filter((row) => row.includes(' · '));
}

for (const locale of ['de', 'ja', 'zh-cn']) {
  test(`everything of ours is in the display language ${locale}`, {
    tag: locale === 'de' ? [] : '@all',
  }, async ({ begin }) => {
    const manifest: Record<string, string> = JSON.parse(
      await readProjectFile(`package.nls.${locale}.json`),
    );
    const texts: Record<string, string> = JSON.parse(
      await readProjectFile(`l10n/bundle.l10n.${locale}.json`),
    );
    const { workbench } = await begin({
      list: sampleDeployments,
      ownServer: true,
      viewport: { width: 1600, height: 1200 },
    });
    const english = await describedRows(workbench, 'Deployments');
    await chooseLanguage(workbench, locale);
    const rows = await describedRows(workbench, manifest['view.deployments']!);
    expect(rows).toHaveLength(english.length);
    expect(rows.filter((row) => english.includes(row))).toEqual([]);
    const spoken = await spokenNames(workbench.page.locator('.pane-body .monaco-list-row'));
    expect(spoken.length).toBeGreaterThan(rows.length);
    const foreignComma = locale === 'de' ? /[、，]/ : /, /;
    expect(spoken.filter((name) => foreignComma.test(name))).toEqual([]);

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
