import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import tls from 'node:tls';
import { promisify } from 'node:util';
import { parseBaseUrl } from '../../../../src/api/entered/baseUrl.js';
import type { ConnectionCause, Failure } from '../../../../src/api/failure.js';
import { sendByEditor } from '../../../../src/api/network/editorFetch.js';
import { codeOf } from '../../../../src/api/network/errorCodes.js';
import { extraCertificatesProblem } from '../../../../src/api/network/extraCertificates.js';
import { isTlsError, tlsProblemOf } from '../../../../src/api/network/tlsErrors.js';
import type { WireRequest } from '../../../../src/api/network/wire.js';
import { type Certificate, createAuthority } from '../../../support/platform/certificates.js';
import { healthy } from '../../../support/platform/data.js';
import { type Platform, startPlatform } from '../../../support/platform/platform.js';
import {
  alerts,
  startAlerting,
  startClosing,
  startGateway,
  startPlain,
  startResetting,
  startServing,
  startWantingCertificate,
  type TlsPeer,
} from '../../../support/platform/tlsPeers.js';
import { temporaryFolder } from '../../../support/temporaryFolder.js';
import {
  authority,
  deploymentId,
  editorWayTo,
  failureOf,
  Harness,
  named,
  newCall,
  plainSettings,
  platformHost,
  platformTls,
  portOf,
  used,
} from '../harness.js';

const runFile = promisify(execFile);

function moduleUrl(name: string): string {
  return new URL(`../../../../src/api/network/${name}.js`, import.meta.url).href;
}

/** What a script prints in a Node of its own that also trusts the certificates of a file. */
async function runs(script: string, extraCertificates: string): Promise<string> {
  const env = { PATH: process.env['PATH'], NODE_EXTRA_CA_CERTS: extraCertificates };
  const { stdout } = await runFile(process.execPath, ['--input-type=module', '--eval', script], {
    env,
  });
  return stdout;
}

const day = 24 * 3600_000;
const past = {
  notBeforeDate: new Date(Date.now() - 9 * day),
  notAfterDate: new Date(Date.now() - 2 * day),
};
const future = {
  notBeforeDate: new Date(Date.now() + 2 * day),
  notAfterDate: new Date(Date.now() + 9 * day),
};

/** Epoch ms without the part of a second, which a certificate does not hold. */
function inSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000) * 1000;
}

function causeIn(failure: Failure): ConnectionCause {
  assert.ok(failure.kind === 'unreachable', failure.kind);
  return failure.cause;
}

function get(origin: string): WireRequest {
  const { signal } = new AbortController();
  return {
    method: 'GET',
    origin,
    path: '/',
    headers: {},
    urgent: false,
    needsNewConnection: false,
    signal,
  };
}

const peers: Readonly<Record<string, readonly [problem: string, start: () => Promise<TlsPeer>]>> = {
  'speaks plain HTTP': ['plainPort', () => startPlain()],
  'speaks SSH': ['plainPort', () => startPlain('SSH-2.0-OpenSSH_9.2\r\n')],
  'refuses the handshake': ['refused', () => startAlerting(alerts.handshakeFailure)],
  'finds the certificate of the client bad': [
    'clientCertificate',
    () => startAlerting(alerts.badCertificate),
  ],
  'does not know the authority of the client': ['refused', () => startAlerting(alerts.unknownCa)],
  'denies access': ['refused', () => startAlerting(alerts.accessDenied)],
  'supports no version of the client': ['version', () => startAlerting(alerts.protocolVersion)],
  'does not know the name': ['unknownName', () => startAlerting(alerts.unrecognizedName)],
  'has an internal error': ['other', () => startAlerting(alerts.internalError)],
  'requires a certificate': ['clientCertificate', () => startAlerting(alerts.certificateRequired)],
  'closes the connection': ['closed', startClosing],
  'resets the connection': ['closed', startResetting],
};

describe('a handshake', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  before(async () => {
    folder = await temporaryFolder();
  });
  after(() => folder.remove());
  const harness = used(new Harness());
  const secure = used(new Harness({}, { tls: platformTls }));
  let peer: TlsPeer;
  beforeEach(() => {
    harness.names = { [platformHost]: ['127.0.0.1'] };
  });
  afterEach(() => peer.stop());

  const target = () => ({
    ...harness.target,
    baseUrl: `https://${platformHost}:${peer.port}/api/v1`,
  });

  for (const [name, [problem, start]] of Object.entries(peers)) {
    it(`fails in the TLS step when the server ${name}`, async () => {
      peer = await start();
      const cause = causeIn(await failureOf(harness.read(undefined, target())));
      assert.equal(cause.step, 'tls');
      assert.notEqual(cause.code, 'UNKNOWN');
      assert.equal(tlsProblemOf(cause), problem, cause.code);
    });

    it(`fails alike in fetch when the server ${name}`, async () => {
      peer = await start();
      const own = causeIn(await failureOf(harness.read(undefined, target())));
      const result = await sendByEditor(fetch, get(`https://127.0.0.1:${peer.port}`));
      assert.ok(result.kind === 'unanswered', result.kind);
      const cause = causeIn(result.failure);
      assert.equal(cause.step, 'tls');
      assert.equal(cause.code, own.code);
    });
  }

  it('is tried again when the connection breaks', async () => {
    const gateway = await startGateway(portOf(secure.platform), 1);
    peer = gateway;
    secure.names = { [platformHost]: ['127.0.0.1'] };
    const baseUrl = `https://${platformHost}:${gateway.port}/api/v1`;
    assert.deepEqual(
      (await secure.read(undefined, { ...secure.target, baseUrl })).value,
      healthy(),
    );
    assert.equal(gateway.connections(), 2);
  });

  it('is not tried again when the certificate is refused', async () => {
    peer = await startServing(await authority.issue(['other.example']));
    causeIn(await failureOf(harness.read(undefined, target())));
    assert.equal(peer.connections(), 1);
  });

  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    it(`fails in the TLS step when the server wants a client certificate (${version})`, async () => {
      peer = await startWantingCertificate(platformTls, version);
      const cause = causeIn(await failureOf(harness.read(undefined, target())));
      const problem = tlsProblemOf(cause);
      assert.equal(cause.step, 'tls');
      assert.match(
        problem,
        version === 'TLSv1.3' ? /^clientCertificate$/ : /^(?:refused|clientCertificate)$/,
        cause.code,
      );
    });
  }

  it('fails in the TLS step of fetch when the server wants a client certificate', async () => {
    peer = await startWantingCertificate(await authority.issue(['127.0.0.1']), 'TLSv1.3');
    const script = `
      const { sendByEditor } = await import(${JSON.stringify(moduleUrl('editorFetch'))});
      const { signal } = new AbortController();
      const request = { method: 'GET', origin: 'https://127.0.0.1:${peer.port}', path: '/', headers: {}, signal };
      console.log(JSON.stringify(await sendByEditor(fetch, request)));
    `;
    const file = join(folder.path, 'authority.pem');
    await writeFile(file, authority.cert);
    const { maybeSent, failure } = JSON.parse(await runs(script, file));
    assert.equal(failure.cause.step, 'tls');
    assert.equal(failure.cause.code, 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED');
    assert.equal(maybeSent, true);
  });

  it('is not tried again for a revocation when the server wants a client certificate', async () => {
    peer = await startWantingCertificate(platformTls, 'TLSv1.3');
    const outcome = await harness.revoke(undefined, target());
    assert.ok('failure' in outcome, outcome.kind);
    assert.ok(outcome.failure !== undefined, outcome.kind);
    assert.equal(causeIn(outcome.failure).step, 'tls');
    // On loopback, the refusal may arrive before the request has left.
    assert.match(outcome.kind, /^(?:unknown|notSent)$/);
    assert.equal(peer.connections(), 1);
  });

  it('fails in the proxy step when the proxy wants a client certificate', async () => {
    peer = await startWantingCertificate(await authority.issue(['127.0.0.1']), 'TLSv1.3');
    harness.settings = {
      ...plainSettings,
      proxies: named(`https://127.0.0.1:${peer.port}`, 'HTTPS_PROXY'),
    };
    const cause = causeIn(await failureOf(harness.read(undefined, target())));
    assert.equal(cause.step, 'proxy');
    assert.equal(cause.code, 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED');
  });

  it('fails in the proxy step when the proxy speaks plain HTTP', async () => {
    peer = await startPlain();
    harness.settings = {
      ...plainSettings,
      proxies: named(`https://127.0.0.1:${peer.port}`, 'HTTPS_PROXY'),
    };
    const cause = causeIn(await failureOf(harness.read(undefined, target())));
    const facts = {
      step: 'proxy',
      code: cause.code,
      host: '127.0.0.1',
      port: peer.port,
      source: 'HTTPS_PROXY',
    };
    assert.deepEqual(cause, facts);
    assert.equal(tlsProblemOf(cause), 'plainPort');
  });
});

describe('a failed handshake that succeeds in the editor', () => {
  let now: number;
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  let editorRequests: number;
  const harness = used(
    new Harness(
      {
        elapsed: () => now,
        editorFetch: async (...request) => {
          editorRequests += 1;
          return editor(...request);
        },
      },
      { tls: platformTls },
    ),
  );
  let plain: Platform;
  const editor = editorWayTo(() => plain);

  beforeEach(async () => {
    now = 1000;
    editorRequests = 0;
    gateway = await startGateway(portOf(harness.platform));
    plain = await startPlatform();
    plain.putDeployment(deploymentId, healthy());
    harness.names = { [platformHost]: ['127.0.0.1'] };
  });
  afterEach(() => Promise.all([gateway.stop(), plain.stop()]));

  async function read(): Promise<void> {
    const baseUrl = `https://${platformHost}:${gateway.port}/api/v1`;
    assert.deepEqual(
      (await harness.read(newCall(), { ...harness.target, baseUrl })).value,
      healthy(),
    );
  }

  it('is tried again within ten seconds', async () => {
    await read();
    await read();
    assert.equal(gateway.connections(), 2);
    assert.equal(editorRequests, 2);
  });

  it('changes the route when repeated after ten seconds', async () => {
    await read();
    now += 10_000;
    await read();
    await read();
    assert.equal(gateway.connections(), 2);
    assert.equal(editorRequests, 3);
  });

  it('changes no route when one succeeded in between', async () => {
    await read();
    now += 10_000;
    gateway.breaks = false;
    await read();
    gateway.breaks = true;
    // A revocation opens a new connection.
    const target = { ...harness.target, baseUrl: `https://${platformHost}:${gateway.port}/api/v1` };
    await harness.revoke(undefined, target);
    await harness.revoke(undefined, target);
    assert.equal(gateway.connections(), 4);
    assert.equal(editorRequests, 3);
  });
});

describe('the certificates of a platform', () => {
  let platform: Platform;
  let harness: Harness;
  afterEach(async () => {
    await harness.stop();
    await platform.stop();
  });

  /** Starts a platform that sends `sent` after its own certificate, and a client that trusts `trusted`. */
  async function start(
    own: Certificate,
    sent: readonly string[],
    trusted: readonly string[],
  ): Promise<void> {
    const certificates = { key: own.key, cert: [own.cert, ...sent].join('\n') };
    platform = await startPlatform({ tls: { ...certificates, name: platformHost } });
    platform.putDeployment(deploymentId, healthy());
    harness = await new Harness({
      readCertificates: () => Promise.resolve([...tls.rootCertificates, ...trusted]),
    }).start();
    harness.names = { [platformHost]: ['127.0.0.1'] };
  }
  const read = () => harness.read(newCall(), { ...harness.target, baseUrl: platform.baseUrl });
  const causeOfFailure = async () => causeIn(await failureOf(read()));

  const root = createAuthority('Root');
  const issuing = root.then((authorityOfAll) => authorityOfAll.issueAuthority('Issuing'));
  const leaf = issuing.then(({ issue }) => issue([platformHost]));

  it('are trusted when the machine has the authority without its root', async () => {
    await start(await leaf, [(await issuing).cert], [(await issuing).cert]);
    assert.deepEqual((await read()).value, healthy());
  });

  it('are trusted when only the machine has the issuing authority', async () => {
    await start(await leaf, [], [(await issuing).cert]);
    assert.deepEqual((await read()).value, healthy());
  });

  it('are trusted when the machine has only the certificate itself', async () => {
    const own = await leaf;
    await start(own, [(await issuing).cert], [own.cert]);
    assert.deepEqual((await read()).value, healthy());
  });

  it('are not trusted for another host when the machine has them', async () => {
    const own = await (await issuing).issue(['other.example']);
    await start(own, [(await issuing).cert], [own.cert]);
    assert.equal(tlsProblemOf(await causeOfFailure()), 'wrongName');
  });

  it('are not trusted after their time when the machine has them', async () => {
    const own = await (await issuing).issue([platformHost], past);
    await start(own, [(await issuing).cert], [own.cert]);
    assert.equal(tlsProblemOf(await causeOfFailure()), 'expired');
  });

  it('may lack an intermediate one when the platform sends only its own', async () => {
    await start(await leaf, [], [(await root).cert]);
    assert.equal(tlsProblemOf(await causeOfFailure()), 'leafAlone');
  });

  it('have an unknown issuer when all are sent and the root is not trusted', async () => {
    await start(await leaf, [(await issuing).cert], []);
    assert.equal(tlsProblemOf(await causeOfFailure()), 'issuer');
  });

  const times = { past, future } as const;
  it('are reported without times when a root of the machine has expired', async () => {
    const old = await createAuthority('Old root', past);
    await start(await old.issue([platformHost]), [], [old.cert]);
    const { times: found, ...cause } = await causeOfFailure();
    assert.equal(cause.code, 'CERT_HAS_EXPIRED');
    assert.deepEqual(Object.keys(found ?? {}), ['now']);
  });

  for (const [when, code] of [
    ['past', 'CERT_HAS_EXPIRED'],
    ['future', 'CERT_NOT_YET_VALID'],
  ] as const) {
    const validity = times[when];
    const expected = {
      validFrom: inSeconds(validity.notBeforeDate),
      validTo: inSeconds(validity.notAfterDate),
    };

    it(`are reported with their times when valid only in the ${when}`, async () => {
      await start(await authority.issue([platformHost], validity), [], [authority.cert]);
      const before = Date.now();
      const { times: found, ...cause } = await causeOfFailure();
      assert.equal(cause.code, code);
      const { now = 0, ...others } = found ?? {};
      assert.deepEqual(others, expected);
      assert.ok(now >= before, `${now} is before the read`);
      assert.ok(now <= Date.now(), `${now} is in the future`);
    });

    it(`are reported with the times of an intermediate one of the ${when}`, async () => {
      const outdated = await (await root).issueAuthority('Outdated', validity);
      await start(await outdated.issue([platformHost]), [outdated.cert], [(await root).cert]);
      const { times: found, ...cause } = await causeOfFailure();
      assert.equal(cause.code, code);
      const { now: _, ...others } = found ?? { now: 0 };
      assert.deepEqual(others, expected);
    });
  }
});

describe('the dot at the end of a host', () => {
  it('is removed before a name is resolved, verified, or sent', async () => {
    const harness = await new Harness({}, { tls: platformTls }).start();
    harness.names = { [platformHost]: ['127.0.0.1'] };
    const parsed = parseBaseUrl(harness.target.baseUrl.replace(platformHost, `${platformHost}.`));
    assert.ok(parsed.ok);
    assert.deepEqual(
      (await harness.read(newCall(), { ...harness.target, baseUrl: parsed.url })).value,
      healthy(),
    );
    assert.deepEqual(harness.resolved, [platformHost]);
    assert.equal(harness.platform.requests[0]?.headers.host, new URL(harness.target.baseUrl).host);
    await harness.stop();
  });
});

describe('tlsProblemOf()', () => {
  const problems: Readonly<Record<string, string>> = {
    ERR_SSL_WRONG_VERSION_NUMBER: 'plainPort',
    ERR_SSL_PACKET_LENGTH_TOO_LONG: 'plainPort',
    'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE': 'refused',
    ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: 'refused',
    'ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE': 'clientCertificate',
    ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'clientCertificate',
    ERR_SSL_TLSV1_ALERT_CERTIFICATE_REQUIRED: 'clientCertificate',
    'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_UNKNOWN': 'refused',
    ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'version',
    ERR_SSL_TLSV1_UNRECOGNIZED_NAME: 'unknownName',
    ERR_SSL_TLSV1_ALERT_UNRECOGNIZED_NAME: 'unknownName',
    ERR_TLS_CERT_ALTNAME_INVALID: 'wrongName',
    UND_ERR_PRX_TLS: 'wrongName',
    UNABLE_TO_GET_ISSUER_CERT: 'issuer',
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'issuer',
    SELF_SIGNED_CERT_IN_CHAIN: 'issuer',
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'leafAlone',
    DEPTH_ZERO_SELF_SIGNED_CERT: 'selfSigned',
    CERT_REVOKED: 'revoked',
    UNSPECIFIED: 'rejected',
    INVALID_PURPOSE: 'rejected',
    PATH_LENGTH_EXCEEDED: 'rejected',
    ERR_SSL_DH_KEY_TOO_SMALL: 'weak',
    CA_MD_TOO_WEAK: 'weak',
    'ERR_SSL_SSL/TLS_ALERT_BAD_RECORD_MAC': 'other',
    ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: 'other',
  };
  for (const [code, problem] of Object.entries(problems)) {
    it(`is ${problem} for ${code}`, () => {
      assert.equal(tlsProblemOf({ code }), problem);
      assert.equal(isTlsError(code), true);
    });
  }

  it('is other for a wrong version number after the handshake', () => {
    assert.equal(
      tlsProblemOf({ code: 'ERR_SSL_WRONG_VERSION_NUMBER', isAfterHandshake: true }),
      'other',
    );
  });

  it('is selfSigned for a certificate that is its own issuer', () => {
    assert.equal(
      tlsProblemOf({ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', issuer: 'itself' }),
      'selfSigned',
    );
  });
});

describe('isTlsError()', () => {
  for (const code of ['ECONNRESET', 'ENOTFOUND', 'UND_ERR_SOCKET', 'HPE_INVALID']) {
    it(`is false for ${code}`, () => assert.equal(isTlsError(code), false));
  }
});

describe('codeOf()', () => {
  const codes = [
    'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE',
    'ERR_SSL_AT_LEAST_TLS_1.0_NEEDED_IN_FIPS_MODE',
    `ERR_SSL_${'X'.repeat(80)}`,
  ];
  for (const code of codes) {
    it(`is the code of the cause: ${code.slice(0, 60)}`, () => {
      assert.equal(
        codeOf(new TypeError('fetch failed', { cause: Object.assign(new Error(), { code }) })),
        code,
      );
    });
  }

  it("is Chromium's code in the message of Electron's fetch", () => {
    assert.equal(
      codeOf(new Error('net::ERR_CERT_AUTHORITY_INVALID')),
      'ERR_CERT_AUTHORITY_INVALID',
    );
  });

  it("is OpenSSL's reason in the message of Node's EPROTO", () => {
    const message =
      'write EPROTO 40D7F2:error:0A000410:SSL routines:ssl3_read_bytes:sslv3 alert handshake failure:../ssl.c:1:';
    const error = Object.assign(new Error(message), { code: 'EPROTO', syscall: 'write' });
    assert.equal(codeOf(error), 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE');
  });

  for (const code of ['<img src=x>', 'ERR_SSL_A B', 'lower', `ERR_${'X'.repeat(200)}`]) {
    it(`is UNKNOWN for the text ${code.slice(0, 20)}`, () => {
      assert.equal(codeOf(Object.assign(new Error(), { code })), 'UNKNOWN');
    });
  }
});

describe('the problem with NODE_EXTRA_CA_CERTS', () => {
  const { signal } = new AbortController();
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  before(async () => {
    folder = await temporaryFolder();
  });
  after(() => folder.remove());

  it('is undefined when the variable is not set', async () => {
    assert.equal(await extraCertificatesProblem(signal, ''), undefined);
  });

  it('is ENOENT for a file that does not exist', async () => {
    const problem = await extraCertificatesProblem(signal, join(folder.path, 'absent.pem'));
    assert.deepEqual(problem, { kind: 'unreadable', code: 'ENOENT' });
  });

  it('is EISDIR for a folder', async () => {
    const problem = await extraCertificatesProblem(signal, folder.path);
    assert.deepEqual(problem, { kind: 'unreadable', code: 'EISDIR' });
  });

  it('is noCertificate for a file without a certificate', async () => {
    const file = join(folder.path, 'empty.pem');
    await writeFile(file, 'no PEM');
    assert.deepEqual(await extraCertificatesProblem(signal, file), { kind: 'noCertificate' });
  });

  for (const [what, text] of [
    ['a damaged certificate', authority.cert.replace(/\n.{8}/, '\n########')],
    ['two certificates without a line break', authority.cert.trimEnd() + authority.cert],
  ] as const) {
    it(`is damaged for a file with ${what}`, async () => {
      const file = join(folder.path, 'damaged.pem');
      await writeFile(file, text);
      assert.deepEqual(await extraCertificatesProblem(signal, file), { kind: 'damaged' });
    });
  }

  it('is tooLate for a file that came after Node had started', async () => {
    const file = join(folder.path, 'late.pem');
    const script = `
      import { writeFile } from 'node:fs/promises';
      import tls from 'node:tls';
      // Node 24 reads the file of the variable only now.
      tls.getCACertificates?.('extra');
      const { extraCertificatesProblem } = await import(${JSON.stringify(moduleUrl('extraCertificates'))});
      await writeFile(${JSON.stringify(file)}, ${JSON.stringify(authority.cert)});
      console.log(JSON.stringify(await extraCertificatesProblem(new AbortController().signal) ?? null));
    `;
    // Older versions of Node do not name the certificates that they trust.
    const canTell = Reflect.has(tls, 'getCACertificates');
    const problem: unknown = JSON.parse(await runs(script, file));
    assert.deepEqual(problem, canTell ? { kind: 'tooLate' } : null);
  });
});
