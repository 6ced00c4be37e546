import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { promisify } from 'node:util';
import { createAuthority } from '../../../support/service/certificates.js';
import { healthy } from '../../../support/service/data.js';
import { type Service, startService } from '../../../support/service/service.js';
import { deploymentId } from '../harness.js';

const runs = promisify(execFile);

/**
 * Reads the deployment in a Node of its own, where nobody else has read the stores of the environment, loaded undici or called `fetch`,
 * and prints how it ended. Meanwhile it writes a file, if it gets to it.
 */
const script = `
  import { createRequire } from 'node:module';
  import { setTimeout } from 'node:timers/promises';
  import { writeFile } from 'node:fs/promises';
  const [api, facts] = process.argv.slice(1);
  const { Client } = await import(api + 'client.js');
  const { KnownSecrets } = await import(api + 'secrets.js');
  const { Router } = await import(api + 'network/router.js');
  const { baseUrl, token, deploymentId, systemCertificates, requestTimeout, go, tellsUndici } = JSON.parse(facts);
  const settings = { proxySupport: 'off', proxy: '', noProxy: [], systemCertificates, environment: {} };
  const client = new Client({
    limits: () => ({ requestTimeout, maxConcurrentRequests: 1 }),
    connector: new Router({ settings: () => settings, requestTimeout: () => requestTimeout, onTrustTrouble: (trouble) => console.log(trouble.kind) }),
    onExchange: () => {},
    secrets: new KnownSecrets(),
  });
  const tellUndici = () => {
    const files = Object.keys(createRequire(api).cache).filter((file) => file.includes('undici'));
    const symbols = Object.getOwnPropertySymbols(globalThis).filter((one) => String(one).includes('undici'));
    if (tellsUndici) console.log(files.length > 0 ? 'loaded' : 'not loaded', symbols.length);
  };
  tellUndici();
  const call = { signal: new AbortController().signal, urgent: true };
  const reading = client.getDeploymentAuthorization({ organizationId: 'o', baseUrl, token }, deploymentId, call).then(
    () => console.log('read'),
    (error) => console.log(error.failure.cause?.code),
  );
  if (go) await setTimeout(50).then(() => writeFile(go, ''));
  await reading;
  tellUndici();
  await client.close();
`;

/** A store of the system that takes its time: until the file is there, or for good. */
const slowStore = `
  const { existsSync, readFileSync } = require('node:fs');
  const tls = require('node:tls');
  const { go, authority } = JSON.parse(process.env.SLOW_STORE);
  tls.getCACertificates = (store) => {
    if (store !== 'system') return store === 'extra' ? [] : tls.rootCertificates;
    const end = Date.now() + 6000;
    while (!existsSync(go) && Date.now() < end) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    return [readFileSync(authority, 'utf8')];
  };
`;

describe('the stores of this machine', () => {
  const authority = createAuthority();
  let service: Service;
  let folder: string;
  let file: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'automation-platform-'));
    file = join(folder, 'authority.pem');
    await writeFile(file, authority.cert);
    service = await startService({ tls: { ...authority.issue(['localhost']), name: 'localhost' }, token: 'token-1' });
    service.putDeployment(deploymentId, healthy());
  });
  after(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });

  /** `go`: a file that is written while the request is under way. */
  async function ending(
    systemCertificates: boolean,
    env: Record<string, string>,
    more: { readonly requestTimeout?: number; readonly go?: string; readonly tellsUndici?: true } = {},
    flags: readonly string[] = [],
  ): Promise<string> {
    const known = { baseUrl: service.baseUrl, token: 'token-1', deploymentId, requestTimeout: 8000 };
    const facts = { ...known, systemCertificates, ...more };
    const api = new URL('../../../../src/api/', import.meta.url).href;
    const parameters = [...flags, '--input-type=module', '--eval', script, '--', api, JSON.stringify(facts)];
    const { stdout } = await runs(process.execPath, parameters, { env: { PATH: process.env['PATH'], ...env } });
    return stdout.trim();
  }

  it('are asked for the authorities of the system, where that is wanted', async function () {
    // Node has told them since 22.15.
    if (!Reflect.has(tls, 'getCACertificates') || process.platform !== 'linux') this.skip();
    assert.equal(await ending(true, { SSL_CERT_FILE: file }), 'read');
    assert.equal(await ending(false, { SSL_CERT_FILE: file }), 'UNABLE_TO_VERIFY_LEAF_SIGNATURE');
  });

  it('are complemented by NODE_EXTRA_CA_CERTS, and know nothing of a stranger', async () => {
    assert.equal(await ending(true, { NODE_EXTRA_CA_CERTS: file }), 'read');
    assert.equal(await ending(true, {}), 'UNABLE_TO_VERIFY_LEAF_SIGNATURE');
  });

  it('are waited for while all else goes on, and done without if they take too long', async () => {
    const preload = join(folder, 'slowStore.cjs');
    await writeFile(preload, slowStore);
    const go = join(folder, 'go');
    const env = { SLOW_STORE: JSON.stringify({ go, authority: file }) };
    const flags = ['--require', preload];
    const late = await ending(true, { ...env, NODE_EXTRA_CA_CERTS: file }, { requestTimeout: 3000 }, flags);
    assert.equal(late, 'late\nread');
    assert.equal(await ending(true, env, { go }, flags), 'read');
  });

  it('are asked by undici, which is loaded with the first request, and leaves the dispatcher of the process alone', async () => {
    const told = await ending(false, { NODE_EXTRA_CA_CERTS: file }, { tellsUndici: true });
    assert.equal(told, 'not loaded 0\nread\nloaded 0');
  });
});
