import { strict as assert } from 'node:assert';
import { healthy } from '../../../support/service/data.js';
import { faults } from '../../../support/service/faults.js';
import { type Service, startService } from '../../../support/service/service.js';
import { deploymentId, editorWayTo, failureOf, Harness, used } from '../harness.js';

describe('a second server', () => {
  const harness = used(new Harness());
  let second: Service;
  before(async () => {
    second = await startService();
  });
  beforeEach(() => second.reset());
  after(() => second.stop());

  it('sees nothing of a redirect to it', async () => {
    for (const status of [301, 303, 307]) {
      harness.service.fault('all', faults.redirect(second.baseUrl, status));
      const redirected = { kind: 'redirected', status, host: new URL(second.baseUrl).host };
      assert.deepEqual(await failureOf(harness.read()), redirected);
      assert.deepEqual(await harness.revoke(), { kind: 'unknown', status, failure: redirected });
    }
    assert.deepEqual(second.requests, []);
  });

  it('sees nothing of what the service asks for in other headers', async () => {
    const { baseUrl } = second;
    const headers = { location: baseUrl, refresh: `0; url=${baseUrl}`, link: `<${baseUrl}>; rel=preload` };
    harness.service.fault('all', { ...faults.json(healthy()), headers });
    await harness.read();
    assert.deepEqual(second.requests, []);
  });

  it("sees nothing through the editor's fetch either", async () => {
    const routed = await new Harness({ editorFetch: editorWayTo(() => harness.service) }).start();
    const target = { ...routed.target, baseUrl: 'https://service.test.example/api/v1' };
    harness.service.fault('all', faults.redirect(second.baseUrl, 307));
    assert.equal((await failureOf(routed.read(undefined, target))).kind, 'redirected');
    assert.deepEqual(second.requests, []);
    await routed.stop();
  });

  it('sees its own token only, and the first one only the other', async () => {
    const { target, service } = harness;
    second.putDeployment(deploymentId, healthy());
    second.putToken('token-of-the-second');
    const other = { organizationId: 'org_2', baseUrl: second.baseUrl, token: 'token-of-the-second' };
    await Promise.all([target, other, target, other].map((one) => harness.read(undefined, one)));
    const tokens = [service, second].map(({ requests }) => requests.map(({ headers }) => headers.authorization));
    assert.deepEqual(tokens, [Array(2).fill(`Bearer ${target.token}`), Array(2).fill('Bearer token-of-the-second')]);
  });
});
