import { strict as assert } from 'node:assert';
import { clientOnDemand } from '../../../src/api/clientOnDemand.js';
import { DEFAULT_TOKEN } from '../../support/service/data.js';
import { deploymentId, failureOf, type Harness, newCall, startHarness } from './harness.js';

describe('the client on demand', () => {
  let harness: Harness;
  let loads: number;
  const create = () =>
    clientOnDemand(async () => {
      loads++;
      return harness.client;
    });
  const target = () => ({ organizationId: 'org_1', baseUrl: harness.service.baseUrl, token: DEFAULT_TOKEN });

  beforeEach(async () => {
    harness = await startHarness();
    loads = 0;
  });
  afterEach(() => harness.stop());

  it('is loaded with the first request, once', async () => {
    const client = create();
    client.limitsChanged();
    client.forgetRoutes();
    assert.equal(client.pausedUntil('org_1'), undefined);
    assert.equal(loads, 0);
    const answers = await Promise.all([
      client.getDeploymentAuthorization(target(), deploymentId, newCall()),
      client.getDeploymentAuthorization(target(), deploymentId, newCall()),
    ]);
    assert.equal(answers.length, 2);
    assert.equal(loads, 1);
    await client.close();
  });

  it('never loads one to close it', async () => {
    await create().close();
    assert.equal(loads, 0);
  });

  it('sends nothing if it was closed while it was loaded, or the call was cancelled', async () => {
    const cancelled = newCall();
    const client = create();
    const first = client.getDeploymentAuthorization(target(), deploymentId, cancelled);
    cancelled.cancel();
    assert.equal((await failureOf(first)).kind, 'cancelled');
    const closed = create();
    const second = closed.getDeploymentAuthorization(target(), deploymentId, newCall());
    await closed.close();
    assert.equal((await failureOf(second)).kind, 'cancelled');
    assert.equal(harness.service.requests.length, 0);
  });
});
