import { strict as assert } from 'node:assert';
import { type ServiceChild, spawnService } from '../support/service/child.js';
import { livelyAuthorization, livelyTexts } from '../support/service/lively.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import type { TreeView } from '../support/workbench/treeView.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { run } from './actions.js';

const partner = { id: 'dep_partner_feed', label: 'Partner feed' };
/** What the sample leaves out, all in one. */
const lively = { id: 'dep_lively', label: `Lively ${livelyTexts.slice(0, 6).join(' ')}` };
const all = livelyTexts.slice(0, -1).join(' ');

interface Alive {
  /** How many elements were looked at. */
  readonly found: number;
  readonly links: readonly string[];
  readonly icons: readonly string[];
  readonly images: number;
  readonly others: number;
  readonly hidden: readonly string[];
}

/** What has come alive in an element: links, icons, images and other elements that nobody of ours makes, unseen characters. */
async function aliveIn(workbench: Workbench, selector: string): Promise<Alive> {
  return workbench.page.evaluate(
    `((selector) => {
      const roots = [...document.querySelectorAll(selector)].filter((root) => root.getClientRects().length > 0);
      const all = (what) => roots.flatMap((root) => [...root.querySelectorAll(what)]);
      return {
        found: roots.length,
        links: all('a').map((link) => link.dataset.href || link.getAttribute('href') || ''),
        icons: all('.codicon').flatMap((icon) => [...icon.classList].filter((name) => name.startsWith('codicon-'))),
        images: all('img, video, audio, object, embed, iframe').length,
        others: all('[onerror], [onclick], input[type=password], script, h1, h2, blockquote').length,
        hidden: roots.flatMap((root) => root.innerText.match(/[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069\\u2028\\u2029]/g) || []),
      };
    })(${JSON.stringify(selector)})`,
  );
}

/** Nothing but our own commands, and our own icons. */
function assertInert(surface: string, { found, links, icons, images, others, hidden }: Alive): void {
  assert.ok(found > 0, `${surface} is not on the screen`);
  assert.deepEqual(
    links.filter((link) => !link.startsWith('command:automationPlatform.') && !/^$|^#/.test(link)),
    [],
    surface,
  );
  assert.deepEqual(
    icons.filter((icon) => /trash|zap|^codicon-modifier-spin$/.test(icon)),
    [],
    surface,
  );
  assert.deepEqual({ images, others, hidden }, { images: 0, others: 0, hidden: [] }, surface);
}

describe('text of the service and of settings', () => {
  let service: ServiceChild;
  let workbench: Workbench;
  let view: TreeView;

  before(async () => {
    service = await spawnService(['--sample']);
    await service.control.putDeployment(lively.id, livelyAuthorization(all));
    workbench = await openWorkbench({
      env: { AUTOMATION_PLATFORM_BASE_URL: service.baseUrl, AUTOMATION_PLATFORM_TOKEN: service.token },
      workspaceSettings: {
        'automationPlatform.deployments': [partner, lively],
        'automationPlatform.notifications.newProblems': true,
      },
      files: { 'feed.yaml': `deployment: ${partner.id}\nother: ${lively.id}\n` },
      viewport: { width: 1280, height: 1000 },
    });
    view = await workbench.view('Deployments');
    await view.row({ label: partner.label, description: /1 account failed/ });
    await view.row({ label: /^Lively/, description: /1 account failed/ });
  });
  after(async () => {
    await workbench?.close();
    await service?.stop();
  });

  it('is text in rows and their hovers', async () => {
    for (const label of [partner.label, /^Lively/]) {
      await view.expand(label);
      assertInert('rows', await aliveIn(workbench, '.pane-body .monaco-list-row .monaco-icon-label'));
      await view.tooltip(label, /failed/);
      assertInert('hover of a row', await aliveIn(workbench, '.monaco-hover'));
      const rows = (await view.rows()).filter(({ level }) => level === 2);
      assert.ok(rows.length > 1);
      for (const { label: below } of rows.slice(0, 3)) {
        await view.tooltip({ label: below, under: label }, /\S/);
        assertInert(`hover of ${below}`, await aliveIn(workbench, '.monaco-hover'));
      }
      await view.collapse(label);
    }
  });

  it('is text in an editor’s hover, and in the Problems panel', async () => {
    await workbench.editor.open('feed.yaml');
    for (const { id } of [partner, lively]) {
      await workbench.editor.hover(id, /failed/);
      assertInert(`hover of ${id}`, await aliveIn(workbench, '.monaco-hover'));
    }
    await workbench.problems.waitForRows('both', (rows) => rows.length >= 4);
    assertInert('problems', await aliveIn(workbench, '.markers-panel .monaco-list-row'));
    await workbench.problems.close();
  });

  it('is text in a quick pick', async () => {
    await run(workbench, 'Go to Deployment…');
    await workbench.quickInput.waitFor('Go to Deployment');
    assertInert('quick pick', await aliveIn(workbench, '.quick-input-list'));
    await workbench.quickInput.cancel();
  });

  it('is text in a prompt', async () => {
    await view.select(/^Lively/);
    await workbench.commands.run('Automation Platform: Set Deployment Label…');
    await workbench.quickInput.waitFor(/./);
    assertInert('prompt', await aliveIn(workbench, '.quick-input-widget'));
    await workbench.quickInput.cancel();
  });

  it('is text in the status bar’s hover', async () => {
    await workbench.statusBar.tooltip('summary', /with problems/);
    assertInert('status bar', await aliveIn(workbench, '.monaco-hover'));
    await workbench.hovers.leave();
  });

  it('is text in the notification about a new problem', async () => {
    await service.control.putDeployment(lively.id, livelyAuthorization(`new ${all}`));
    await run(workbench, 'Refresh');
    await workbench.notifications.waitFor(/^New problem in Lively/);
    assertInert('notification', await aliveIn(workbench, '.notification-list-item-message'));
    await workbench.notifications.clear();
  });

  it('is text in a dialog', async () => {
    await view.chooseFromMenu(/^Lively/, 'Remove Deployment from List…');
    await workbench.dialog.waitFor(/^Remove “Lively/);
    assertInert('dialog', await aliveIn(workbench, '.monaco-dialog-box .dialog-message-container'));
    await workbench.dialog.cancel();
  });
});
