import { strict as assert } from 'node:assert';
import { healthy } from '../../../support/service/data.js';
import { faults } from '../../../support/service/faults.js';
import { type Service, startService } from '../../../support/service/service.js';
import { deploymentId, failureOf, type Harness, newCall, startHarness } from '../harness.js';
import { startRoutedHarness } from '../routes/routedHarness.js';

function tokens({ requests }: Service): Set<string | undefined> {
  return new Set(requests.map(({ headers }) => headers.authorization));
}

describe('a second server', () => {
  let harness: Harness;
  let second: Service;
  before(async () => {
    harness = await startHarness();
    second = await startService();
  });
  beforeEach(() => {
    harness.service.reset();
    harness.service.putDeployment(deploymentId, healthy());
    second.reset();
  });
  after(async () => {
    await harness.stop();
    await second.stop();
  });

  for (const status of [300, 301, 302, 303, 305, 307, 308]) {
    it(`sees nothing of a ${status}`, async () => {
      const { client, target, service } = harness;
      service.fault('all', faults.redirect(`${second.baseUrl}/deployments/${deploymentId}/authorization`, status));
      const redirected = { kind: 'redirected', status, host: new URL(second.baseUrl).host };
      assert.deepEqual(await failureOf(client.getDeploymentAuthorization(target, deploymentId, newCall())), redirected);
      assert.deepEqual(await failureOf(client.getIntegrationInstall(target, 'install', newCall())), redirected);
      assert.deepEqual(await client.deleteApiKey(target, 'key_1', newCall()), {
        kind: 'unknown',
        status,
        failure: redirected,
      });
      assert.equal(service.requests.length, 3);
      assert.deepEqual(second.requests, []);
    });
  }

  it('sees nothing of what the service asks for in other headers', async () => {
    const { client, target, service } = harness;
    const elsewhere = second.baseUrl;
    const headers = {
      location: elsewhere,
      'content-location': elsewhere,
      refresh: `0; url=${elsewhere}`,
      link: `<${elsewhere}>; rel=preload`,
      'alt-svc': `h2="${new URL(elsewhere).host}"; ma=3600`,
    };
    service.fault('all', { ...faults.json(healthy()), headers });
    for (let at = 0; at < 3; at++) {
      await client.getDeploymentAuthorization(target, deploymentId, newCall());
    }
    assert.deepEqual(second.requests, []);
  });

  it("sees nothing through the editor's fetch either", async () => {
    const routed = await startRoutedHarness({
      editorFetch: (input, init) => {
        assert.ok(typeof input === 'string');
        return fetch(input.replace(/^https:\/\/[^/]+/, new URL(harness.service.baseUrl).origin), init);
      },
    });
    const target = { ...routed.target, baseUrl: 'https://service.test.example/api/v1' };
    harness.service.fault('all', faults.redirect(second.baseUrl, 307));
    const failure = await failureOf(routed.client.getDeploymentAuthorization(target, deploymentId, newCall()));
    assert.equal(failure.kind, 'redirected');
    assert.equal((await routed.client.deleteApiKey(target, 'key_1', newCall())).kind, 'unknown');
    assert.deepEqual(second.requests, []);
    await routed.stop();
  });

  it('sees its own token only, and the first one only the other', async () => {
    const { client, target, service } = harness;
    second.putDeployment(deploymentId, healthy());
    second.putToken('token-of-the-second');
    const other = { organizationId: 'org_2', baseUrl: second.baseUrl, token: 'token-of-the-second' };
    await Promise.all(
      [target, other, target, other].map((one) => client.getDeploymentAuthorization(one, deploymentId, newCall())),
    );
    assert.deepEqual(tokens(service), new Set([`Bearer ${target.token}`]));
    assert.deepEqual(tokens(second), new Set(['Bearer token-of-the-second']));
  });
});
