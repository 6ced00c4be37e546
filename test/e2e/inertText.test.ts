import { strict as assert } from 'node:assert';
import { livelyAuthorization, livelyTexts } from '../support/platform/lively.js';
import type { Platform } from '../support/platform/platform.js';
import { test } from '../support/workbench/fixtures.js';
import type { TreeView } from '../support/workbench/treeView.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { run } from './actions.js';

/** Every text that would like to be a link, an icon, an image, or a command, in one. */
const hostileText = livelyTexts.slice(0, -1).join(' ');
const deployment = { id: 'dep_lively', label: `Lively ${livelyTexts.slice(0, 6).join(' ')}` };

test.describe('hostile text of the platform and of settings', () => {
  let platform: Platform;
  let workbench: Workbench;
  let view: TreeView;

  test.beforeAll(async ({ begin }) => {
    ({ platform, workbench } = await begin({
      data: { deployments: new Map([[deployment.id, livelyAuthorization(hostileText)]]) },
      list: [deployment],
      workspaceSettings: { 'automationPlatform.notifications.newProblems': true },
    }));
    view = await workbench.view('Deployments');
    await view.row({ label: /^Lively/, description: / failed/ });
  });
  test.afterAll(() => workbench?.close());

  test('stays text in a row', async () => {
    await expectOnlyText(workbench, '.pane-body .monaco-list-row .monaco-icon-label');
  });

  test('stays text in a hover', async () => {
    await view.tooltip(/^Lively/, /failed/);
    await expectOnlyText(workbench, '.monaco-hover');
    await workbench.hovers.leave();
  });

  test('stays text in a notification', async () => {
    platform.putDeployment(deployment.id, livelyAuthorization(`new ${hostileText}`));
    await run(workbench, 'Refresh');
    await workbench.notifications.waitFor(/ failed in Lively .* more problems?\.$/);
    await expectOnlyText(workbench, '.notification-list-item-message');
  });
});

/** Expects the text there, with no link, icon, element, or invisible character that would come from it. */
async function expectOnlyText({ page }: Workbench, selector: string): Promise<void> {
  const found = await page.evaluate((wanted) => {
    const roots = [...document.querySelectorAll<HTMLElement>(wanted)].filter(
      (root) => root.getClientRects().length > 0,
    );
    const inside = (kind: string) =>
      roots.flatMap((root) => [...root.querySelectorAll<HTMLElement>(kind)]);
    const foreign =
      'img, video, audio, object, embed, iframe, [onerror], [onclick], input[type=password], script, h1, h2, blockquote';
    return {
      text: roots.map((root) => root.innerText).join(' '),
      links: inside('a').map((link) => link.dataset['href'] || link.getAttribute('href') || ''),
      icons: inside('.codicon').flatMap((icon) => [...icon.classList]),
      foreignElements: inside(foreign).map((element) => element.outerHTML),
    };
  }, selector);
  assert.match(found.text, /phish|workbench\.action/);
  assert.doesNotMatch(found.text, /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069\u2028\u2029]/u);
  const foreignLinks = found.links.filter(
    (href) => !/^(command:automationPlatform\.|#|$)/.test(href),
  );
  assert.deepEqual(foreignLinks, []);
  const foreignIcons = found.icons.filter((name) => /trash|zap|^codicon-modifier-spin$/.test(name));
  assert.deepEqual(foreignIcons, []);
  assert.deepEqual(found.foreignElements, []);
}
