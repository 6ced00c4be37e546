import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import tls from 'node:tls';
import { promisify } from 'node:util';
import { createAuthority } from '../../../support/platform/certificates.js';
import { healthy } from '../../../support/platform/data.js';
import { type Platform, startPlatform } from '../../../support/platform/platform.js';
import { temporaryFolder } from '../../../support/temporaryFolder.js';
import { deploymentId } from '../harness.js';

/** OpenSSL has another code in a Node that also trusts a chain without its root. */
const notTrusted = Reflect.has(tls, 'getCACertificates')
  ? 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'
  : 'UNABLE_TO_VERIFY_LEAF_SIGNATURE';

const runs = promisify(execFile);

/**
 * Reads a deployment in a Node of its own, which has neither read the stores nor loaded undici nor called `fetch`, and prints how
 * the read ended. After 50 ms it writes the file `go`, unless reading a store blocks the process.
 */
const script = `
  import { createRequire } from 'node:module';
  import { setTimeout } from 'node:timers/promises';
  import { writeFile } from 'node:fs/promises';
  const { harnessUrl, baseUrl, systemCertificates, go } = JSON.parse(process.argv[1]);
  const { Harness, newCall, plainSettings } = await import(harnessUrl);
  const harness = await new Harness({ readCertificates: undefined, resolve: undefined }).start();
  harness.limits.requestTimeout = 8000;
  harness.settings = { ...plainSettings, proxySupportOff: true, systemCertificates };
  const isLoaded = () => Object.keys(createRequire(harnessUrl).cache).some((file) => file.includes('undici'));
  // Node 22 and 24 set some for their own undici before anything asks for it.
  const globals = () => Object.getOwnPropertySymbols(globalThis).map((symbol) => globalThis[symbol]);
  const loadedBefore = isLoaded();
  const globalsBefore = globals();
  const reading = harness.read(newCall(), { ...harness.target, baseUrl }).then(
    () => console.log('read'),
    (error) => console.log(error.failure.cause?.code),
  );
  await setTimeout(50).then(() => writeFile(go, ''));
  await reading;
  const untouched = globals().every((value, at) => value === globalsBefore[at]) && globals().length === globalsBefore.length;
  console.log([loadedBefore, isLoaded(), untouched].join());
  await harness.stop();
`;

/** Makes Node read the store of the system slowly: until the file `go` exists. */
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

describe('the certificate stores of the machine', () => {
  let platform: Platform;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let file: string;
  let go: string;
  before(async () => {
    folder = await temporaryFolder();
    file = join(folder.path, 'authority.pem');
    go = join(folder.path, 'go');
    const authority = await createAuthority();
    await writeFile(file, authority.cert);
    platform = await startPlatform({
      tls: { ...(await authority.issue(['localhost'])), name: 'localhost' },
    });
    platform.putDeployment(deploymentId, healthy());
  });
  after(() => Promise.all([platform.stop(), folder.remove()]));

  /** How a read ends in a Node of its own. Asserts that undici was loaded late, and that no global of the process has changed. */
  async function ending(systemCertificates: boolean, env: Record<string, string>): Promise<string> {
    const harnessUrl = new URL('../harness.js', import.meta.url).href;
    const facts = JSON.stringify({ harnessUrl, baseUrl: platform.baseUrl, systemCertificates, go });
    const parameters = ['--input-type=module', '--eval', script, '--', facts];
    const { stdout } = await runs(process.execPath, parameters, {
      env: { PATH: process.env['PATH'], ...env },
    });
    const [, ended, undici] = /^([^]*)\n(.*)\n$/.exec(stdout) ?? [];
    assert.equal(undici, 'false,true,true', 'loaded before, loaded after, globals unchanged');
    return ended ?? '';
  }

  for (const [isOn, expected] of [
    [true, 'read'],
    [false, notTrusted],
  ] as const) {
    const word = isOn ? 'count' : 'do not count';
    it(`${word} when http.systemCertificates is ${isOn ? 'on' : 'off'}`, async function () {
      // Node names them since 22.15.
      if (!Reflect.has(tls, 'getCACertificates') || process.platform !== 'linux') this.skip();
      assert.equal(await ending(isOn, { SSL_CERT_FILE: file }), expected);
    });
  }

  it('count beside the file of NODE_EXTRA_CA_CERTS', async () => {
    assert.equal(await ending(true, { NODE_EXTRA_CA_CERTS: file }), 'read');
  });

  it('do not contain the authority of a stranger', async () => {
    assert.equal(await ending(true, {}), notTrusted);
  });

  it('do not block the process while they are read', async () => {
    const preload = join(folder.path, 'slowStore.cjs');
    await writeFile(preload, slowStore);
    await rm(go, { force: true });
    const SLOW_STORE = JSON.stringify({ go, authority: file });
    assert.equal(
      await ending(true, { NODE_OPTIONS: `--require ${JSON.stringify(preload)}`, SLOW_STORE }),
      'read',
    );
  });
});
