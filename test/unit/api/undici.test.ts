import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { DEFAULT_TOKEN, healthy } from '../../support/service/data.js';
import { startService } from '../../support/service/service.js';
import { deploymentId } from './harness.js';

/** In a Node of its own, where nobody else has loaded undici or called `fetch`. */
const script = `
  const { createRequire } = await import('node:module');
  const [api, baseUrl, token, deploymentId] = process.argv.slice(1);
  const { Client } = await import(api + 'client.js');
  const { KnownSecrets } = await import(api + 'secrets.js');
  const { Router } = await import(api + 'network/router.js');
  const loaded = () => Object.keys(createRequire(api).cache).some((file) => file.includes('undici'));
  const settings = { proxySupport: 'off', proxy: '', noProxy: [], systemCertificates: false, environment: {} };
  const client = new Client({
    limits: () => ({ requestTimeout: 8000, maxConcurrentRequests: 1 }),
    connector: new Router({ settings: () => settings, requestTimeout: () => 8000 }),
    onExchange: () => {},
    secrets: new KnownSecrets(),
  });
  const before = loaded();
  const call = { signal: new AbortController().signal, urgent: true };
  await client.getDeploymentAuthorization({ organizationId: 'o', baseUrl, token }, deploymentId, call);
  const symbols = Object.getOwnPropertySymbols(globalThis).filter((one) => String(one).includes('undici'));
  console.log(JSON.stringify({ before, after: loaded(), symbols: symbols.map(String) }));
  await client.close();
`;

describe('undici', () => {
  it('is loaded with the first request, and leaves the dispatcher of the whole process alone', async () => {
    const service = await startService();
    service.putDeployment(deploymentId, healthy());
    const api = new URL('../../../src/api/', import.meta.url).href;
    const facts = [api, service.baseUrl, DEFAULT_TOKEN, deploymentId];
    const parameters = ['--input-type=module', '--eval', script, '--', ...facts];
    const { stdout } = await promisify(execFile)(process.execPath, parameters);
    await service.stop();
    assert.deepEqual(JSON.parse(stdout), { before: false, after: true, symbols: [] });
  });
});
