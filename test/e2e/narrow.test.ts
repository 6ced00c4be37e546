import { strict as assert } from 'node:assert';

void assert;

import { account, authorization, connection, requirement, unsatisfied } from '../support/service/data.js';
import { type Fault, faults } from '../support/service/faults.js';
import { type Service, startService } from '../support/service/service.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import type { TreeView } from '../support/workbench/treeView.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { chooseLanguage, environmentOf, run } from './actions.js';

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

describe('in a side bar of 300 pixels', () => {
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
      userSettings: { 'automationPlatform.requestTimeout': 1 },
      workspaceSettings: {
        'automationPlatform.deployments': ids.map((id) => ({ id, label: long(id) })),
      },
      viewport: { width: 1280, height: 1600 },
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

  for (const [locale, name] of [
    ['de', 'Deployments'],
    ['ja', 'デプロイ'],
    ['zh-cn', '部署'],
  ] as const) {
    it(`so does every row in ${locale}`, async () => {
      service.clearFaults();
      for (const [id, fault] of Object.entries(failures)) service.fault({ id }, fault);
      await chooseLanguage(workbench, locale);
      await open(name);
      assert.equal((await said()).length, 31);
      await workbench.screenshot(`narrow-${locale}`);
    });
  }
});
