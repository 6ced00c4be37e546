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
  /** The requests that it does not answer yet, in the order in which it got them. */
  let open: { readonly goOn: () => void }[];
  /** The highest number of requests that were open at a time. */
  let most: number;
  /** The methods of all requests that it got. */
  let asked: string[];
  const harness: Harness = used(new Harness({ editorFetch: held }));
  const target = () => ({ ...harness.target, baseUrl: `https://${platformHost}:8443/api/v1` });
  const read = (call: Call = newCall(), to = target()) => harness.read(call, to);

  beforeEach(() => {
    open = [];
    most = 0;
    asked = [];
  });

  /** A `fetch` that sends a request to the platform once the test lets it go on. */
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

  /** Lets all open requests go on every few milliseconds, until these reads have ended. */
  async function answerAll<T>(reads: readonly Promise<T>[], ms = 1): Promise<readonly T[]> {
    const timer = setInterval(() => open.slice().forEach(({ goOn }) => goOn()), ms);
    return Promise.all(reads).finally(() => clearInterval(timer));
  }

  /** Starts as many reads as may be open at a time. */
  async function startFourReads() {
    const reads = Array.from({ length: 4 }, () => read());
    await untilOpen(4);
    return reads;
  }

  it('has at most four requests at a time before the route is known', async () => {
    harness.limits.maxConcurrentRequests = 64;
    await answerAll(Array.from({ length: 80 }, () => read()));
    assert.equal(most, 4);
  });

  it('has at most four requests at a time once the route is known', async () => {
    await answerAll([read()]);
    await answerAll(Array.from({ length: 20 }, () => read()));
    assert.equal(most, 4);
  });

  it('has at most four requests at a time for three organizations', async () => {
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

  it('sends a request of the user before a waiting read', async () => {
    const reads = await startFourReads();
    reads.push(read(), read());
    await settle();
    const revoking = harness.revoke(newCall(true), target());
    await settle();
    open[0]!.goOn();
    while (asked.length < 5) await settle(1);
    assert.equal(asked.at(-1), 'DELETE');
    await answerAll<unknown>([...reads, revoking]);
  });

  it('does not send a revocation that is cancelled while waiting', async () => {
    const reads = await startFourReads();
    const call = newCall(true);
    const revoking = harness.revoke(call, target());
    await settle();
    call.cancel();
    assert.deepEqual(await revoking, { kind: 'notSent', failure: { kind: 'cancelled' } });
    await answerAll(reads);
    assert.deepEqual(asked, ['GET', 'GET', 'GET', 'GET']);
  });

  it('sends a waiting read when others are cancelled', async () => {
    const calls = Array.from({ length: 4 }, () => newCall());
    const failures = calls.map((call) => failureOf(read(call)));
    await untilOpen(4);
    const next = read();
    await settle();
    for (const call of calls) call.cancel();
    await Promise.all(failures);
    const [answer] = await answerAll([next]);
    assert.deepEqual(answer?.value, healthy());
  });
});
