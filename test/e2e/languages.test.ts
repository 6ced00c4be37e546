import { strict as assert } from 'node:assert';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type ServiceChild, spawnService } from '../support/service/child.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import { until } from '../support/workbench/until.js';
import { Walkthrough } from '../support/workbench/walkthrough.js';
import type { Workbench } from '../support/workbench/workbench.js';

interface Expectation {
  readonly locale: string;
  /** Of the manifest: the views, a command, the welcome text and its button. */
  readonly deployments: string;
  readonly installs: string;
  readonly command: string;
  readonly welcome: RegExp;
  readonly button: string;
  /** Of the source. */
  readonly counts: string;
  readonly status: string;
  readonly failed: RegExp;
  readonly notFound: string;
  readonly satisfied: string;
  readonly bound: string;
  readonly hover: RegExp;
  readonly question: RegExp;
}

const expectations: readonly Expectation[] = [
  {
    locale: 'de',
    deployments: 'Deployments',
    installs: 'Ausstehende Installationen',
    command: 'Automation Platform: Deployment hinzufügen…',
    welcome: /^Hat Ihnen jemand einen Installationslink gesendet\?/,
    button: 'Installation nachschlagen',
    counts: 'environment · 1 von 3 mit Problemen',
    status: '1 von 3 Deployments',
    failed: /^1 Konto fehlerhaft · 1 von 3 nicht erfüllt · (gerade eben|vor \d+ Min\.)$/,
    notFound: 'nicht gefunden (404)',
    satisfied: '4 von 4 erfüllt',
    bound: 'gebundenes Konto',
    hover:
      /Fehlerhaft: 1 Konto fehlerhaft · 1 von 3 nicht erfüllt[^]*Organisation: environment \(aus Umgebungsvariablen\)/,
    question: /^Die ID des Deployments\. Es wird zu „\.vscode\/settings\.json“ hinzugefügt\./,
  },
  {
    locale: 'ja',
    deployments: 'デプロイ',
    installs: '保留中のインストール',
    command: 'Automation Platform: デプロイの追加…',
    welcome: /^インストール リンクを受け取りましたか\?/,
    button: 'インストールの照会',
    counts: 'environment · 3 件中 1 件に問題',
    status: 'デプロイ 1/3 件',
    failed: /^エラーのアカウント 1 件 · 3 件中 1 件が未充足 · (たった今|\d+ 分前)$/,
    notFound: '見つかりません (404)',
    satisfied: '4 件中 4 件が充足',
    bound: 'バインドされたアカウント',
    hover: /エラー: エラーのアカウント 1 件 · 3 件中 1 件が未充足[^]*組織: environment \(環境変数から\)/,
    question: /^デプロイの ID です。\s*\.vscode\/settings\.json に追加されます。/,
  },
  {
    locale: 'zh-cn',
    deployments: '部署',
    installs: '待完成的安装',
    command: 'Automation Platform: 添加部署…',
    welcome: /^有人向你发送了安装链接吗？/,
    button: '查询安装',
    counts: 'environment · 1/3 个有问题',
    status: '1/3 个部署',
    failed: /^1 个帐户出错 · 1\/3 项未满足 · (刚刚|\d+分钟前)$/,
    notFound: '未找到 (404)',
    satisfied: '4/4 项已满足',
    bound: '绑定的帐户',
    hover: /出错：1 个帐户出错 · 1\/3 项未满足[^]*组织：environment（来自环境变量）/,
    question: /^部署的 ID。\s*将添加到“\.vscode\/settings\.json”。/,
  },
];

/**
 * What the server keeps of installed language packs, and the display language that somebody chose. Microsoft's packs are in no
 * registry that tests may use, so these translate nothing of VS Code itself: its own words stay English, ours must not.
 */
async function chooseLanguage({ dataFolder }: Workbench, locale: string): Promise<void> {
  const data = join(dataFolder, 'data');
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
}

const walkthroughSteps = ['sign-in', 'add-deployment', 'tree', 'editor', 'keyboard'];

/** The texts of a picture, in their order. */
const textsOf = (svg: string) =>
  [...svg.matchAll(/<text[^>]*>([^]*?)<\/text>/g)].map(([, content]) => content!.replace(/<[^>]*>/g, ''));

/** What each web view says inside pictures: the one of the walkthrough has a single picture. */
const shownPictures = ({ page }: Workbench): Promise<string[][]> =>
  Promise.all(page.frames().map((frame) => frame.locator('svg text').allTextContents()));

describe('the display language', () => {
  let service: ServiceChild;
  let workbench: Workbench;

  before(async () => {
    service = await spawnService(['--sample']);
    workbench = await openWorkbench({
      env: { AUTOMATION_PLATFORM_BASE_URL: service.baseUrl, AUTOMATION_PLATFORM_TOKEN: service.token },
      workspaceSettings: {
        'automationPlatform.deployments': [
          { id: 'dep_billing_sync', label: 'Billing sync' },
          'dep_77',
          { id: 'dep_lead_intake', label: 'Lead intake' },
        ],
      },
      viewport: { width: 1600, height: 900 },
    });
  });
  after(async () => {
    await workbench?.close();
    await service?.stop();
  });

  for (const expected of expectations) {
    describe(expected.locale, () => {
      before(async () => {
        await chooseLanguage(workbench, expected.locale);
        await workbench.reload();
      });

      it('everything of ours is in it', async () => {
        const installs = await workbench.view(expected.installs);
        const welcome = await installs.welcome(expected.welcome);
        assert.deepEqual(welcome.buttons, [expected.button]);

        const deployments = await workbench.view(expected.deployments);
        await deployments.row({ label: 'Billing sync', description: expected.failed });
        await deployments.row({ label: 'dep_77', description: expected.notFound });
        await deployments.row({ label: 'Lead intake', description: expected.satisfied });
        await deployments.waitForDescription(expected.counts);
        await workbench.statusBar.waitForText('summary', expected.status);
        await deployments.tooltip('Billing sync', expected.hover);

        await deployments.expand('Billing sync');
        await deployments.expand({ label: 'notifier', level: 2 });
        await deployments.row({ level: 3, description: new RegExp(`^${expected.bound}`) });
        await workbench.screenshot(`language-${expected.locale}`);
        await deployments.collapse('Billing sync');

        await workbench.commands.run(expected.command);
        await workbench.quickInput.waitFor(expected.question);
        await workbench.quickInput.cancel();
      });

      it('so are the walkthrough and its pictures', async () => {
        const manifest: Record<string, string> = JSON.parse(
          await readFile(`package.nls.${expected.locale}.json`, 'utf8'),
        );
        const walkthrough = new Walkthrough(workbench);
        await walkthrough.open(manifest['walkthrough.title']!);
        for (const [index, step] of walkthroughSteps.entries()) {
          await walkthrough.expand(manifest[`walkthrough.${step}.title`]!);
          const texts = textsOf(await readFile(`media/walkthrough/${step}.${expected.locale}.svg`, 'utf8'));
          await until(
            `the picture of ${step}`,
            async () => (await shownPictures(workbench)).some((shown) => isDeepStrictEqual(shown, texts)),
            { seen: () => shownPictures(workbench) },
          );
          await workbench.screenshot(`walkthrough-${expected.locale}-${index}`);
        }
        await workbench.editor.close();
      });
    });
  }
});
