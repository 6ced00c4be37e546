import { strict as assert } from 'node:assert';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { account, authorization, connection, requirement, unsatisfied } from '../support/service/data.js';
import { type Fault, faults } from '../support/service/faults.js';
import { type Service, startService } from '../support/service/service.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import type { TreeView } from '../support/workbench/treeView.js';
import { until } from '../support/workbench/until.js';
import { Walkthrough } from '../support/workbench/walkthrough.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { environmentOf, run } from './actions.js';

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
  /** Among what the rows say. */
  readonly rows: readonly string[];
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
    counts: '3 fehlerhaft und 10 unbekannt · environment',
    status: '3 Deployments fehlerhaft',
    rows: ['Finance Sl…Berlin fi fehlerhaft', 'Nicht gefunden', 'channels:read erteilen'],
    hover:
      /Fehlerhaft: 1 Konto fehlerhaft und 1 von 1 nicht erfüllt[^]*Organisation: environment \(aus Umgebungsvariablen\)/,
    question: /^Deployment-ID oder mehrere, [^]*Wird in „\.vscode\/settings\.json“ gespeichert\./,
  },
  {
    locale: 'ja',
    deployments: 'デプロイ',
    installs: '保留中のインストール',
    command: 'Automation Platform: デプロイの追加…',
    welcome: /^インストール リンクを開く前に、/,
    button: 'インストールの照会',
    counts: '3 件でエラー、10 件は不明 · environment',
    status: '3 件のデプロイでエラー',
    rows: ['Finance Sl…Berlin fi でエラー', '見つかりません', 'channels:read を付与'],
    hover: /エラー: エラーのアカウント 1 件、1 件中 1 件が未充足[^]*組織: environment \(環境変数から\)/,
    question: /^デプロイの ID です。[^]*\.vscode\/settings\.json に保存されます。/,
  },
  {
    locale: 'zh-cn',
    deployments: '部署',
    installs: '待完成的安装',
    command: 'Automation Platform: 添加部署…',
    welcome: /^请在打开安装链接之前查询：/,
    button: '查询安装',
    counts: '3 个出错、10 个未知 · environment',
    status: '3 个部署出错',
    rows: ['Finance Sl…Berlin fi 出错', '未找到', '授予 channels:read'],
    hover: /出错：1 个帐户出错、1\/1 项未满足[^]*组织：environment（来自环境变量）/,
    question: /^部署 ID，[^]*将保存到“\.vscode\/settings\.json”。/,
  },
];

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
const one = lacking('Reader', 'channels:read');
const url = lacking('Sheets', drive);
const several = lacking('Writer', 'channels:read', 'chat:write', drive);
const broken = account({ id: 'acc_broken', label: long('Finance Slack'), error: { code: 'token_revoked' } });

const answers: Readonly<Record<string, unknown>> = {
  a_failed: authorization(
    [broken],
    [requirement({ accountId: 'acc_broken', binding: long('Notifier'), satisfied: false, connections: [] })],
  ),
  b_missing: authorization(
    [one, url, several].map((lack) => lack.account),
    [one, url, several].map((lack) => lack.requirement),
  ),
  c_other: unsatisfied(),
  d_unknown: authorization([account()], [requirement({ satisfied: undefined })]),
};
const failures: Readonly<Record<string, Fault>> = {
  e_gone: faults.status(404),
  f_denied: faults.status(403),
  g_rejected: faults.status(401),
  h_refused: faults.status(418),
  i_broken: faults.status(500),
  j_elsewhere: faults.redirect('https://login.example/'),
  k_page: faults.html(200),
  l_dropped: faults.reset(),
  m_slow: faults.silent(),
};
const ids = [...Object.keys(answers), ...Object.keys(failures)];

interface Measured {
  /** The codicon's name, without `codicon-`. */
  readonly icon: string;
  readonly label: string;
  readonly description: string;
  /** How many characters of each stand inside the row's box, before an ellipsis. */
  readonly labelShown: number;
  readonly descriptionShown: number;
}

/** What of each row's texts is inside of its box. */
function measure(workbench: Workbench): Promise<Measured[]> {
  return workbench.page.evaluate(`(() => {
    const rows = [...document.querySelectorAll('.pane-body .monaco-list-row')];
    rows.sort((a, b) => a.dataset.index - b.dataset.index);
    return rows.map((row) => {
      const box = row.querySelector('.monaco-icon-label-container');
      const texts = ['.label-name', '.label-description'].map((one) => row.querySelector('.monaco-icon-label ' + one));
      const range = document.createRange();
      // VS Code puts an ellipsis over the end of what does not fit.
      const end = box.getBoundingClientRect().right - (box.scrollWidth > box.clientWidth ? 10 : 0);
      const shown = (element) => {
        const node = element && document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
        if (!node) return 0;
        let count = 0;
        for (; count < node.length; count++) {
          range.setStart(node, count);
          range.setEnd(node, count + 1);
          if (range.getBoundingClientRect().right > end + 0.5) break;
        }
        return count;
      };
      const text = (element) => (element ? element.textContent : '');
      const icon = /codicon-(?!modifier|colored)([\\w-]+)/.exec(row.querySelector('.custom-view-tree-node-item-icon').className);
      return {
        icon: icon ? icon[1] : '',
        label: text(texts[0]),
        description: text(texts[1]),
        labelShown: shown(texts[0]),
        descriptionShown: shown(texts[1]),
      };
    });
  })()`);
}

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

describe('in a side bar of 300 pixels, in every language', () => {
  let service: Service;
  let workbench: Workbench;
  let view: TreeView;

  before(async () => {
    service = await startService();
    for (const [id, answer] of Object.entries(answers)) service.putDeployment(id, answer);
    for (const [id, fault] of Object.entries(failures)) service.fault({ id }, fault);
    workbench = await openWorkbench({
      ownServer: true,
      env: environmentOf(service),
      userSettings: { 'automationPlatform.requestTimeout': 2 },
      workspaceSettings: {
        'automationPlatform.deployments': ids.map((id) => ({ id, label: long(id) })),
      },
      viewport: { width: 1600, height: 1600 },
    });
  });
  after(async () => {
    await workbench?.close();
    await service?.stop();
  });

  /** Everything that is wrong, opened down to the scopes. */
  async function open(name = 'Deployments'): Promise<void> {
    view = await workbench.view(name);
    await view.waitForRows('all read', (rows) => {
      return rows.length >= ids.length && !rows.some(({ icon }) => icon === 'sync' || icon === 'watch');
    });
    for (const [first, below] of [
      ['a_', ['Notifier', 'Finance']],
      ['b_', ['Reader', 'Sheets', 'Writer']],
      ['e_', []],
    ] as const) {
      await view.expand({ label: new RegExp(`^${first}`), level: 1 });
      for (const label of below) await view.expand({ label: new RegExp(`^${label.slice(0, 3)}`), level: 2 });
    }
    for (const under of [/^Rea/, /^She/, /^Wri/]) await view.expand({ label: 'slack-oauth', under });
    await view.row({ label: 'chat:write', under: 'slack-oauth' });
  }

  /** What says what is wrong, or what to do: a step's and a failure's label, else what the description begins with. */
  async function said(mostRows?: number): Promise<string[]> {
    return (await measure(workbench)).slice(0, mostRows).flatMap((row) => {
      const { icon } = row;
      const isLabel = /^(lightbulb|circle-slash|debug-pause)$/.test(icon);
      if (!isLabel && !/^(error|warning|question|close)$/.test(icon)) return [];
      const [beginning = ''] = row.description.split(' · ');
      const [text, shown] = isLabel ? [row.label, row.labelShown] : [beginning, row.descriptionShown];
      // The names of scopes and accounts may be longer than any room.
      assert.ok(shown >= Math.min(text.length, 20), `${JSON.stringify(row)} is cut off`);
      return [text];
    });
  }

  it('every row says inside its box what is wrong or what to do', async () => {
    await open();
    assert.deepEqual(await said(), [
      'Finance Sl…Berlin fi failed',
      'Finance Sl…Berlin fi failed',
      'Reconnect Finance Sl…Berlin fi',
      'failed: token_revoked',
      'not among the accounts',
      'token_revoked',
      'Reconnect Finance Sl…Berlin fi',
      '3 of 3 not satisfied',
      'missing channels:read',
      'Grant channels:read',
      'missing',
      'missing …/spreadsheets.readonly',
      'Grant …/spreadsheets.readonly',
      'missing',
      'missing channels:read +2',
      'Grant channels:read +2',
      'missing',
      'missing',
      'missing',
      '1 of 1 not satisfied',
      '1 unknown',
      'Not found',
      'Not found',
      'Access denied',
      'Token rejected',
      'Request refused',
      'Server error',
      'Redirected',
      'Invalid response',
      'Connection lost',
      'Timed out',
    ]);
    await workbench.screenshot('narrow-en');
  });

  it('so does the first row of all', async () => {
    service.clearFaults();
    service.fault('all', faults.retryAfter(60));
    await run(workbench, 'Refresh');
    await view.row({ level: 1, label: /^Rate limited until \d\d:\d\d [AP]M/ });
    assert.equal((await said(1)).length, 1);
    await workbench.screenshot('narrow-paused');
  });

  for (const expected of expectations) {
    const { locale } = expected;
    it(`so does every row in ${locale}, and everything else of ours is in it${locale === 'de' ? '' : ' @all'}`, async () => {
      service.clearFaults();
      for (const [id, fault] of Object.entries(failures)) service.fault({ id }, fault);
      await chooseLanguage(workbench, locale);
      await open(expected.deployments);
      await workbench.screenshot(`narrow-${locale}`);
      const rows = await said();
      assert.equal(rows.length, 31);
      for (const row of expected.rows) assert.ok(rows.includes(row), `${row} in ${rows.join()}`);
      await view.waitForDescription(expected.counts);
      await workbench.statusBar.waitForText('summary', expected.status);
      await view.tooltip(/^a_/, expected.hover);
      const welcome = await (await workbench.view(expected.installs)).welcome(expected.welcome);
      assert.deepEqual(welcome.buttons, [expected.button]);
      await workbench.commands.run(expected.command);
      await workbench.quickInput.waitFor(expected.question);
      await workbench.quickInput.cancel();

      const manifest: Record<string, string> = JSON.parse(await readFile(`package.nls.${locale}.json`, 'utf8'));
      const walkthrough = new Walkthrough(workbench.page);
      await walkthrough.open(manifest['walkthrough.title']!);
      await walkthrough.expand(manifest['walkthrough.sign-in.title']!);
      const texts = textsOf(await readFile(`media/walkthrough/sign-in.${locale}.svg`, 'utf8'));
      await until('the picture of the step', async () => {
        const frames = workbench.page.frames().map((frame) => frame.locator('svg text').allTextContents());
        return (await Promise.all(frames)).some((shown) => isDeepStrictEqual(shown, texts));
      });
      await workbench.screenshot(`walkthrough-${locale}`);
      await workbench.editor.close();
    });
  }
});
