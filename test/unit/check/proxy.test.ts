import { strict as assert } from 'node:assert';
import { rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { environmentProxy } from '../../../src/check/proxy.js';
import { createAuthority } from '../../support/platform/certificates.js';
import { healthy } from '../../support/platform/data.js';
import { listen } from '../../support/platform/listen.js';
import { type Platform, startPlatform } from '../../support/platform/platform.js';
import { type Proxy, startProxy } from '../../support/platform/proxy.js';
import { CheckProgram, canUseProxies } from './run.js';

const host = 'platform.test.example';
/** A proxy's address at which no server listens. */
const closed = 'http://127.0.0.1:9';

function sourceOf(
  env: Record<string, string>,
  baseUrl = 'https://host.example/api/v1',
): string | undefined {
  return environmentProxy(baseUrl, env)?.source;
}

describe('the proxy that Node uses', () => {
  const [a, b] = ['http://a', 'http://b'];

  for (const [env, source] of [
    [{ HTTPS_PROXY: a, https_proxy: b }, 'https_proxy'],
    [{ HTTPS_PROXY: a, http_proxy: b }, 'HTTPS_PROXY'],
    [{ HTTP_PROXY: a }, 'HTTP_PROXY'],
    // Node reads HTTPS_PROXY only if https_proxy is not set at all.
    [{ HTTPS_PROXY: a, https_proxy: '' }, undefined],
    [{ HTTPS_PROXY: a, https_proxy: '', HTTP_PROXY: b }, 'HTTP_PROXY'],
    [{ HTTPS_PROXY: a, NO_PROXY: 'host.example' }, undefined],
  ] as const) {
    it(`is in ${source ?? 'no variable'} for ${JSON.stringify(env)}`, () =>
      assert.equal(sourceOf(env), source));
  }

  it('is not in HTTPS_PROXY when the base URL is http', () => {
    assert.equal(sourceOf({ HTTPS_PROXY: a }, 'http://127.0.0.1/api/v1'), undefined);
  });
});

describe('the check behind a proxy', function () {
  this.timeout(60_000);
  let program: CheckProgram;
  let platform: Platform;
  let proxy: Proxy;
  let env: Record<string, string>;
  let platformPort: number;
  let authority: Awaited<ReturnType<typeof createAuthority>>;
  const check = (more: Record<string, string>, ...args: string[]) =>
    program.run(['--id', 'dep_ok', ...args], {
      ...env,
      NODE_USE_ENV_PROXY: '1',
      NODE_NO_WARNINGS: '1',
      ...more,
    });
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
      it(`exits with 64 when ${name} is set`, async () => {
        const { end, stdout, stderr } = await check({ [name]: closed });
        assert.match(
          stderr,
          new RegExp(`^${name} is set, which this Node cannot use\\..*NO_PROXY\\.\\n$`),
        );
        assert.equal(end, 64);
        assert.equal(stdout, '');
      });
    }

    for (const [name, entry] of Object.entries({
      NO_PROXY: host,
      no_proxy: 'a, .test.example',
    })) {
      it(`sends directly when ${name} is ${entry}`, async () => {
        const { end, stdout } = await check({ HTTPS_PROXY: closed, [name]: entry });
        assert.match(stdout, /Unreachable \(DNS\)/);
        assert.equal(end, 2);
      });
    }

    it('hides an invalid address', async () => {
      const { end, stdout, stderr } = await check({
        HTTPS_PROXY: 'http://CORP\\jdoe:QZXJ@127.0.0.1:9',
      });
      assert.equal(end, 64);
      assert.equal(stdout, '');
      assert.doesNotMatch(stderr, /CORP|QZXJ|127/);
    });

    it('exits with 64 when NO_PROXY exempts other hosts', async () => {
      const { end } = await check({ HTTPS_PROXY: closed, NO_PROXY: `x${host},other.example` });
      assert.equal(end, 64);
    });

    it('ignores HTTPS_PROXY when the base URL is http', async () => {
      const plain = await startPlatform();
      plain.putDeployment('dep_ok', healthy());
      const { end } = await check({ ...plain.env, HTTPS_PROXY: closed });
      await plain.stop();
      assert.equal(end, 0);
    });
  });

  describe('that Node can use', () => {
    // Node 22.21, 24, or newer.
    before(function () {
      if (!canUseProxies()) this.skip();
    });

    it('reads deployments through the proxy', async () => {
      const { end, stdout } = await through(proxy, {
        NODE_EXTRA_CA_CERTS: join(program.folder, 'ca.pem'),
      });
      assert.equal(end, 0);
      assert.equal(stdout, '1 healthy (exit 0)\n');
    });

    const refused: Record<string, readonly [address: (port: number) => string, step: RegExp]> = {
      'a control character': [
        (port) => `http://jdoe:QZ%0DXJ@127.0.0.1:${port}`,
        /Remove U\+000D from https_proxy\./,
      ],
      'a colon in the user': [
        (port) => `http://jd%3Aoe:QZXJ@127.0.0.1:${port}`,
        /no user name with a colon/,
      ],
      'a shortened IP address': [
        (port) => `http://jdoe:QZXJ@127.1:${port}`,
        /Correct https_proxy, for example/,
      ],
      'too few slashes': [
        (port) => `http:/jdoe:QZXJ@127.0.0.1:${port}`,
        /Correct https_proxy, for example/,
      ],
    };
    for (const [name, [address, step]] of Object.entries(refused)) {
      it(`exits with 3 for an address with ${name}`, async () => {
        const sentBefore = proxy.requests.length;
        const { end, stdout, stderr } = await check({ https_proxy: address(proxy.port) });
        assert.match(stderr, /^https_proxy holds no proxy address that Node can use\. [^\n]*\n$/);
        assert.match(stderr, step);
        assert.doesNotMatch(stderr, /doe|QZ|XJ|127\./);
        const sent = proxy.requests.slice(sentBefore);
        assert.equal(end, 3);
        assert.equal(stdout, '');
        assert.deepEqual(sent, []);
      });
    }

    const unused: Record<string, Record<string, string>> = {
      'NO_PROXY exempts the host': { NO_PROXY: host },
      'NODE_USE_ENV_PROXY is empty': { NODE_USE_ENV_PROXY: '' },
    };
    for (const [name, more] of Object.entries(unused)) {
      it(`ignores a bad address when ${name}`, async () => {
        const { end, stdout } = await check({ https_proxy: 'http://127.1:9', ...more });
        assert.match(stdout, /Unreachable \(DNS\)/);
        assert.equal(end, 2);
      });
    }

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

    it('names the variable that holds the address', async () => {
      const { stdout } = await check({ http_proxy: closed });
      assert.match(stdout, /proxy 127\.0\.0\.1:9 failed \(ECONNREFUSED\)\. Check http_proxy\.\n/);
    });

    const says: Record<number, string> = {
      407: 'Put the credentials into the address in HTTPS_PROXY\\.',
      503: 'Check HTTPS_PROXY\\.',
    };
    for (const [status, step] of Object.entries(says)) {
      it(`names the proxy when it answers ${status}`, async () => {
        const refusing = await startProxy({
          says: `HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`,
        });
        const { end, stdout } = await through(refusing);
        await refusing.stop();
        const sentence = `proxy 127\\.0\\.0\\.1:${refusing.port} responded with ${status}\\. ${step}`;
        assert.match(stdout, new RegExp(sentence));
        assert.equal(end, 2);
      });
    }

    it('names network and proxy when the connection breaks', async () => {
      const reset = createServer((socket: Socket) =>
        socket.on('error', () => {}).once('data', () => socket.resetAndDestroy()),
      );
      const port = await listen(reset);
      const { end, stdout } = await through(`http://127.0.0.1:${port}`);
      reset.close();
      const advice = `Check the network, and the proxy 127\\.0\\.0\\.1:${port} \\(HTTPS_PROXY\\)\\.`;
      assert.match(stdout, new RegExp(advice));
      assert.equal(end, 2);
    });

    it('names NODE_EXTRA_CA_CERTS for an untrusted platform', async () => {
      const { end, stdout } = await through(proxy);
      assert.match(
        stdout,
        /Unreachable \(TLS\)\. platform\.test\.example.*\. The file in NODE_EXTRA_CA_CERTS does not hold the root certificate/,
      );
      assert.equal(end, 2);
    });

    it('names no proxy when NO_PROXY exempts the host', async () => {
      const { end, stdout } = await through(closed, { NO_PROXY: host });
      assert.match(stdout, /Unreachable \(DNS\)\. platform\.test\.example/);
      assert.equal(end, 2);
    });

    it('suggests NODE_USE_ENV_PROXY when it is empty', async () => {
      const { end, stdout } = await through(closed, { NODE_USE_ENV_PROXY: '' });
      assert.match(
        stdout,
        /Unreachable \(DNS\)\. .* HTTPS_PROXY is set, but Node uses it only with NODE_USE_ENV_PROXY=1\.\n/,
      );
      assert.equal(end, 2);
    });
  });
});
