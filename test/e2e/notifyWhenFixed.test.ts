import { sampleDeployments } from '../support/platform/sample.js';
import { expect, test } from '../support/workbench/fixtures.js';
import { mendFinanceSlack, run } from './actions.js';

test('a request ends with the notification that the account works again, also after a reload', async ({
  begin,
}) => {
  const { platform, workbench } = await begin({ list: sampleDeployments });
  let view = await workbench.view('Deployments');
  await expect(view.description).toHaveText(/^6 failing/);
  await view.chooseFromMenu('Billing sync', 'Copy Request');
  await workbench.notifications.press(/^Copied the request/, 'Notify When Fixed');
  await view.row({ label: 'Order alerts', description: /notifies when fixed$/ });
  await workbench.reload();
  view = await workbench.view('Deployments');
  await view.row({ label: 'Billing sync', description: /notifies when fixed$/ });
  mendFinanceSlack(platform);
  await run(workbench, 'Refresh');
  await workbench.notifications.waitFor(
    'Finance Slack works again. 4 deployments have no problem left.',
  );
  await workbench.close();
});
