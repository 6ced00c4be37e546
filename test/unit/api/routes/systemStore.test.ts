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

/** Reads the deployment in a Node of its own, since stores are read from the environment once, and prints how it ended. */
const script = `
  const { createClient } = await import(process.argv[1] + 'createClient.js');
  const { KnownSecrets } = await import(process.argv[1] + 'secrets.js');
  const { routedConnector } = await import(process.argv[1] + 'network/routedConnector.js');
  const { baseUrl, token, deploymentId, systemCertificates } = JSON.parse(process.argv[2]);
  const settings = { proxySupport: 'off', proxy: '', noProxy: [], systemCertificates, environment: {} };
  const client = createClient({
    limits: () => ({ requestTimeout: 8000, maxConcurrentRequests: 1 }),
    connector: routedConnector({ settings: () => settings, requestTimeout: () => 8000 }),
    onExchange: () => {},
    secrets: new KnownSecrets(),
  });
  const call = { signal: new AbortController().signal, urgent: true };
  await client.getDeploymentAuthorization({ organizationId: 'o', baseUrl, token }, deploymentId, call).then(
    () => console.log('read'),
    (error) => console.log(error.failure.cause?.code),
  );
  await client.close();
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

  async function ending(systemCertificates: boolean, env: Record<string, string>): Promise<string> {
    const facts = { baseUrl: service.baseUrl, token: 'token-1', deploymentId, systemCertificates };
    const api = new URL('../../../../src/api/', import.meta.url).href;
    const { stdout } = await runs(
      process.execPath,
      ['--input-type=module', '--eval', script, '--', api, JSON.stringify(facts)],
      { env: { PATH: process.env['PATH'], ...env } },
    );
    return stdout.trim();
  }

  it('are asked for the authorities of the system, where that is wanted', async function () {
    // Node has told them since 22.15.
    if (!Reflect.has(tls, 'getCACertificates') || process.platform !== 'linux') {
      this.skip();
    }
    assert.equal(await ending(true, { SSL_CERT_FILE: file }), 'read');
    assert.equal(await ending(false, { SSL_CERT_FILE: file }), 'UNABLE_TO_VERIFY_LEAF_SIGNATURE');
  });

  it('are complemented by NODE_EXTRA_CA_CERTS', async () => {
    assert.equal(await ending(true, { NODE_EXTRA_CA_CERTS: file }), 'read');
    assert.equal(await ending(false, { NODE_EXTRA_CA_CERTS: file }), 'read');
  });

  it('know nothing of a stranger', async () => {
    assert.equal(await ending(true, {}), 'UNABLE_TO_VERIFY_LEAF_SIGNATURE');
  });
});
