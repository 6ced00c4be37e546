import { strict as assert } from 'node:assert';
import { Slices } from '../../../src/model/slices.js';
import { healthy } from '../../support/service/data.js';
import { deploymentId, directConnector, type Harness, newCall, startHarness } from './harness.js';

describe('answers that wait to be read', () => {
  const answers = new Slices();
  let harness: Harness;
  const order: string[] = [];
  before(async () => {
    const connector = directConnector();
    harness = await startHarness({
      inTurn: (work) => answers.finish(work),
      connector: {
        viaEditor: () => false,
        exchange: (request, turn) => {
          order.push(`sent ${request.path.split('/').at(-2)}`);
          return connector.exchange(request, turn);
        },
        forget: () => connector.forget(),
        close: () => connector.close(),
      },
    });
    harness.service.putDeployment('dep_next', healthy());
    harness.limits.maxConcurrentRequests = 1;
  });
  after(() => harness.stop());

  it('have given their place to the next request before', async () => {
    await Promise.all(
      [deploymentId, 'dep_next'].map(async (id) => {
        await harness.client.getDeploymentAuthorization(harness.target, id, newCall());
        order.push(`read ${id}`);
      }),
    );
    assert.deepEqual(order, [`sent ${deploymentId}`, 'sent dep_next', `read ${deploymentId}`, 'read dep_next']);
    assert.equal(Math.max(...harness.service.requests.map(({ inFlight }) => inFlight)), 1);
  });
});
