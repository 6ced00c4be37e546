import { strict as assert } from 'node:assert';
import { Backlog } from '../../../src/api/backlog.js';
import { healthy } from '../../support/service/data.js';
import { deploymentId, directConnector, type Harness, newCall, startHarness } from './harness.js';

describe('answers that wait to be read', () => {
  /** Each work takes 2 ms of this clock. */
  let clock = 0;
  let done: string[];
  beforeEach(() => {
    clock = 0;
    done = [];
  });

  const work = (name: string) => () => {
    clock += 2;
    done.push(name);
    return name;
  };

  it('are read in the order in which they came, not at once, and in turns with everybody else', async () => {
    const backlog = new Backlog(5, () => clock);
    const all = ['1', '2', '3', '4', '5', '6', '7'].map((name) => backlog.do(work(name)));
    assert.deepEqual(done, []);
    const between = (): void => {
      done.push('other');
      if (done.length < 11) setImmediate(between);
    };
    setImmediate(between);
    assert.deepEqual(await Promise.all(all), ['1', '2', '3', '4', '5', '6', '7']);
    assert.deepEqual(done.slice(0, 9), ['1', '2', '3', 'other', '4', '5', '6', 'other', '7']);
  });

  it('are read one per turn if each takes longer than that', async () => {
    const backlog = new Backlog(1, () => clock);
    const first = backlog.do(work('1'));
    setImmediate(() => done.push('other'));
    const second = backlog.do(work('2'));
    await Promise.all([first, second]);
    assert.deepEqual(done, ['1', 'other', '2']);
  });

  it('hold up no other when one of them fails', async () => {
    const backlog = new Backlog(5, () => clock);
    const fails = backlog.do(() => {
      throw new Error('unreadable');
    });
    const next = backlog.do(work('next'));
    await assert.rejects(fails, /unreadable/);
    assert.equal(await next, 'next');
    assert.equal(await backlog.do(work('later')), 'later');
  });

  describe('of the service', () => {
    let harness: Harness;
    const order: string[] = [];
    before(async () => {
      const connector = directConnector();
      harness = await startHarness({
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
});
