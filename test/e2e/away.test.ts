import { failedAccount } from '../support/platform/data.js';
import { sampleDeployments } from '../support/platform/sample.js';
import { expect, test } from '../support/workbench/fixtures.js';
import { mendFinanceSlack, run } from './actions.js';

test('after a return the window says what came and what went, until it is seen', async ({
  begin,
}) => {
  const { platform, workbench } = await begin({
    list: sampleDeployments,
    // Any absence is long enough then.
    userSettings: { 'automationPlatform.refreshInterval': 0 },
  });
  const view = await workbench.view('Deployments');
  await expect(view.description).toHaveText('6 failing · environment');
  await workbench.setFocus(false);
  mendFinanceSlack(platform);
  platform.putDeployment('dep_fleet_alerts', failedAccount());
  await workbench.setFocus(true);
  const sentence = /^Failing deployments: 1 new, 4 fixed since \d?\d:\d\d\s[AP]M UTC$/;
  // It is there for a few seconds, of which the palette may take some to close.
  await Promise.all([
    expect(workbench.statusMessage).toHaveText(sentence),
    run(workbench, 'Refresh'),
  ]);
  await expect(view.description).toHaveText('3 failing · environment');
  await view.row({
    label: 'Fleet alerts',
    description: 'Ops Slack failed · new',
    spoken: /, new$/,
  });
  await view.select('Fleet alerts');
  await view.row({ label: 'Fleet alerts', description: 'Ops Slack failed' });
  await workbench.close();
});
