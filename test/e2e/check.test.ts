import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Platform } from '../support/platform/platform.js';
import { sampleDeployments } from '../support/platform/sample.js';
import { expect, listSetting, test } from '../support/workbench/fixtures.js';
import { run } from './actions.js';

test('Add CI Check saves a program that has the verdict of the view', { tag: '@rest' }, async ({
  begin,
}) => {
  const files = { '.gitlab-ci.yml': '' };
  const { platform, workbench } = await begin({ list: sampleDeployments, files });
  await run(workbench, 'Add CI Check...');
  await workbench.quickInput.waitFor('Which CI runs the check?');
  await expect(workbench.quickInput.highlighted).toContainText('GitLab');
  await expect(workbench.quickInput.highlighted).toContainText('.gitlab-ci.yml');
  await workbench.quickInput.accept();
  await workbench.quickInput.waitFor('Folder for automation-platform-check.mjs');
  await expect(workbench.quickInput.row('.vscode')).toBeVisible();
  await workbench.quickInput.accept();
  await workbench.notifications.waitFor(
    'Saved automation-platform-check.mjs. The configuration for GitLab is open in an editor: add it to .gitlab-ci.yml. A line for AGENTS.md is open beside it.',
  );
  const configuration = workbench.page.locator('.monaco-editor .view-lines').first();
  await expect(configuration).toContainText('node ./automation-platform-check.mjs');
  const folder = join(workbench.dataFolder, 'workspace');
  const size = async () => (await stat(join(folder, 'automation-platform-check.mjs'))).size;
  await expect.poll(size).toBeGreaterThan(50_000);

  const { code, stdout } = await check(folder, platform);
  assert.equal(code, 1);
  assert.match(
    stdout,
    /^\.vscode\/settings\.json:\d+:5: Billing sync: Finance Slack failed \(token_revoked\)\. Reconnect Finance Slack \(slack\) with the scope channels:read\.$/m,
  );
  assert.match(stdout, /\b6 failing, /);
  await workbench.close();
});

test('Add CI Check first asks for the folder of a repository when none is open', {
  tag: '@rest',
}, async ({ begin }) => {
  const userSettings = { [listSetting]: sampleDeployments };
  const { workbench } = await begin({ empty: true, userSettings });
  const question =
    /^CI reads the list from a repository\. Open its folder first\.\n\d+ deployments are listed only in/;
  await run(workbench, 'Add CI Check...');
  await workbench.dialog.waitFor(question);
  await workbench.dialog.press('Open Folder...');
  await workbench.quickInput.waitFor('Open Folder');
  await workbench.quickInput.cancel();
  await run(workbench, 'Add CI Check...');
  await workbench.dialog.waitFor(question);
  await workbench.dialog.press('Save Anyway...');
  await workbench.quickInput.choose('Jenkins');
  await workbench.quickInput.waitFor('Folder for automation-platform-check.mjs');
  await workbench.close();
});

/** As a CI job runs it, with the two variables and the list of the workspace. */
function check(
  cwd: string,
  { baseUrl, token }: Platform,
): Promise<{ readonly code: unknown; readonly stdout: string }> {
  const env = {
    ...process.env,
    AUTOMATION_PLATFORM_BASE_URL: baseUrl,
    AUTOMATION_PLATFORM_TOKEN: token,
  };
  return new Promise((resolve) => {
    execFile(process.execPath, ['automation-platform-check.mjs'], { cwd, env }, (error, stdout) =>
      resolve({ code: error ? error.code : 0, stdout }),
    );
  });
}
