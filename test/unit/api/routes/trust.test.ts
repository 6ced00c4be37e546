import { strict as assert } from 'node:assert';
import tls from 'node:tls';
import { tlsProblemOf } from '../../../../src/api/network/tlsErrors.js';
import { healthy } from '../../../support/platform/data.js';
import {
  authority,
  failureOf,
  Harness,
  plainSettings,
  platformHost,
  platformTls,
  settle,
} from '../harness.js';

/** A reading of the machine's certificates that has begun, and what ends it. */
interface Reading {
  readonly find: (...authorities: readonly string[]) => Promise<void>;
  readonly fail: (code: string) => Promise<void>;
}

describe("the machine's certificates", () => {
  let readings: Reading[];
  let reported: string[];
  let changes: number;
  let harness: Harness;

  beforeEach(async () => {
    readings = [];
    reported = [];
    changes = 0;
    const onTrustChange = (): void => {
      changes += 1;
    };
    const options = { readCertificates, onTrustChange, onTrustFailure };
    harness = await new Harness(options, { tls: platformTls }).start();
    harness.names = { [platformHost]: ['127.0.0.1'] };
    // No request of a test times out.
    harness.limits.requestTimeout = 60_000;
  });
  afterEach(() => harness.stop());

  function readCertificates(): Promise<readonly string[]> {
    return new Promise((resolve, reject) => {
      readings.push({
        find: async (...authorities) => {
          resolve([...tls.rootCertificates, ...authorities]);
          await settle();
        },
        fail: async (code) => {
          reject(Object.assign(new Error(code), { code }));
          await settle();
        },
      });
    });
  }

  function onTrustFailure(code: string, areKept: boolean): void {
    reported.push(`${code}, ${areKept ? 'kept' : 'none'}`);
  }

  const read = async (): Promise<unknown> => (await harness.read()).value;

  async function readingBegins(count: number): Promise<Reading> {
    while (readings.length < count) await settle(1);
    return readings.at(-1)!;
  }

  /** Makes the router read the certificates for a first request, then forget its connection. */
  async function readOnce(): Promise<void> {
    const reading = read();
    await (await readingBegins(1)).find(authority.cert);
    assert.deepEqual(await reading, healthy());
    harness.router.forget();
  }

  it('are trusted without waiting while they are read again', async () => {
    await readOnce();
    assert.deepEqual(await read(), healthy());
    assert.equal(readings.length, 2);
  });

  it('are read again once after the network has changed', async () => {
    await readOnce();
    await Promise.all([read(), read(), read()]);
    await readings[1]!.find(authority.cert);
    await harness.revoke();
    assert.equal(readings.length, 2);
  });

  it('stay trusted when reading them again fails', async () => {
    await readOnce();
    await read();
    await readings[1]!.fail('ENOMEM');
    const outcome = await harness.revoke();
    assert.equal(outcome.kind, 'revoked');
    assert.deepEqual(reported, ['ENOMEM, kept']);
  });

  it('lose the trust of new connections when a new reading misses them', async () => {
    await readOnce();
    await read();
    await readings[1]!.find();
    const outcome = await harness.revoke();
    assert.ok(outcome.kind === 'notSent', outcome.kind);
    assert.ok(outcome.failure.kind === 'unreachable', outcome.failure.kind);
    assert.equal(tlsProblemOf(outcome.failure.cause), 'leafAlone');
  });

  it('get the trust of new connections when a new reading finds them', async () => {
    const reading = failureOf(harness.read());
    await (await readingBegins(1)).find();
    assert.equal((await reading).kind, 'unreachable');
    harness.router.forget();
    assert.equal((await failureOf(harness.read())).kind, 'unreachable');
    await readings[1]!.find(authority.cert);
    assert.deepEqual(await read(), healthy());
  });

  it('cause no change event when a second reading finds the same ones', async () => {
    await readOnce();
    await read();
    await readings[1]!.find(authority.cert);
    assert.equal(changes, 1);
  });

  // Making a context blocks the extension host.
  it('need no new context when a second reading finds the same ones', async () => {
    const { createSecureContext } = tls;
    let contexts = 0;
    tls.createSecureContext = (options) => {
      if (options?.ca !== undefined) contexts += 1;
      return createSecureContext(options);
    };
    try {
      await readOnce();
      await read();
      await readings[1]!.find(authority.cert);
      assert.equal(contexts, 1);
    } finally {
      tls.createSecureContext = createSecureContext;
    }
  });

  it('delay a request when an earlier reading has failed', async () => {
    const reading = failureOf(harness.read());
    await (await readingBegins(1)).fail('ENOMEM');
    assert.equal((await reading).kind, 'unreachable');
    assert.deepEqual(reported, ['ENOMEM, none']);
    harness.router.forget();
    const next = read();
    await (await readingBegins(2)).find(authority.cert);
    assert.deepEqual(await next, healthy());
  });

  it('get trust when they come after the time-out', async () => {
    const first = failureOf(harness.read());
    await readingBegins(1);
    harness.endWaitForCertificates();
    assert.equal((await first).kind, 'unreachable');
    harness.router.forget();
    assert.equal((await failureOf(harness.read())).kind, 'unreachable');
    assert.equal(readings.length, 1);
    assert.deepEqual(reported, ['ETIMEDOUT, none']);
    await readings[0]!.find(authority.cert);
    assert.equal(changes, 1);
    assert.deepEqual(await read(), healthy());
  });

  it('are not read again while http.systemCertificates is off', async () => {
    await readOnce();
    harness.settings = { ...plainSettings, systemCertificates: false };
    harness.router.forget();
    assert.equal((await failureOf(harness.read())).kind, 'unreachable');
    assert.equal(readings.length, 1);
  });
});
