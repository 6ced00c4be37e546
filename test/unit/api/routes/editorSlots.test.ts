import { strict as assert } from 'node:assert';
import type { Call } from '../../../../src/api/call.js';
import { healthy } from '../../../support/platform/data.js';
import {
  editorWayTo,
  failureOf,
  Harness,
  named,
  newCall,
  plainSettings,
  platformHost,
  settle,
  used,
} from '../harness.js';

describe("the editor's fetch", () => {
  /** What it was asked for and does not answer yet, in this order. */
  let open: { readonly goOn: () => void }[];
  /** How many it was asked for at the same time, at most. */
  let most: number;
  /** The methods of all that it was asked for. */
  let asked: string[];
  const harness: Harness = used(new Harness({ editorFetch: held }));
  const target = () => ({ ...harness.target, baseUrl: `https://${platformHost}:8443/api/v1` });
  const read = (call: Call = newCall(), to = target()) => harness.read(call, to);

  beforeEach(() => {
    open = [];
    most = 0;
    asked = [];
  });

  /** Knows a way to the platform, and takes it when it may go on. */
  async function held(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    asked.push(String(init?.method));
    await new Promise<void>((resolve) => {
      const one = {
        goOn: () => {
          open.splice(open.indexOf(one), 1);
          resolve();
        },
      };
      open.push(one);
      most = Math.max(most, open.length);
    });
    return editorWayTo(() => harness.platform)(input, init);
  }

  async function untilOpen(count: number): Promise<void> {
    while (open.length < count) await settle(1);
    await settle();
  }

  /** All that it is asked for goes on, each after so many milliseconds. */
  async function answerAll<T>(reads: readonly Promise<T>[], ms = 1): Promise<readonly T[]> {
    const timer = setInterval(() => open.slice().forEach(({ goOn }) => goOn()), ms);
    return Promise.all(reads).finally(() => clearInterval(timer));
  }

  /** The four reads that it may be asked for at a time. */
  async function askedForFour() {
    const reads = Array.from({ length: 4 }, () => read());
    await untilOpen(4);
    return reads;
  }

  it('has at most four requests at a time before the route is known, whatever is allowed', async () => {
    harness.limits.maxConcurrentRequests = 64;
    await answerAll(Array.from({ length: 80 }, () => read()));
    assert.equal(most, 4);
  });

  it('has at most four requests at a time once the route is known', async () => {
    await answerAll([read()]);
    await answerAll(Array.from({ length: 20 }, () => read()));
    assert.equal(most, 4);
  });

  it('has at most four requests at a time of all organizations and hosts, those of the user included', async () => {
    const reads = [1, 2, 3].flatMap((nth) => {
      const to = {
        organizationId: `org_${nth}`,
        token: 'tok',
        baseUrl: `https://${nth}.test.example/api/v1`,
      };
      return [false, false, false, true, true, true].map((urgent) =>
        failureOf(read(newCall(urgent), to)),
      );
    });
    await answerAll(reads);
    assert.equal(most, 4);
  });

  it('has at most four requests at a time through a SOCKS proxy', async () => {
    harness.settings = { ...plainSettings, proxies: named('socks5://127.0.0.1:1080') };
    await answerAll(Array.from({ length: 20 }, () => read()));
    assert.equal(most, 4);
  });

  it('is asked first for what the user waits for', async () => {
    const reads = await askedForFour();
    reads.push(read(), read());
    await settle();
    const revoking = harness.revoke(newCall(true), target());
    await settle();
    open[0]!.goOn();
    while (asked.length < 5) await settle(1);
    assert.equal(asked.at(-1), 'DELETE');
    await answerAll<unknown>([...reads, revoking]);
  });

  it('is not asked for a revocation that is cancelled as it waits, which is not sent', async () => {
    const reads = await askedForFour();
    const call = newCall(true);
    const revoking = harness.revoke(call, target());
    await settle();
    call.cancel();
    assert.deepEqual(await revoking, { kind: 'notSent', failure: { kind: 'cancelled' } });
    await answerAll(reads);
    assert.equal(asked.length, 4);
  });

  it('is asked for what waits when others end in whatever way', async () => {
    const calls = Array.from({ length: 4 }, () => newCall());
    const failures = calls.map((call) => failureOf(read(call)));
    await untilOpen(4);
    const next = read();
    await settle();
    for (const call of calls) call.cancel();
    await Promise.all(failures);
    assert.deepEqual((await answerAll([next]))[0]?.value, healthy());
  });
});
