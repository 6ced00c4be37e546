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
    const onTrustChange = (): void => void changes++;
    const options = { readCertificates, onTrustChange, onTrustFailure };
    harness = await new Harness(options, { tls: platformTls }).start();
    harness.names = { [platformHost]: ['127.0.0.1'] };
    // Longer than a test may take.
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

  /** A first request has made the router read them. Its connection is gone. */
  async function known(): Promise<void> {
    const reading = read();
    await (await readingBegins(1)).find(authority.cert);
    assert.deepEqual(await reading, healthy());
    harness.router.forget();
  }

  it('are trusted without waiting while they are read again', async () => {
    await known();
    assert.deepEqual(await read(), healthy());
    assert.equal(readings.length, 2);
  });

  it('are read again once for all requests after the network has changed', async () => {
    await known();
    await Promise.all([read(), read(), read()]);
    await readings[1]!.find(authority.cert);
    await harness.revoke();
    assert.equal(readings.length, 2);
  });

  it('stay trusted when reading them again fails, and the router reports it', async () => {
    await known();
    await read();
    await readings[1]!.fail('ENOMEM');
    assert.equal((await harness.revoke()).kind, 'revoked');
    assert.deepEqual(reported, ['ENOMEM, kept']);
  });

  it('are no longer trusted by new connections once reading them again has found others', async () => {
    await known();
    await read();
    await readings[1]!.find();
    const outcome = await harness.revoke();
    assert.ok(outcome.kind === 'notSent' && outcome.failure.kind === 'unreachable');
    assert.equal(tlsProblemOf(outcome.failure.cause), 'leafAlone');
  });

  it('are trusted by new connections once reading them again has found them', async () => {
    const reading = failureOf(harness.read());
    await (await readingBegins(1)).find();
    assert.equal((await reading).kind, 'unreachable');
    harness.router.forget();
    assert.equal((await failureOf(harness.read())).kind, 'unreachable');
    await readings[1]!.find(authority.cert);
    assert.deepEqual(await read(), healthy());
  });

  it('are no change where reading them again finds the same', async () => {
    await known();
    await read();
    await readings[1]!.find(authority.cert);
    assert.equal(changes, 1);
  });

  it('make a new context only where they differ, because that holds up the extension host', async () => {
    const { createSecureContext } = tls;
    let made = 0;
    tls.createSecureContext = (options) => {
      if (options?.ca !== undefined) made++;
      return createSecureContext(options);
    };
    try {
      await known();
      await read();
      await readings[1]!.find(authority.cert);
      assert.equal(made, 1);
    } finally {
      tls.createSecureContext = createSecureContext;
    }
  });

  it('are waited for when none are known because the first reading failed', async () => {
    const reading = failureOf(harness.read());
    await (await readingBegins(1)).fail('ENOMEM');
    assert.equal((await reading).kind, 'unreachable');
    assert.deepEqual(reported, ['ENOMEM, none']);
    harness.router.forget();
    const next = read();
    await (await readingBegins(2)).find(authority.cert);
    assert.deepEqual(await next, healthy());
  });

  it('that come after the time-out count from then on, also where the network has changed meanwhile', async () => {
    const first = failureOf(harness.read());
    await readingBegins(1);
    harness.endWaitForCertificates();
    assert.equal((await first).kind, 'unreachable');
    harness.router.forget();
    assert.equal((await failureOf(harness.read())).kind, 'unreachable');
    assert.deepEqual([readings.length, reported], [1, ['ETIMEDOUT, none']]);
    await readings[0]!.find(authority.cert);
    assert.equal(changes, 1);
    assert.deepEqual(await read(), healthy());
  });

  it('are not read, and not again, while http.systemCertificates is off', async () => {
    await known();
    harness.settings = { ...plainSettings, systemCertificates: false };
    harness.router.forget();
    assert.equal((await failureOf(harness.read())).kind, 'unreachable');
    assert.equal(readings.length, 1);
  });
});
