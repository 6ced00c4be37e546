import { strict as assert } from 'node:assert';
import { livelyAuthorization, livelyTexts } from '../support/platform/lively.js';
import type { Platform } from '../support/platform/platform.js';
import { sampleData } from '../support/platform/sample.js';
import { expect, test } from '../support/workbench/fixtures.js';
import type { TreeView } from '../support/workbench/treeView.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { run } from './actions.js';

const partner = { id: 'dep_partner_feed', label: 'Feed' };
/** What the sample leaves out, all in one. */
const lively = { id: 'dep_lively', label: `Lively ${livelyTexts.slice(0, 6).join(' ')}` };
const all = livelyTexts.slice(0, -1).join(' ');

/** Nothing but our own commands and icons: no link, icon, image or other element that nobody of ours makes, no unseen character. */
async function assertInert(workbench: Workbench, surface: string, selector: string): Promise<void> {
  const found = await workbench.page.evaluate((wanted) => {
    const roots = [...document.querySelectorAll<HTMLElement>(wanted)].filter(
      (root) => root.getClientRects().length > 0,
    );
    const inside = (what: string) =>
      roots.flatMap((root) => [...root.querySelectorAll<HTMLElement>(what)]);
    const foreign =
      'img, video, audio, object, embed, iframe, [onerror], [onclick], input[type=password], script, h1, h2, blockquote';
    return {
      texts: roots.map((root) => root.innerText),
      links: inside('a').map((link) => link.dataset['href'] || link.getAttribute('href') || ''),
      icons: inside('.codicon').flatMap((icon) => [...icon.classList]),
      others: inside(foreign).length,
    };
  }, selector);
  const text = found.texts.join(' ');
  assert.match(text, /phish|workbench\.action/, `${surface} does not show the text`);
  assert.doesNotMatch(text, /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069\u2028\u2029]/u, surface);
  const links = found.links.filter((link) => !/^(command:automationPlatform\.|#|$)/.test(link));
  const icons = found.icons.filter((icon) => /trash|zap|^codicon-modifier-spin$/.test(icon));
  assert.deepEqual([links, icons, found.others], [[], [], 0], surface);
}

test.describe('text of the platform and of settings', () => {
  let platform: Platform;
  let workbench: Workbench;
  let view: TreeView;

  test.beforeAll(async ({ begin }) => {
    const data = sampleData();
    data.deployments.set(lively.id, livelyAuthorization(all));
    ({ platform, workbench } = await begin({
      data,
      list: [partner, lively],
      workspaceSettings: { 'automationPlatform.notifications.newProblems': true },
      files: { 'feed.yaml': `deployment: ${partner.id}\nother: ${lively.id}\n` },
      viewport: { width: 1280, height: 1000 },
    }));
    view = await workbench.view('Deployments');
    await view.row({ label: partner.label, description: / failed/ });
    await view.row({ label: /^Liv/, description: / failed/ });
  });
  test.afterAll(() => workbench?.close());

  const isInert = (surface: string, selector: string) => assertInert(workbench, surface, selector);

  test('hostile text stays text in the view, its hovers and quick picks', async () => {
    for (const label of [partner.label, /^Liv/]) {
      await view.expand(label);
      // The failed account, below which its error stands in full.
      await view.expand({ label: /\S/, level: 2, under: label, spoken: /, account, failed/ });
      // A row counts as open before the rows below it have come.
      await view.waitForRows('the error of the account', (rows) =>
        rows.some(({ level }) => level === 3),
      );
      await isInert('rows', '.pane-body .monaco-list-row .monaco-icon-label');
      await view.tooltip(label, /failed/);
      await isInert('hover of a row', '.monaco-hover');
      await view.collapse(label);
    }
    await run(workbench, 'Go to Deployment...');
    await expect(workbench.quickInput.row(/^Lively/)).toBeVisible();
    await isInert('quick pick', '.quick-input-list');
    await workbench.quickInput.cancel();
  });

  test('hostile text stays text in editors, problems, status bar and notifications', async () => {
    await workbench.editor.open('feed.yaml');
    for (const { id } of [partner, lively]) {
      await workbench.editor.hover(id, /failed/);
      await isInert(`hover of ${id}`, '.monaco-hover');
    }
    await workbench.problems.waitForRows('both', (shown) => shown.length >= 4);
    await isInert('problems', '.markers-panel .monaco-list-row');
    await workbench.problems.close();
    await workbench.hovers.read(workbench.summary, /Lively/);
    await isInert('status bar', '.monaco-hover');
    await workbench.hovers.leave();
    platform.putDeployment(lively.id, livelyAuthorization(`new ${all}`));
    await run(workbench, 'Refresh');
    await workbench.notifications.waitFor(/ failed in Lively .* more problems?\.$/);
    await isInert('notification', '.notification-list-item-message');
  });
});
