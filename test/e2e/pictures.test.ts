import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../support/paths.js';
import { sampleDeployments } from '../support/service/sample.js';
import type { TreeView } from '../support/workbench/treeView.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { begin, signIn } from './actions.js';

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
  'workbench.layoutControl.enabled': false,
  'editor.minimap.enabled': false,
  'editor.cursorBlinking': 'solid',
};

// Only on demand (`npm run pictures`): they prove nothing by themselves, somebody has to look at them.
if (process.env['AUTOMATION_PLATFORM_PICTURES']) {
  describe('pictures', () => {
    let workbench: Workbench;
    afterEach(() => workbench?.close());

    /** A window on the sample without its hostile texts, with a side bar of 360 pixels. */
    async function open(): Promise<TreeView> {
      const begun = await begin({
        env: { TZ: 'UTC' },
        list: sampleDeployments.filter((entry) => typeof entry === 'string' || entry.id !== 'dep_partner_feed'),
        userSettings: quiet,
        files,
        theme: 'dark',
        viewport: { width: 1280, height: 560 },
      });
      ({ workbench } = begun);
      const view = await workbench.view('Deployments');
      await signIn(workbench, begun.service, 'Acme production');
      await view.waitForDescription(/^5 failing/);
      await widen();
      return view;
    }

    /** Drags the border of the side bar, which VS Code opens with 300 pixels. */
    async function widen(): Promise<void> {
      const { page } = workbench;
      const { x, width } = (await page.locator('.part.sidebar').boundingBox())!;
      await page.mouse.move(x + width, 400);
      await page.waitForTimeout(500);
      await page.mouse.down();
      await page.mouse.move(x + 360, 400, { steps: 4 });
      await page.mouse.up();
    }

    /** Writes a picture that looks otherwise than the one that is there. */
    async function take(name: string): Promise<void> {
      const path = join(projectRoot, 'media', 'readme', `${name}.png`);
      const style = '.monaco-scrollable-element > .scrollbar { visibility: hidden !important; }';
      const taken = await workbench.page.screenshot({ animations: 'disabled', style });
      if (!existsSync(path) || !(await looksTheSame(workbench, taken, await readFile(path))))
        await writeFile(path, taken);
    }

    it('of the view', async () => {
      const view = await open();
      await view.expand('Billing sync');
      await view.expand({ label: 'notifier', under: 'Billing sync' });
      await view.expand({ label: 'slack-oauth', under: 'notifier' });
      await workbench.editor.open('deploy.yaml');
      await workbench.problems.waitForRows('those of the file', (rows) => rows.length > 1);
      await workbench.problems.close();
      await workbench.hovers.leave();
      await take('deployments-dark');
    });

    it('of an editor', async () => {
      await open();
      await workbench.editor.open('deploy.yaml');
      await workbench.editor.hover('dep_billing_sync', /Copy Request/);
      // At any time of any day the picture is the same.
      await workbench.page.evaluate(`{
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          node.data = node.data
            .replace(/[A-Z][a-z]{2} \\d+, \\d{4}, \\d+:\\d\\d:\\d\\d [AP]M/, 'Nov 22, 2026, 6:07:09 AM')
            .replace(/(?<!:)\\b\\d\\d:\\d\\d [AP]M/, '09:07 AM');
        }
      }`);
      await take('main-job-1-file');
    });
  });
}

/** No pixel differs more than edges do, which Chromium smooths a little differently each time. */
async function looksTheSame({ page }: Workbench, ...pictures: readonly Buffer[]): Promise<boolean> {
  return page.evaluate(`(async () => {
    const [one, other] = await Promise.all(${JSON.stringify(pictures.map((picture) => picture.toString('base64')))}.map(async (text) => {
      const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes]));
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
      context.drawImage(bitmap, 0, 0);
      return context.getImageData(0, 0, bitmap.width, bitmap.height);
    }));
    const near = (value, at) => Math.abs(value - other.data[at]) <= 32;
    return one.width === other.width && one.height === other.height && one.data.every(near);
  })()`);
}
