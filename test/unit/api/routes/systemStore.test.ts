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
 * and prints how it ended. Meanwhile it writes the file `go`, if it gets to it.
 */
const script = `
  import { createRequire } from 'node:module';
  import { setTimeout } from 'node:timers/promises';
  import { writeFile } from 'node:fs/promises';
  const [api, facts] = process.argv.slice(1);
  const { Client } = await import(api + 'client.js');
  const { KnownSecrets } = await import(api + 'secrets.js');
  const { Router } = await import(api + 'network/router.js');
  const { baseUrl, deploymentId, systemCertificates, requestTimeout, go } = JSON.parse(facts);
  const settings = { proxySupport: 'off', proxy: '', noProxy: [], systemCertificates, environment: {} };
  const client = new Client({
    limits: () => ({ requestTimeout, maxConcurrentRequests: 1 }),
    connector: new Router({ settings: () => settings, requestTimeout: () => requestTimeout, onTrustTrouble: (trouble) => console.log(trouble.kind) }),
    onExchange: () => {},
    secrets: new KnownSecrets(),
  });
  const undici = () => [
    Object.keys(createRequire(api).cache).some((file) => file.includes('undici')) ? 'loaded' : 'not loaded',
    Object.getOwnPropertySymbols(globalThis).filter((one) => String(one).includes('undici')).length,
  ].join(' ');
  const before = undici();
  const call = { signal: new AbortController().signal, urgent: true };
  const reading = client.getDeploymentAuthorization({ organizationId: 'o', baseUrl, token: 'token-1' }, deploymentId, call).then(
    () => console.log('read'),
    (error) => console.log(error.failure.cause?.code),
  );
  await setTimeout(50).then(() => writeFile(go, ''));
  await reading;
  console.log(before + ', then ' + undici());
  await client.close();
`;

/** A store of the system that takes its time: until the file is there, or for good. */
const slowStore = `
  const { existsSync, readFileSync } = require('node:fs');
  const tls = require('node:tls');
  const { waitsFor, authority } = JSON.parse(process.env.SLOW_STORE);
  tls.getCACertificates = (store) => {
    if (store !== 'system') return store === 'extra' ? [] : tls.rootCertificates;
    const end = Date.now() + 6000;
    while (!existsSync(waitsFor) && Date.now() < end) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
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

  /** What it prints, apart from what it says of undici, which is always the same: loaded late, and known to nobody else. */
  async function ending(systemCertificates: boolean, env: Record<string, string>, more: object = {}): Promise<string> {
    const known = { baseUrl: service.baseUrl, deploymentId, requestTimeout: 8000, go: join(folder, 'go') };
    const facts = JSON.stringify({ ...known, systemCertificates, ...more });
    const api = new URL('../../../../src/api/', import.meta.url).href;
    const parameters = ['--input-type=module', '--eval', script, '--', api, facts];
    const { stdout } = await runs(process.execPath, parameters, { env: { PATH: process.env['PATH'], ...env } });
    const [, ended, undici] = /^([^]*)\n(.*)\n$/.exec(stdout) ?? [];
    assert.equal(undici, 'not loaded 0, then loaded 0');
    return ended ?? '';
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
    const slow = (waitsFor: string) => {
      return {
        NODE_OPTIONS: `--require ${JSON.stringify(preload)}`,
        SLOW_STORE: JSON.stringify({ waitsFor, authority: file }),
      };
    };
    const late = { ...slow('nothing'), NODE_EXTRA_CA_CERTS: file };
    assert.equal(await ending(true, late, { requestTimeout: 3000 }), 'late\nread');
    await rm(join(folder, 'go'));
    assert.equal(await ending(true, slow(join(folder, 'go'))), 'read');
  });
});
