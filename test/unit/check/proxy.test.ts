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
/** Nothing listens there. */
const closed = 'http://127.0.0.1:9';

function sourceOf(
  env: Record<string, string>,
  baseUrl = 'https://host.example/api/v1',
): string | undefined {
  return environmentProxy(baseUrl, env)?.source;
}

describe('the proxy that counts for Node', () => {
  const [a, b] = ['http://a.example', 'http://b.example'];

  for (const [env, source] of [
    [{ HTTPS_PROXY: a, https_proxy: b }, 'https_proxy'],
    [{ HTTPS_PROXY: a, http_proxy: b }, 'HTTPS_PROXY'],
    [{ HTTP_PROXY: a }, 'HTTP_PROXY'],
    // Node looks at the other one only if this is not set at all.
    [{ HTTPS_PROXY: a, https_proxy: '' }, undefined],
    [{ HTTPS_PROXY: a, https_proxy: '', HTTP_PROXY: b }, 'HTTP_PROXY'],
    [{ HTTPS_PROXY: a, NO_PROXY: 'host.example' }, undefined],
  ] as const) {
    it(`is that of ${source ?? 'no variable'} with ${JSON.stringify(env)}`, () =>
      assert.equal(sourceOf(env), source));
  }

  it('is none of HTTPS_PROXY where the base URL is http', () => {
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
      it(`exits with 64, without the usage (${name})`, async () => {
        const { end, stdout, stderr } = await check({ [name]: closed });
        assert.match(
          stderr,
          new RegExp(`^${name} is set, which this Node cannot use\\..*NO_PROXY\\.\\n$`),
        );
        assert.deepEqual([end, stdout], [64, '']);
      });
    }

    for (const [name, entry] of Object.entries({
      NO_PROXY: host,
      no_proxy: 'a.example, .test.example',
    })) {
      it(`does not mind one that ${name} excepts: ${entry}`, async () => {
        const { end, stdout } = await check({ HTTPS_PROXY: closed, [name]: entry });
        assert.match(stdout, /Unreachable \(DNS\)/);
        assert.equal(end, 2);
      });
    }

    it('exits with 64 also where its address is none, and shows nothing of it', async () => {
      const { end, stdout, stderr } = await check({
        HTTPS_PROXY: 'http://CORP\\jdoe:QZXJ@127.0.0.1:9',
      });
      assert.deepEqual([end, stdout], [64, '']);
      assert.doesNotMatch(stderr, /CORP|QZXJ|127/);
    });

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
      const { end, stdout } = await through(proxy, {
        NODE_EXTRA_CA_CERTS: join(program.folder, 'ca.pem'),
      });
      assert.deepEqual([end, stdout], [0, '1 healthy\n']);
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
      'another host than Node would use': [
        (port) => `http://jdoe:QZXJ@127.1:${port}`,
        /Correct https_proxy, for example/,
      ],
      'too few slashes': [
        (port) => `http:/jdoe:QZXJ@127.0.0.1:${port}`,
        /Correct https_proxy, for example/,
      ],
    };
    for (const [name, [address, step]] of Object.entries(refused)) {
      it(`sends nothing through an address with ${name}, and exits with 3 without it`, async () => {
        const sent = proxy.requests.length;
        const { end, stdout, stderr } = await check({ https_proxy: address(proxy.port) });
        assert.match(stderr, /^https_proxy holds no proxy address that Node can use\. [^\n]*\n$/);
        assert.match(stderr, step);
        assert.doesNotMatch(stderr, /doe|QZ|XJ|127\./);
        assert.deepEqual([end, stdout, proxy.requests.length], [3, '', sent]);
      });
    }

    it('minds no such address that NO_PROXY excepts, or that Node was not told to use', async () => {
      const others: readonly Record<string, string>[] = [
        { NO_PROXY: host },
        { NODE_USE_ENV_PROXY: '' },
      ];
      for (const more of others) {
        const { end, stdout } = await check({ https_proxy: 'http://127.1:9', ...more });
        assert.match(stdout, /Unreachable \(DNS\)/);
        assert.equal(end, 2);
      }
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
        const refusing = await startProxy({
          says: `HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`,
        });
        const { end, stdout } = await through(refusing);
        await refusing.stop();
        assert.ok(
          stdout.includes(`proxy 127.0.0.1:${refusing.port} responded with ${status}. ${step}`),
          stdout,
        );
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
      assert.ok(
        stdout.includes(`Check the network, and the proxy 127.0.0.1:${port} (HTTPS_PROXY).`),
        stdout,
      );
      assert.equal(end, 2);
    });

    it('names the host of the base URL for its certificate, and the variable for a private CA', async () => {
      const { end, stdout } = await through(proxy);
      assert.match(
        stdout,
        /Unreachable \(TLS\)\. platform\.test\.example.*\. If a private CA .* NODE_EXTRA_CA_CERTS/,
      );
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
