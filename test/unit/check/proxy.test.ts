import { strict as assert } from 'node:assert';
import { rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createAuthority } from '../../support/platform/certificates.js';
import { healthy } from '../../support/platform/data.js';
import { listen } from '../../support/platform/listen.js';
import { type Platform, startPlatform } from '../../support/platform/platform.js';
import { type Proxy, startProxy } from '../../support/platform/proxy.js';
import { CheckProgram, canUseProxies } from './run.js';

const host = 'platform.test.example';
/** Nothing listens there. */
const closed = 'http://127.0.0.1:9';

describe('the check behind a proxy', function () {
  this.timeout(60_000);
  let program: CheckProgram;
  let platform: Platform;
  let proxy: Proxy;
  let env: Record<string, string>;
  let platformPort: number;
  let authority: Awaited<ReturnType<typeof createAuthority>>;
  const check = (more: Record<string, string>, ...args: string[]) =>
    program.run(['--id', 'dep_ok', ...args], { ...env, NODE_USE_ENV_PROXY: '1', NODE_NO_WARNINGS: '1', ...more });
  const through = (address: string | Proxy, more = {}) => {
    const url = typeof address === 'string' ? address : `http://127.0.0.1:${address.port}`;
    return check({ HTTPS_PROXY: url, ...more });
  };

  before(async () => {
    program = await CheckProgram.build();
    authority = await createAuthority('Test authority of the check');
    platform = await startPlatform({ tls: { ...(await authority.issue([host])), name: host } });
    platform.putDeployment('dep_ok', healthy());
    platformPort = Number(new URL(platform.baseUrl).port);
    env = { ...platform.env };
    proxy = await startProxy({ knows: { [host]: platformPort } });
  });
  beforeEach(() => program.write('ca.pem', authority.cert));
  afterEach(() => rm(join(program.folder, 'ca.pem')));
  after(async () => {
    await proxy.stop();
    await platform.stop();
    await program.remove();
  });

  describe('that Node cannot use', () => {
    before(function () {
      if (canUseProxies()) this.skip();
    });

    for (const name of ['HTTPS_PROXY', 'https_proxy']) {
      it(`exits with 64, without the usage (${name})`, async () => {
        const { end, stdout, stderr } = await check({ [name]: closed });
        assert.match(stderr, new RegExp(`^${name} is set, which this Node cannot use\\..*NO_PROXY\\.\\n$`));
        assert.deepEqual([end, stdout], [64, '']);
      });
    }

    for (const [name, entry] of Object.entries({ NO_PROXY: host, no_proxy: 'a.example, .test.example' })) {
      it(`does not mind one that ${name} excepts: ${entry}`, async () => {
        const { end, stdout } = await check({ HTTPS_PROXY: closed, [name]: entry });
        assert.match(stdout, /Unreachable \(DNS\)/);
        assert.equal(end, 2);
      });
    }

    it('exits with 64 where NO_PROXY excepts other hosts', async () => {
      const { end } = await check({ HTTPS_PROXY: closed, NO_PROXY: `x${host},other.example` });
      assert.equal(end, 64);
    });

    it('does not mind one for https where the base URL is of this machine, with http', async () => {
      const plain = await startPlatform();
      plain.putDeployment('dep_ok', healthy());
      const { end } = await check({ ...plain.env, HTTPS_PROXY: closed });
      await plain.stop();
      assert.equal(end, 0);
    });
  });

  describe('that Node uses (Node 22.21, 24, or newer)', () => {
    before(function () {
      if (!canUseProxies()) this.skip();
    });

    it('reads through it', async () => {
      const { end, stdout } = await through(proxy, { NODE_EXTRA_CA_CERTS: join(program.folder, 'ca.pem') });
      assert.deepEqual([end, stdout], [0, '1 healthy\n']);
    });

    const fails: Record<string, readonly [address: string, more: object, words: RegExp]> = {
      'that refuses connections': [
        closed,
        {},
        /Unreachable \(proxy\)\. .*proxy 127\.0\.0\.1:9 failed \(ECONNREFUSED\)\. Check HTTPS_PROXY\.\n/,
      ],
      'whose name is not found': [
        'http://proxy.test.example:3128',
        {},
        /Unreachable \(proxy\)\. .*proxy proxy\.test\.example:3128 failed \((?:ENOTFOUND|EAI_AGAIN)\)\. Check HTTPS_PROXY\.\n/,
      ],
      'on the port of the base URL': [
        'https://127.0.0.1:443',
        { AUTOMATION_PLATFORM_BASE_URL: `https://${host}/api/v1` },
        /Unreachable \(proxy\)\. .*proxy 127\.0\.0\.1:443 failed \(ECONNREFUSED\)\. Check HTTPS_PROXY\.\n/,
      ],
    };
    for (const [name, [address, more, words]] of Object.entries(fails)) {
      it(`names the proxy ${name}`, async () => {
        const { end, stdout } = await through(address, more);
        assert.match(stdout, words);
        assert.doesNotMatch(stdout, /is probably not running|name not found/);
        assert.equal(end, 2);
      });
    }

    it('names the variable in which the proxy stands', async () => {
      const { stdout } = await check({ http_proxy: closed });
      assert.match(stdout, /proxy 127\.0\.0\.1:9 failed \(ECONNREFUSED\)\. Check http_proxy\.\n/);
    });

    const says: Record<number, string> = {
      407: 'Put the credentials into the address in HTTPS_PROXY.',
      503: 'Check HTTPS_PROXY.',
    };
    for (const [status, step] of Object.entries(says)) {
      it(`names the proxy that answers ${status}`, async () => {
        const refusing = await startProxy({ says: `HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n` });
        const { end, stdout } = await through(refusing);
        await refusing.stop();
        assert.ok(stdout.includes(`proxy 127.0.0.1:${refusing.port} responded with ${status}. ${step}`), stdout);
        assert.equal(end, 2);
      });
    }

    it('names the proxy beside the network when it breaks the connection', async () => {
      const reset = createServer((socket: Socket) =>
        socket.on('error', () => {}).once('data', () => socket.resetAndDestroy()),
      );
      const port = await listen(reset);
      const { end, stdout } = await through(`http://127.0.0.1:${port}`);
      reset.close();
      assert.ok(stdout.includes(`Check the network, and the proxy 127.0.0.1:${port} (HTTPS_PROXY).`), stdout);
      assert.equal(end, 2);
    });

    it('names the host of the base URL for its certificate, and the variable for a private CA', async () => {
      const { end, stdout } = await through(proxy);
      assert.match(stdout, /Unreachable \(TLS\)\. platform\.test\.example.*\. If a private CA .* NODE_EXTRA_CA_CERTS/);
      assert.equal(end, 2);
    });

    it('names no proxy that NO_PROXY excepts', async () => {
      const { end, stdout } = await through(closed, { NO_PROXY: host });
      assert.match(stdout, /Unreachable \(DNS\)\. platform\.test\.example/);
      assert.equal(end, 2);
    });

    it('names no proxy that Node was not told to use', async () => {
      const { end, stdout } = await through(closed, { NODE_USE_ENV_PROXY: '' });
      assert.match(stdout, /Unreachable \(DNS\)\. .* HTTPS_PROXY and NODE_USE_ENV_PROXY\.\n/);
      assert.equal(end, 2);
    });
  });
});
