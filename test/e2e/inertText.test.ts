import { strict as assert } from 'node:assert';
import { livelyAuthorization, livelyTexts } from '../support/service/lively.js';
import { sampleData } from '../support/service/sample.js';
import { type Service, startService } from '../support/service/service.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import type { TreeView } from '../support/workbench/treeView.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { environmentOf, run } from './actions.js';

const partner = { id: 'dep_partner_feed', label: 'Feed' };
/** What the sample leaves out, all in one. */
const lively = { id: 'dep_lively', label: `Lively ${livelyTexts.slice(0, 6).join(' ')}` };
const all = livelyTexts.slice(0, -1).join(' ');

interface Alive {
  /** Was the hostile text itself in what was looked at? */
  readonly found: boolean;
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
        found: roots.some((root) => /phish|workbench\\.action/.test(root.innerText)),
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
  assert.ok(found, `${surface} does not show the text`);
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
  let service: Service;
  let workbench: Workbench;
  let view: TreeView;

  before(async () => {
    service = await startService({ data: sampleData() });
    service.putDeployment(lively.id, livelyAuthorization(all));
    workbench = await openWorkbench({
      env: environmentOf(service),
      workspaceSettings: {
        'automationPlatform.deployments': [partner, lively],
        'automationPlatform.notifications.newProblems': true,
      },
      files: { 'feed.yaml': `deployment: ${partner.id}\nother: ${lively.id}\n` },
      viewport: { width: 1280, height: 1000 },
    });
    view = await workbench.view('Deployments');
    await view.row({ label: partner.label, description: / failed/ });
    await view.row({ label: /^Liv/, description: / failed/ });
  });
  after(async () => {
    await workbench?.close();
    await service?.stop();
  });

  it('is text in the view, its hovers, questions and dialogs', async () => {
    for (const label of [partner.label, /^Liv/]) {
      await view.expand(label);
      // Rows where something is wrong cut their names; below the account its error stands in full.
      await view.expand({ label: /\S/, level: 2, under: label, description: /checked|^E/ });
      assertInert('rows', await aliveIn(workbench, '.pane-body .monaco-list-row .monaco-icon-label'));
      await view.tooltip(label, /failed/);
      assertInert('hover of a row', await aliveIn(workbench, '.monaco-hover'));
      await view.collapse(label);
    }
    await run(workbench, 'Go to Deployment…');
    await workbench.quickInput.waitForRow(/^Lively/);
    assertInert('quick pick', await aliveIn(workbench, '.quick-input-list'));
    await workbench.quickInput.cancel();
    await view.chooseFromMenu(/^Liv/, 'Remove Deployment from List…');
    await workbench.notifications.waitFor(/^Removed “Lively/);
    assertInert('notification', await aliveIn(workbench, '.notification-list-item-message'));
    await workbench.notifications.press(/^Removed “Lively/, 'Undo');
    await view.row({ label: /^Liv/, description: / failed/ });
  });

  it('is text in editors, problems, the status bar and notifications', async () => {
    await workbench.editor.open('feed.yaml');
    for (const { id } of [partner, lively]) {
      await workbench.editor.hover(id, /failed/);
      assertInert(`hover of ${id}`, await aliveIn(workbench, '.monaco-hover'));
    }
    const rows = await workbench.problems.waitForRows('both', (shown) => shown.length >= 4);
    assert.ok(rows.some((row) => row.includes('phish')));
    assertInert('problems', await aliveIn(workbench, '.markers-panel .monaco-list-row'));
    await workbench.problems.close();
    await workbench.statusBar.tooltip('summary', /Lively/);
    assertInert('status bar', await aliveIn(workbench, '.monaco-hover'));
    await workbench.hovers.leave();
    service.putDeployment(lively.id, livelyAuthorization(`new ${all}`));
    await run(workbench, 'Refresh');
    await workbench.notifications.waitFor(/^\d+ new problems\. Lively/);
    assertInert('notification', await aliveIn(workbench, '.notification-list-item-message'));
  });
});
