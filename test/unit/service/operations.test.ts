import assert from 'node:assert/strict';
import { DEFAULT_TOKEN, grant, healthy, install } from '../../support/service/data.js';
import { type Service, startService } from '../../support/service/service.js';
import { ask, askRaw } from './ask.js';

const INSTALL = '3f2b8c1e-5d4a-4e7b-9a6f-0c1d2e3f4a5b';

describe('service: operations', () => {
  let service: Service;

  beforeEach(async () => {
    service = await startService();
    service.putDeployment('dep_1', healthy());
    service.putInstall(INSTALL, install());
    service.putApiKey('key_1');
  });

  afterEach(() => service.stop());

  const status = async (...given: [path: string, token?: string | null, method?: string]) => {
    const [path, token = DEFAULT_TOKEN, method = 'GET'] = given;
    return (await ask(service, path, { token, method })).status;
  };

  it('lives under the version prefix', async () => {
    assert.match(service.baseUrl, /^http:\/\/127\.0\.0\.1:\d+\/api\/v1$/);
    assert.equal(
      (await ask({ baseUrl: new URL(service.baseUrl).origin }, '/deployments/dep_1/authorization')).status,
      404,
    );
  });

  it('answers each operation with its data', async () => {
    assert.deepEqual(JSON.parse((await ask(service, '/deployments/dep_1/authorization')).body), healthy());
    assert.deepEqual(JSON.parse((await ask(service, `/integration-installs/${INSTALL}`)).body), install());
    const revoked = await ask(service, '/api-keys/key_1', { method: 'DELETE' });
    assert.deepEqual([revoked.status, revoked.body, service.data.apiKeys.size], [204, '', 0]);
  });

  it('shows changes of the data at once', async () => {
    service.data.deployments.set('dep_1', { accounts: [], requirements: [], version: 2 });
    assert.equal(JSON.parse((await ask(service, '/deployments/dep_1/authorization')).body).version, 2);
    service.deleteDeployment('dep_1');
    assert.equal(await status('/deployments/dep_1/authorization'), 404);
  });

  it('does not know other ids, paths and methods', async () => {
    assert.equal(await status('/deployments/dep_2/authorization'), 404);
    assert.equal(await status('/deployments/dep_1'), 404);
    assert.equal(await status('/deployments/dep_1/authorization', DEFAULT_TOKEN, 'POST'), 404);
    assert.equal(await status('/api-keys/key_1'), 404);
    assert.equal(service.data.apiKeys.has('key_1'), true);
  });

  it('takes an install token in any case', async () => {
    assert.equal(await status(`/integration-installs/${INSTALL.toUpperCase()}`), 200);
  });

  it('decodes one path segment, and never resolves dots', async () => {
    service.putDeployment('a/b ü%', healthy());
    assert.equal(await status('/deployments/a%2Fb%20%C3%BC%25/authorization'), 200);
    const { bytes } = await askRaw(service, '/deployments/x/../dep_1/authorization');
    assert.match(bytes.toString(), /^HTTP\/1\.1 404 /);
    assert.equal(service.requests.at(-1)?.path, '/api/v1/deployments/x/../dep_1/authorization');
  });

  it('revokes a key once', async () => {
    assert.equal(await status('/api-keys/key_1', DEFAULT_TOKEN, 'DELETE'), 204);
    assert.equal(await status('/api-keys/key_1', DEFAULT_TOKEN, 'DELETE'), 404);
  });

  it('answers a revocation as seeded', async () => {
    service.data.revoked = { status: 200, body: '{"revoked":true}', headers: { 'content-type': 'application/json' } };
    const { status: code, body } = await ask(service, '/api-keys/key_1', { method: 'DELETE' });
    assert.deepEqual([code, body], [200, '{"revoked":true}']);
  });

  it('asks for a token it knows', async () => {
    assert.equal(await status('/deployments/dep_1/authorization', null), 401);
    assert.equal(await status('/deployments/dep_1/authorization', 'stranger'), 401);
    service.putToken('second');
    assert.equal(await status('/deployments/dep_1/authorization', 'second'), 200);
    service.deleteToken('second');
    assert.equal(await status('/deployments/dep_1/authorization', 'second'), 401);
  });

  it('asks for the permission, and changes nothing without it', async () => {
    service.putToken('reader', { permissions: [] });
    assert.equal(await status('/api-keys/key_1', 'reader', 'DELETE'), 403);
    assert.equal(service.data.apiKeys.has('key_1'), true);
    assert.equal(await status('/deployments/dep_1/authorization', 'reader'), 200);
    service.data.permissions.getDeploymentAuthorization = ['deployment:read'];
    assert.equal(await status('/deployments/dep_1/authorization', 'reader'), 403);
  });

  describe('look-ups', () => {
    const path = `/integration-installs/${INSTALL}`;

    it('take the access token while no session token is configured', async () => {
      assert.equal(await status(path), 200);
    });

    it('take only a session token once one is configured, which then is good for nothing else', async () => {
      service.putToken('person', { kind: 'session' });
      assert.equal(await status(path), 401);
      assert.equal(await status(path, 'person'), 200);
      assert.equal(await status('/deployments/dep_1/authorization', 'person'), 401);
    });

    it('take what they are seeded to take', async () => {
      service.data.lookUpAccepts = 'session';
      assert.equal(await status(path), 401);
      service.data.tokens.set('person', grant('session'));
      service.data.lookUpAccepts = 'either';
      assert.equal(await status(path), 200);
      assert.equal(await status(path, 'person'), 200);
    });

    it('take a token of both kinds without asking for a session token of others', async () => {
      service.putToken('all', { kind: 'both' });
      assert.deepEqual([await status(path, 'all'), await status(path)], [200, 200]);
    });
  });

  it('takes its tokens from the options', async () => {
    const other = await startService({ token: 'one', sessionToken: 'two', data: service.data });
    try {
      const codes = await Promise.all(
        ['one', 'two'].map(async (token) => (await ask(other, `/integration-installs/${INSTALL}`, { token })).status),
      );
      assert.deepEqual(codes, [401, 200]);
    } finally {
      await other.stop();
    }
  });
});
