import { strict as assert } from 'node:assert';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAuthority } from '../../support/platform/certificates.js';
import { DEFAULT_TOKEN } from '../../support/platform/data.js';
import { startProxy } from '../../support/platform/proxy.js';
import {
  alerts,
  startAlerting,
  startPlain,
  startResetting,
  startServing,
  startWantingCertificate,
  type TlsPeer,
} from '../../support/platform/tlsPeers.js';
import { type CheckProgram, canUseProxies, useCheck } from './run.js';

const day = 24 * 3600_000;
const past = {
  notBeforeDate: new Date(Date.now() - 9 * day),
  notAfterDate: new Date(Date.now() - 2 * day),
};
const future = {
  notBeforeDate: new Date(Date.now() + 2 * day),
  notAfterDate: new Date(Date.now() + 9 * day),
};

const authority = await createAuthority('Private authority');
const issuing = await authority.issueAuthority('Issuing authority');

async function serve(validity = {}, names: readonly string[] = ['localhost']): Promise<TlsPeer> {
  return startServing(await authority.issue(names, validity));
}

/** `words`: the text that the check prints after "Unreachable (TLS). localhost:8443: ". */
const situations: Readonly<
  Record<string, readonly [start: () => Promise<TlsPeer>, words: RegExp]>
> = {
  'speaks plain HTTP': [
    () => startPlain(),
    /^no TLS on this port \(ERR_SSL_WRONG_VERSION_NUMBER\)\. Check the port in AUTOMATION_PLATFORM_BASE_URL\.$/,
  ],
  'refuses the handshake': [
    () => startAlerting(alerts.handshakeFailure),
    /^the TLS handshake was refused, .* \(ERR_SSL_(?:SSL\/TLS|SSLV3)_ALERT_HANDSHAKE_FAILURE\)\. Ask whoever runs localhost:\d+ /,
  ],
  'does not know the name': [
    () => startAlerting(alerts.unrecognizedName),
    /^the server does not know this host name .*\. Check the host in AUTOMATION_PLATFORM_BASE_URL\.$/,
  ],
  'resets the connection': [
    startResetting,
    /^connection closed during the TLS handshake \(ECONNRESET\)\. A firewall or web filter may block the connection\. /,
  ],
  'wants a client certificate': [
    async () => startWantingCertificate(await authority.issue(['localhost']), 'TLSv1.3'),
    /^a client certificate is required, which is not supported \(ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED\)\. Ask /,
  ],
  'has a certificate that has expired': [
    () => serve(past),
    /^certificate expired by this machine’s clock, which says .* \(CERT_HAS_EXPIRED\)\. Check the clock of this machine\./,
  ],
  'has a certificate of the future': [
    () => serve(future),
    /^certificate not valid yet by this machine’s clock, which says .* \(CERT_NOT_YET_VALID\)\. Check the clock /,
  ],
  'has a certificate for another host': [
    () => serve({}, ['other.example']),
    /^certificate issued for another host \(ERR_TLS_CERT_ALTNAME_INVALID\)\. Check the host in AUTOMATION_PLATFORM_BASE_URL\.$/,
  ],
  'sends no intermediate certificate': [
    async () => startServing(await issuing.issue(['localhost'])),
    /or intermediate certificate not sent \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)\. The file in NODE_EXTRA_CA_CERTS does not hold the root certificate .* may not be sent\.$/,
  ],
};

describe('the check', () => {
  let program: CheckProgram;
  let env: Record<string, string>;
  const started: TlsPeer[] = [];
  useCheck((world) => {
    ({ program } = world);
  });
  beforeEach(async () => {
    const trusted = join(program.folder, 'authority.pem');
    await writeFile(trusted, authority.cert);
    env = { AUTOMATION_PLATFORM_TOKEN: DEFAULT_TOKEN, NODE_EXTRA_CA_CERTS: trusted };
  });
  afterEach(async () => {
    for (const peer of started.splice(0)) await peer.stop();
  });

  /** Waits until a server runs, and stops it after the test. */
  async function running(starting: Promise<TlsPeer>): Promise<TlsPeer> {
    const peer = await starting;
    started.push(peer);
    return peer;
  }

  /** Runs the check with a base URL on this host, and with these further variables. */
  const check = (host: string, more: Record<string, string> = {}) => {
    const baseUrl = `https://${host}/api/v1`;
    return program.run(['--id', 'dep_ok'], {
      ...env,
      AUTOMATION_PLATFORM_BASE_URL: baseUrl,
      ...more,
    });
  };

  /** What the check prints when Node uses the proxy at this address. */
  async function outputThrough(
    HTTPS_PROXY: string,
    { host = 'platform.test.example', ...more }: Record<string, string> = {},
  ): Promise<string> {
    const { stdout } = await check(host, { HTTPS_PROXY, NODE_USE_ENV_PROXY: '1', ...more });
    return stdout;
  }

  for (const [name, [start, words]] of Object.entries(situations)) {
    it(`explains why a platform that ${name} is unreachable`, async () => {
      const peer = await running(start());
      const { end, stdout } = await check(`localhost:${peer.port}`);
      const [, explanation = stdout] =
        /^.*?Unreachable \(TLS\)\. localhost:\d+: (.*)$/m.exec(stdout) ?? [];
      assert.match(explanation, words);
      assert.equal(end, 2);
    });
  }

  it('names NODE_EXTRA_CA_CERTS when the issuer of a certificate is not trusted', async () => {
    const peer = await running(serve());
    const { stdout } = await check(`localhost:${peer.port}`, { NODE_EXTRA_CA_CERTS: '' });
    assert.match(
      stdout,
      /If a private CA issued it, set NODE_EXTRA_CA_CERTS to a file with the root certificate/,
    );
  });

  it('names HTTPS_PROXY when the certificate of the proxy is for another host', async function () {
    if (!canUseProxies()) this.skip();
    const peer = await running(serve({}, ['other.example']));
    const output = await outputThrough(`https://127.0.0.1:${peer.port}`);
    assert.match(
      output,
      /proxy 127\.0\.0\.1:\d+: certificate issued for another host .*\. Check HTTPS_PROXY\./,
    );
  });

  it('names NODE_EXTRA_CA_CERTS when the issuer of the proxy’s certificate is not trusted', async function () {
    if (!canUseProxies()) this.skip();
    const peer = await running(serve({}, ['other.example']));
    const output = await outputThrough(`https://127.0.0.1:${peer.port}`, {
      NODE_EXTRA_CA_CERTS: '',
    });
    assert.match(
      output,
      /proxy 127\.0\.0\.1:\d+: certificate issuer not trusted .* set NODE_EXTRA_CA_CERTS /,
    );
    assert.doesNotMatch(output, /VS Code/);
  });

  for (const [what, start, code] of [
    ['resets the handshake', startResetting, 'ECONNRESET'],
    [
      'wants a client certificate',
      async () => startWantingCertificate(await authority.issue(['127.0.0.1']), 'TLSv1.3'),
      'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
    ],
  ] as const) {
    it(`names a proxy that ${what}`, async function () {
      if (!canUseProxies()) this.skip();
      const peer = await running(start());
      const output = await outputThrough(`https://127.0.0.1:${peer.port}`);
      assert.match(output, /Unreachable \(proxy\)\. .*proxy 127\.0\.0\.1:\d+/);
      assert.match(output, new RegExp(`\\(${code}\\)`));
    });

    it(`connects fewer than 20 times to a proxy that ${what}`, async function () {
      if (!canUseProxies()) this.skip();
      const peer = await running(start());
      await outputThrough(`https://127.0.0.1:${peer.port}`);
      assert.ok(peer.connections() < 20, `${peer.connections()} connections`);
    });
  }

  it('blames the platform for its own refusal when its proxy has the same host', async function () {
    if (!canUseProxies()) this.skip();
    const own = await authority.issue(['localhost']);
    const peer = await running(startWantingCertificate(own, 'TLSv1.3'));
    const proxy = await startProxy({ knows: { localhost: peer.port }, tls: own });
    const host = `localhost:${peer.port}`;
    const output = await outputThrough(`https://localhost:${proxy.port}`, { host });
    await proxy.stop();
    assert.match(output, /Unreachable \(TLS\)\. localhost:\d+: a client certificate is required/);
  });

  it('names a proxy that does not speak HTTP', async function () {
    if (!canUseProxies()) this.skip();
    const peer = await running(startPlain('SSH-2.0-OpenSSH_9.2\r\n'));
    const output = await outputThrough(`http://127.0.0.1:${peer.port}`);
    assert.match(
      output,
      /Unreachable \(proxy\)\. .*proxy 127\.0\.0\.1:\d+ failed \(HPE_INVALID\w*\)\. Check HTTPS_PROXY\./,
    );
  });

  it('suggests http:// for a proxy that speaks plain HTTP behind an https address', async function () {
    if (!canUseProxies()) this.skip();
    const peer = await running(startPlain());
    const output = await outputThrough(`https://127.0.0.1:${peer.port}`);
    assert.match(output, /no TLS on this port/);
    assert.match(output, /Write http:\/\/ instead of https:\/\/ in HTTPS_PROXY\./);
  });
});
