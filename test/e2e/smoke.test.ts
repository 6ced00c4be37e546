import { strict as assert } from 'node:assert';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import type { Workbench } from '../support/workbench/workbench.js';

describe('the packaged extension', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await openWorkbench({ files: { 'notes.md': '# Notes\n' } });
  });
  after(() => workbench.close());

  it('adds its container and its views', async () => {
    assert.equal(await (await workbench.view('Deployments')).isVisible(), true);
    assert.equal(await (await workbench.view('Pending Installs')).isVisible(), true);
  });

  it('offers its commands', async () => {
    const offered = await workbench.commands.offered('Automation Platform:');
    assert.ok(offered.includes('Automation Platform: Sign In…'), offered.join('\n'));
  });
});
