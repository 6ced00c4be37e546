import { strict as assert } from 'node:assert';
import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { sampleData } from '../support/service/sample.js';
import { type Service, startService } from '../support/service/service.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import { until } from '../support/workbench/until.js';
import { Walkthrough } from '../support/workbench/walkthrough.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { chooseLanguage, environmentOf } from './actions.js';

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
  readonly failed: string;
  readonly notFound: string;
  readonly satisfied: string;
  readonly step: string;
  readonly hover: RegExp;
  readonly question: RegExp;
}

const expectations: readonly Expectation[] = [
  {
    locale: 'de',
    deployments: 'Deployments',
    installs: 'Ausstehende Installationen',
    command: 'Automation Platform: Deployment hinzufügen…',
    welcome: /^Schlagen Sie einen Installationslink nach, bevor Sie ihn öffnen:/,
    button: 'Installation nachschlagen',
    counts: '1 fehlerhaft und 1 unbekannt · environment',
    status: '1 Deployment fehlerhaft',
    failed: 'Finance Slack fehlerhaft',
    notFound: 'Nicht gefunden',
    satisfied: '4 von 4 erfüllt',
    step: 'channels:read erteilen',
    hover:
      /Fehlerhaft: 1 Konto fehlerhaft und 1 von 3 nicht erfüllt[^]*Organisation: environment \(aus Umgebungsvariablen\)/,
    question: /^Deployment-ID oder mehrere, [^]*Wird in „\.vscode\/settings\.json“ gespeichert\./,
  },
  {
    locale: 'ja',
    deployments: 'デプロイ',
    installs: '保留中のインストール',
    command: 'Automation Platform: デプロイの追加…',
    welcome: /^インストール リンクを開く前に、/,
    button: 'インストールの照会',
    counts: '1 件でエラー、1 件は不明 · environment',
    status: '1 件のデプロイでエラー',
    failed: 'Finance Slack でエラー',
    notFound: '見つかりません',
    satisfied: '4 件中 4 件が充足',
    step: 'channels:read を付与',
    hover: /エラー: エラーのアカウント 1 件、3 件中 1 件が未充足[^]*組織: environment \(環境変数から\)/,
    question: /^デプロイの ID です。[^]*\.vscode\/settings\.json に保存されます。/,
  },
  {
    locale: 'zh-cn',
    deployments: '部署',
    installs: '待完成的安装',
    command: 'Automation Platform: 添加部署…',
    welcome: /^请在打开安装链接之前查询：/,
    button: '查询安装',
    counts: '1 个出错、1 个未知 · environment',
    status: '1 个部署出错',
    failed: 'Finance Slack 出错',
    notFound: '未找到',
    satisfied: '4/4 项已满足',
    step: '授予 channels:read',
    hover: /出错：1 个帐户出错、1\/3 项未满足[^]*组织：environment（来自环境变量）/,
    question: /^部署 ID，[^]*将保存到“\.vscode\/settings\.json”。/,
  },
];

const walkthroughSteps = ['sign-in', 'add-deployment', 'tree', 'editor', 'keyboard'];

/** The texts of a picture, in their order. */
const textsOf = (svg: string) =>
  [...svg.matchAll(/<text[^>]*>([^]*?)<\/text>/g)].map(([, content]) => content!.replace(/<[^>]*>/g, ''));

/** What each web view says inside pictures: the one of the walkthrough has a single picture. */
const shownPictures = ({ page }: Workbench): Promise<string[][]> =>
  Promise.all(page.frames().map((frame) => frame.locator('svg text').allTextContents()));

describe('the display language', () => {
  let service: Service;
  let workbench: Workbench;

  before(async () => {
    service = await startService({ data: sampleData() });
    workbench = await openWorkbench({
      ownServer: true,
      env: environmentOf(service),
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
    describe(expected.locale + (expected.locale === 'de' ? '' : ' @all'), () => {
      before(() => chooseLanguage(workbench, expected.locale));

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
        await deployments.row({ level: 3, label: expected.step });
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
