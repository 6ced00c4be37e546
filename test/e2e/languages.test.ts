import { strict as assert } from 'node:assert';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { account, authorization, connection, requirement, unsatisfied } from '../support/service/data.js';
import { type Fault, faults } from '../support/service/faults.js';
import type { TreeView } from '../support/workbench/treeView.js';
import { until } from '../support/workbench/until.js';
import { Walkthrough } from '../support/workbench/walkthrough.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { begin } from './actions.js';

/** The texts of a picture, in their order. */
const textsOf = (svg: string) =>
  [...svg.matchAll(/<text[^>]*>([^]*?)<\/text>/g)].map(([, content]) => content!.replace(/<[^>]*>/g, ''));

/** 30 characters. */
const long = (name: string) => `${name} of the Berlin finance team`.slice(0, 30);
const drive = 'https://www.googleapis.com/auth/spreadsheets.readonly';

/** An account without these scopes, which its requirement needs. */
function lacking(binding: string, ...scopes: readonly string[]) {
  const id = `acc_${binding}`;
  return {
    account: account({ id, label: long(`Account ${scopes.length}`), scopes: [] }),
    requirement: requirement({
      accountId: id,
      binding: long(binding),
      satisfied: false,
      eligibleAccountIds: [],
      connections: [connection({ minimalScopes: [], requiredScopes: [...scopes] })],
    }),
  };
}
const lacks = [
  lacking('Reader', 'channels:read'),
  lacking('Sheets', drive),
  lacking('Writer', 'channels:read', 'chat:write', drive),
];
const broken = account({ id: 'acc_broken', label: long('Finance Slack'), error: { code: 'token_revoked' } });

const answers: Readonly<Record<string, unknown>> = {
  a_failed: authorization(
    [broken],
    [requirement({ accountId: 'acc_broken', binding: long('Notifier'), satisfied: false, connections: [] })],
  ),
  b_missing: authorization(
    lacks.map((lack) => lack.account),
    lacks.map((lack) => lack.requirement),
  ),
  c_other: unsatisfied(),
  d_unknown: authorization([account()], [requirement({ satisfied: undefined })]),
};
const failures: Readonly<Record<string, Fault>> = {
  e_gone: faults.status(404),
  f_denied: faults.status(403),
  h_refused: faults.status(418),
  i_broken: faults.status(500),
  j_elsewhere: faults.redirect('https://login.example/'),
  k_page: faults.html(200),
  l_dropped: faults.reset(),
  m_slow: faults.silent(),
};
const ids = [...Object.keys(answers), ...Object.keys(failures)];

const english = [
  'Finance Sl…Berlin fi failed',
  'Reconnect Finance Slack of the Berlin fi',
  'token_revoked',
  'needs Finance Sl…Berlin fi',
  'failed: token_revoked',
  'not among the accounts',
  'missing channels:read +2',
  'Grant channels:read',
  'Grant …/spreadsheets.readonly',
  'Grant channels:read, chat:write, …/spreadsheets.readonly',
  'missing channels:read',
  'missing',
  'missing …/spreadsheets.readonly',
  'missing',
  'missing channels:read +2',
  'missing',
  'missing',
  'missing',
  'not satisfied',
  '1 unknown',
  'Not found',
  'Check the ID, or switch organizations.',
  'Access denied',
  'Request refused',
  'Server error',
  'Redirected',
  'Invalid response',
  'Connection lost',
  'Timed out',
];

/** Of each row what says what is wrong or what to do: a step's label, else what the description begins with. */
const reading = `[...document.querySelectorAll('.pane-body .monaco-list-row')]
  .sort((one, other) => one.dataset.index - other.dataset.index)
  .flatMap((row) => {
    const [, icon] = /codicon-(?!modifier|colored)([\\w-]+)/.exec(row.querySelector('.custom-view-tree-node-item-icon').className) || [];
    const isLabel = /^(lightbulb|circle-slash|debug-pause)$/.test(icon);
    if (!isLabel && !/^(error|warning|question|close)$/.test(icon)) return [];
    const text = row.querySelector(isLabel ? '.label-name' : '.label-description').textContent;
    return isLabel ? text : text.split(' · ')[0];
  })`;

/**
 * What the server keeps of installed language packs, and the display language that somebody chose. Microsoft's packs are in no
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

async function readTexts(file: string): Promise<Record<string, string>> {
  return JSON.parse(await readFile(file, 'utf8'));
}

describe('in every language', () => {
  let workbench: Workbench;
  let view: TreeView;

  before(async () => {
    ({ workbench } = await begin({
      data: {
        deployments: new Map(Object.entries(answers)),
        standing: Object.entries(failures).map(([id, fault]) => ({ target: { id }, fault })),
      },
      list: ids.map((id) => ({ id, label: long(id) })),
      ownServer: true,
      userSettings: { 'automationPlatform.requestTimeout': 2 },
      viewport: { width: 1600, height: 1600 },
    }));
  });

  /** Everything that is wrong, opened down to the scopes. */
  async function open(name: string): Promise<void> {
    view = await workbench.view(name);
    await view.waitForRows('all read', (rows) => {
      return rows.length >= ids.length && !rows.some(({ icon }) => icon === 'circle-large-outline');
    });
    for (const label of [/^a_/, /^b_/, /^e_/]) await view.expand({ label, level: 1 });
    // The step may begin with the account's name, too.
    await view.expand({ label: /^Fin/, level: 2, description: /^token_revoked/ });
    for (const label of [/^Not/, /^Rea/, /^She/, /^Wri/]) await view.expand({ label, level: 2 });
    for (const under of [/^Rea/, /^She/, /^Wri/]) await view.expand({ label: 'slack-oauth', under });
    await view.row({ label: 'chat:write', under: 'slack-oauth' });
  }

  const said = () => workbench.page.evaluate<string[]>(reading);

  it('every row says what is wrong or what to do', async () => {
    await open('Deployments');
    assert.deepEqual(await said(), english);
  });

  for (const [locale, age, mark] of [
    ['de', /vor \d+ Tagen/, ''],
    ['ja', /\d+ 日前/, ' @all'],
    ['zh-cn', /\d+天前/, ' @all'],
  ] as const) {
    it(`so does every row in ${locale}, and everything else of ours is in it${mark}`, async () => {
      const manifest = await readTexts(`package.nls.${locale}.json`);
      const texts = await readTexts(`l10n/bundle.l10n.${locale}.json`);
      await chooseLanguage(workbench, locale);
      await open(manifest['view.deployments']!);
      const rows = await said();
      assert.equal(rows.length, english.length);
      assert.deepEqual(
        rows.filter((row) => english.includes(row)),
        ['token_revoked'],
      );
      assert.match((await view.outline()).join('\n'), age);
      await workbench.statusBar.waitForText('summary', texts['{count} deployments failing']!.replace('{count}', '3'));
      const { text } = await (await workbench.view(manifest['view.installs']!)).welcome();
      assert.equal(text, manifest['welcome.installs']!.replace(/\[(.*?)\]\(.*?\)/, '$1'));
      await workbench.commands.run(`Automation Platform: ${manifest['command.addDeployment']}`);
      await workbench.quickInput.waitFor(
        new RegExp(texts['Deployment ID, or several separated by spaces or commas.']!),
      );
      await workbench.quickInput.cancel();

      const walkthrough = new Walkthrough(workbench.page);
      await walkthrough.open(manifest['walkthrough.title']!);
      await walkthrough.expand(manifest['walkthrough.sign-in.title']!);
      const picture = textsOf(await readFile(`media/walkthrough/sign-in.${locale}.svg`, 'utf8'));
      await until('the picture of the step', async () => {
        const frames = workbench.page.frames().map((frame) => frame.locator('svg text').allTextContents());
        return (await Promise.all(frames)).some((shown) => isDeepStrictEqual(shown, picture));
      });
      await workbench.editor.close();
    });
  }
});
