import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { pathSegment } from '../../../src/api/entered/baseUrl.js';
import { DEFAULT_SESSION_TOKEN, healthy } from '../../support/platform/data.js';
import { deploymentId, Harness, newCall, used } from './harness.js';

const installToken = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const install = {
  expiresAt: '2026-11-20T12:00:00Z',
  label: 'Acme CRM',
  requiredPlan: 'pro',
  serviceId: 'crm',
};

describe('the three operations', () => {
  const harness = used(new Harness());

  it('read the authorization of a deployment', async () => {
    const { target, platform, entries } = harness;
    const before = Date.now();
    const call = newCall();
    const { sentAt, sequence, ...answer } = await harness.read(call);
    const clocks = { asOf: sentAt, clockOffsetMs: 0, hasUnusableDate: false };
    assert.deepEqual(answer, { value: healthy(), decodeIssues: [], ...clocks });
    assert.ok(sentAt >= before && sentAt <= Date.now());
    assert.equal(sequence, 1);
    assert.deepEqual(call.phases, [
      { kind: 'waiting' },
      { kind: 'connecting' },
      { kind: 'sending' },
    ]);
    const [request] = platform.requests;
    assert.equal(
      `${request?.method} ${request?.path}`,
      `GET /api/v1/deployments/${deploymentId}/authorization`,
    );
    assert.equal(request?.headers.authorization, `Bearer ${target.token}`);
    const [{ duration, ...entry } = { duration: 0 }, ...more] = entries;
    assert.ok(duration > 0 && more.length === 0);
    assert.deepEqual(entry, {
      method: 'GET',
      template: '/deployments/{deploymentId}/authorization',
      host: new URL(target.baseUrl).host,
      status: 200,
      bytes: JSON.stringify(healthy()).length,
      attempts: 1,
    });
  });

  it('read a pending installation with a session token', async () => {
    const { target, platform, entries } = harness;
    platform.putInstall(installToken, { ...install, serviceName: 'CRM', serviceSub: 'T1' });
    platform.putToken(DEFAULT_SESSION_TOKEN, 'session');
    const session = { ...target, token: DEFAULT_SESSION_TOKEN };
    const answer = await harness.lookUp(newCall(true), session, installToken.toUpperCase());
    assert.deepEqual(answer.value, { ...install, serviceName: 'CRM', serviceSub: 'T1' });
    assert.equal(
      platform.requests[0]?.path,
      `/api/v1/integration-installs/${installToken.toUpperCase()}`,
    );
    assert.ok(!JSON.stringify(entries).toLowerCase().includes(installToken));
  });

  it('revoke a key, and the log says how that ended', async () => {
    const { platform, entries } = harness;
    assert.deepEqual(await harness.revoke(), { kind: 'revoked', status: 204 });
    assert.ok(!platform.data.apiKeys.has('key_1'));
    assert.equal(platform.requests[0]?.method, 'DELETE');
    assert.equal((await harness.revoke()).kind, 'refused');
    const logged = entries.map(({ template, status, failure }) => [
      template,
      status,
      failure?.kind,
    ]);
    assert.deepEqual(logged, [
      ['/api-keys/{keyId}', 204, undefined],
      ['/api-keys/{keyId}', 404, 'notFound'],
    ]);
    assert.ok(!JSON.stringify(entries).includes('key_1'));
  });

  it('refuse an id that can be no segment of a path before anything is sent', async () => {
    for (const id of ['', '.', '..', 'a\udc00b']) {
      await assert.rejects(harness.read(undefined, undefined, id));
      assert.equal((await harness.revoke(undefined, undefined, id)).kind, 'notSent');
    }
    assert.deepEqual(harness.platform.requests, []);
    assert.deepEqual(harness.entries, []);
  });

  it('refuse a base URL that is none', async () => {
    const failure = { kind: 'connectionLost', code: 'ERR_INVALID_URL' };
    await harness.failsUnsent(failure, { ...harness.target, baseUrl: 'nonsense' });
  });

  it('reuse a connection for reads, and never for a revocation', async () => {
    for (const send of [harness.read, harness.read, harness.revoke, harness.revoke, harness.read])
      await send();
    const { requests } = harness.platform;
    const [a, b, c, d, e] = requests.map(({ connection }) => connection);
    assert.deepEqual([b, e], [a, a]);
    assert.equal(new Set([a, c, d]).size, 3);
    assert.equal(requests[2]?.headers.connection, 'close');
  });
});

it('an id in a path is one segment that a URL parser leaves alone, and the id again when decoded', () => {
  assert.equal(pathSegment('..%2f😀'), '..%252f%F0%9F%98%80');
  const texts = fc
    .array(fc.nat(0xd7ff), { minLength: 1 })
    .map((codes) => String.fromCharCode(...codes));
  const ids = texts.filter((id) => id !== '.' && id !== '..');
  fc.assert(
    fc.property(ids, (id) => {
      const segment = pathSegment(id);
      assert.equal(
        new URL(`https://host.example/api/v1/x/${segment}/y`).pathname,
        `/api/v1/x/${segment}/y`,
      );
      assert.equal(decodeURIComponent(segment), id);
      assert.match(segment, /^[\x21-\x7e]+$/);
    }),
  );
});
