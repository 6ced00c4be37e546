// The pictures of the README: `npm run pictures` retakes those that look otherwise. They prove nothing, somebody has to look at them.
import { sampleDeployments } from '../support/platform/sample.js';
import { type Begin, expect, test } from '../support/workbench/fixtures.js';
import type { TreeView } from '../support/workbench/treeView.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { openToTheScopes, run, signIn } from './actions.js';

/** A file of the kind that people have: it names a deployment. */
const files = {
  'deploy.yaml': `# Nightly jobs of the finance team
automations:
  - name: billing-sync
    deployment: dep_billing_sync
    notify: acc_slack_finance

  - name: lead-intake
    deployment: dep_lead_intake
`,
};

const quiet = {
  'workbench.colorTheme': 'Dark 2026',
  'workbench.layoutControl.enabled': false,
  'editor.minimap.enabled': false,
  'editor.cursorBlinking': 'solid',
};

const groups: Readonly<Record<string, readonly string[]>> = {
  payments: ['dep_billing_sync', 'dep_refund_notices', 'dep_order_alerts', 'dep_invoice_ocr'],
  people: ['dep_shift_reminders', 'dep_payroll_export', 'dep_onboarding'],
  sales: ['dep_lead_intake', 'dep_support_triage'],
};

/** The sample without its hostile texts. */
const list = sampleDeployments.filter((entry) => idOf(entry) !== 'dep_partner_feed');

function idOf(entry: (typeof sampleDeployments)[number]): string {
  return typeof entry === 'string' ? entry : entry.id;
}

const listWithGroups = list.map((entry) => {
  const [group] = Object.keys(groups).filter((name) => groups[name]!.includes(idOf(entry)));
  const fields = typeof entry === 'string' ? { id: entry } : entry;
  return group === undefined ? entry : { ...fields, group };
});

test.describe('the picture', () => {
  let workbench: Workbench;
  test.afterEach(() => workbench?.close());

  /** A window on these deployments, with a side bar of 360 pixels. */
  async function open(begin: Begin, listed: readonly unknown[] = list): Promise<TreeView> {
    const begun = await begin({
      env: { TZ: 'UTC' },
      list: listed,
      userSettings: quiet,
      files,
      viewport: { width: 1280, height: 560 },
    });
    ({ workbench } = begun);
    const view = await workbench.view('Deployments');
    await signIn(workbench, begun.platform, 'Acme production');
    await expect(view.description).toHaveText(/^5 failing/);
    await workbench.setSidebarWidth(360);
    // It names the port of the local platform, which is another one each time.
    await expect(workbench.page.getByText(/did not reject the token/)).toBeHidden({
      timeout: 30_000,
    });
    return view;
  }

  async function take(name: string): Promise<void> {
    const style = '.monaco-scrollable-element > .scrollbar { visibility: hidden !important; }';
    const taken = await workbench.page.screenshot({ animations: 'disabled', style });
    // Chromium smooths edges a little differently each time.
    expect(taken).toMatchSnapshot(`${name}.png`, { threshold: 0.3 });
  }

  test('shows the view', async ({ begin }) => {
    const view = await open(begin);
    await openToTheScopes(view);
    await workbench.editor.open('deploy.yaml');
    await workbench.problems.waitForRows('those of the file', (rows) => rows.length > 1);
    await workbench.problems.close();
    await workbench.hovers.leave();
    await take('deployments-dark');
  });

  test('shows a hover in an editor', async ({ begin }) => {
    await open(begin);
    await workbench.editor.open('deploy.yaml');
    await workbench.editor.hover('dep_billing_sync', /Copy Request/);
    // At any time of any day the picture is the same.
    await workbench.page.evaluate(() => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        node.nodeValue = node
          .nodeValue!.replace(
            /[A-Z][a-z]{2} \d+, \d{4}, \d+:\d\d:\d\d [AP]M/,
            'Nov 22, 2026, 6:07:09 AM',
          )
          .replace(/(?<!:)\b\d\d:\d\d [AP]M/, '09:07 AM');
      }
    });
    await take('main-job-1-file');
  });

  test('shows groups', async ({ begin }) => {
    const view = await open(begin, listWithGroups);
    await view.chooseFromTitleMenu('Group by Group');
    await run(workbench, 'Choose My Groups...');
    await workbench.quickInput.choose('payments');
    await workbench.quickInput.choose('people');
    await workbench.quickInput.accept();
    await expect(view.description).toHaveText(/^payments \+1/);
    await view.expand('payments');
    await view.row({ label: 'Billing sync', under: 'payments' });
    await workbench.editor.open('deploy.yaml');
    await workbench.hovers.leave();
    await take('groups-dark');
  });
});
