import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { Socket } from 'node:net';

import { codeOf, failedToConnect } from '../../../../src/api/network/errorCodes.js';
import { untilEvent } from '../../../../src/api/network/open.js';
import { type Certificate, createAuthority } from '../../../support/platform/certificates.js';
import { healthy } from '../../../support/platform/data.js';
import { type Platform, startPlatform } from '../../../support/platform/platform.js';
import {
  authority,
  deploymentId,
  failureOf,
  Harness,
  never,
  plainSettings,
  platformHost,
  platformTls,
  portOf,
  rejectUnauthorized,
  used,
  watched,
} from '../harness.js';

const day = 24 * 3600_000;
const past = {
  notBeforeDate: new Date(Date.now() - 9 * day),
  notAfterDate: new Date(Date.now() - day),
};

describe('a certificate', () => {
  const harness = used(new Harness());
  let platform: Platform;
  beforeEach(() => {
    harness.names = { [platformHost]: ['127.0.0.1'] };
  });
  afterEach(() => platform.stop());

  const start = async (tls: { cert: string; key: string }) => {
    platform = await startPlatform({ tls: { ...tls, name: platformHost } });
    platform.putDeployment(deploymentId, healthy());
    return { ...harness.target, baseUrl: platform.baseUrl };
  };

  it('is trusted when its authority is in the system', async () => {
    const target = await start(platformTls);
    assert.deepEqual((await harness.read(undefined, target)).value, healthy());
  });

  it('is not trusted after http.systemCertificates was turned off', async () => {
    const target = await start(platformTls);
    await harness.read(undefined, target);
    harness.settings = { ...plainSettings, systemCertificates: false };
    harness.router.forget();
    const failure = await failureOf(harness.read(undefined, target));
    assert.equal(failure.kind, 'unreachable');
  });

  it("is not trusted when reading the system's certificates takes too long", async () => {
    const reported: string[] = [];
    const { begun, start: readCertificates } = watched(never);
    const own = await new Harness({
      readCertificates,
      onTrustFailure: (code) => reported.push(code),
    }).start();
    own.names = harness.names;
    const reading = failureOf(own.read(undefined, await start(platformTls)));
    await begun;
    own.endWaitForCertificates();
    const failure = await reading;
    assert.equal(failure.kind, 'unreachable');
    assert.deepEqual(reported, ['ETIMEDOUT']);
    await own.stop();
  });

  const stranger = createAuthority('Stranger').then(({ issue }) => issue([platformHost]));
  const unknown = 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY';
  const table: Record<string, [code: string, tls: Promise<Certificate>]> = {
    'its authority is unknown': [unknown, stranger],
    'it is for another host': ['ERR_TLS_CERT_ALTNAME_INVALID', authority.issue(['other.example'])],
    'it has expired': ['CERT_HAS_EXPIRED', authority.issue([platformHost], past)],
    [`its authority is unknown in spite of ${rejectUnauthorized}`]: [unknown, stranger],
  };
  for (const [name, [code, tls]] of Object.entries(table)) {
    it(`is refused when ${name}`, async () => {
      if (name.endsWith(rejectUnauthorized)) process.env[rejectUnauthorized] = '0';
      const target = await start(await tls);
      const failure = await failureOf(harness.read(undefined, target));
      const outcome = await harness.revoke(undefined, target);
      assert.ok(failure.kind === 'unreachable', failure.kind);
      assert.equal(failure.cause.step, 'tls');
      assert.equal(failure.cause.code, code);
      assert.equal(failure.cause.host, platformHost);
      assert.equal(failure.cause.port, portOf(platform));
      assert.equal(outcome.kind, 'notSent');
      assert.deepEqual(platform.requests, []);
    });
  }
});

// On Linux, 127.0.0.2 to 127.0.0.9 are this machine, where no server listens. On other systems, they do not exist or refuse slowly.
// 192.0.2.1 exists nowhere.
const onLinux = process.platform === 'linux' ? it : it.skip;

describe('a name with several addresses', () => {
  const harness = used(new Harness());
  const target = () => ({
    ...harness.target,
    baseUrl: `http://localhost:${portOf(harness.platform)}/api/v1`,
  });

  for (const [test, addresses] of [
    [it, ['::1', '127.0.0.1']],
    [it, ['192.0.2.1', '127.0.0.1']],
    [onLinux, ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.1']],
  ] as const) {
    test(`is reached at one of them: ${addresses.join(' ')}`, async () => {
      harness.names = { localhost: addresses };
      assert.deepEqual((await harness.read(undefined, target())).value, healthy());
      assert.equal((await harness.revoke(undefined, target())).kind, 'revoked');
    });
  }

  onLinux('is refused when all its addresses refuse', async () => {
    harness.names = { localhost: ['127.0.0.2', '127.0.0.3'] };
    const cause = {
      step: 'refused',
      code: 'ECONNREFUSED',
      host: 'localhost',
      port: portOf(harness.platform),
    };
    assert.deepEqual(await failureOf(harness.read(undefined, target())), {
      kind: 'unreachable',
      cause,
    });
  });
});

/** The error of Node for a failed call of the system. */
function failed(syscall: string, code: string): Error {
  return Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
}

/** The error of Node when no address of a name answers: with the code of the first address. */
function none(...errors: Error[]): Error {
  return Object.assign(new AggregateError(errors), { code: codeOf(errors[0]) });
}

const silent = failed('connect', 'ETIMEDOUT');
const refused = failed('connect', 'ECONNREFUSED');

it('waiting for an event of a closed socket fails at once', async () => {
  const socket = new Socket().destroy();
  await once(socket, 'close');
  await assert.rejects(untilEvent(socket, 'connect', new AbortController().signal), {
    code: 'ECONNRESET',
  });
});

describe('the code of an error of several addresses', () => {
  it('is the first code that is no time-out', () => {
    assert.equal(codeOf(none(silent, refused)), 'ECONNREFUSED');
  });

  it('is ETIMEDOUT when all addresses timed out', () => {
    assert.equal(codeOf(none(silent, silent)), 'ETIMEDOUT');
  });
});

describe('an error', () => {
  for (const [name, error] of Object.entries({
    'a name': failed('getaddrinfo', 'EMFILE'),
    'a connection of fetch': new TypeError('fetch failed', { cause: none(silent, refused) }),
  })) {
    it(`proves that nothing was sent when it is about ${name}`, () => {
      assert.equal(failedToConnect(error), true);
    });
  }

  for (const [name, error] of Object.entries({
    'reading a socket': failed('read', 'ECONNREFUSED'),
    'reading by fetch': new TypeError('fetch failed', { cause: failed('read', 'EHOSTUNREACH') }),
  })) {
    it(`proves nothing about the request when it is about ${name}`, () => {
      assert.equal(failedToConnect(error), false);
    });
  }
});
