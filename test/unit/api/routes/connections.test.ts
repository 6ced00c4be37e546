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

  it('of an authority in the system is trusted, unless http.systemCertificates is off', async () => {
    const target = await start(platformTls);
    assert.deepEqual((await harness.read(undefined, target)).value, healthy());
    harness.settings = { ...plainSettings, systemCertificates: false };
    harness.router.forget();
    assert.equal((await failureOf(harness.read(undefined, target))).kind, 'unreachable');
  });

  it('of an authority in the system is not trusted while the system keeps silent, and the router reports it', async () => {
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
    assert.deepEqual([failure.kind, reported], ['unreachable', ['ETIMEDOUT']]);
    await own.stop();
  });

  const stranger = createAuthority('Stranger').then(({ issue }) => issue([platformHost]));
  const unknown = 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY';
  const table: Record<string, [code: string, tls: Promise<Certificate>]> = {
    'of an unknown authority': [unknown, stranger],
    'for another host': ['ERR_TLS_CERT_ALTNAME_INVALID', authority.issue(['other.example'])],
    'that has expired': ['CERT_HAS_EXPIRED', authority.issue([platformHost], past)],
    [`of an unknown authority with ${rejectUnauthorized}`]: [unknown, stranger],
  };
  for (const [name, [code, tls]] of Object.entries(table)) {
    it(`${name} is refused, and nothing is sent`, async () => {
      if (name.endsWith(rejectUnauthorized)) process.env[rejectUnauthorized] = '0';
      const target = await start(await tls);
      const failure = await failureOf(harness.read(undefined, target));
      const outcome = await harness.revoke(undefined, target);
      assert.ok(failure.kind === 'unreachable');
      const { step, host, port } = failure.cause;
      assert.deepEqual(
        { step, code: failure.cause.code, host, port },
        { step: 'tls', code, host: platformHost, port: portOf(platform) },
      );
      assert.equal(outcome.kind, 'notSent');
      assert.deepEqual(platform.requests, []);
    });
  }
});

// On Linux 127.0.0.2 to .9 are this machine as well, and no server listens there; 192.0.2.1 is never anywhere. Elsewhere they are not
// there, or slow to refuse.
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
    test(`is reached at the one that lives: ${addresses.join(', ')}`, async () => {
      harness.names = { localhost: addresses };
      assert.deepEqual((await harness.read(undefined, target())).value, healthy());
      assert.equal((await harness.revoke(undefined, target())).kind, 'revoked');
    });
  }

  onLinux('of which none lives is refused', async () => {
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

/** As Node reports it of a call of the system. */
function failed(syscall: string, code: string): Error {
  return Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
}

/** As Node reports it if no address of a name answers: with the code of the first. */
function none(...errors: Error[]): Error {
  return Object.assign(new AggregateError(errors), { code: codeOf(errors[0]) });
}

const silent = failed('connect', 'ETIMEDOUT');
const refused = failed('connect', 'ECONNREFUSED');

it('waiting for a socket that is gone fails at once', async () => {
  const socket = new Socket().destroy();
  await once(socket, 'close');
  await assert.rejects(untilEvent(socket, 'connect', new AbortController().signal), {
    code: 'ECONNRESET',
  });
});

it('the code of the error of several addresses is that of the first that is no time-out', () => {
  assert.equal(codeOf(none(silent, refused)), 'ECONNREFUSED');
  assert.equal(codeOf(none(silent, silent)), 'ETIMEDOUT');
});

it('only the call that failed proves that nothing was sent', () => {
  assert.equal(failedToConnect(failed('getaddrinfo', 'EMFILE')), true);
  assert.equal(failedToConnect(failed('read', 'ECONNREFUSED')), false);
  assert.equal(
    failedToConnect(new TypeError('fetch failed', { cause: none(silent, refused) })),
    true,
  );
  assert.equal(
    failedToConnect(new TypeError('fetch failed', { cause: failed('read', 'EHOSTUNREACH') })),
    false,
  );
});
