import assert from 'node:assert/strict';
import { KnownSecrets } from '../../../src/api/secrets.js';
import { Reader } from '../../../src/check/read.js';
import { nothingRemembered } from '../../../src/model/findings/state.js';
import { turn } from '../../support/manualClock.js';

const target = {
  organizationId: 'org',
  baseUrl: 'https://host.example/api/v1',
  token: 'tok-1234567890',
  proxy: undefined,
};
const notFound = () => new Response('{}', { status: 404 });
const tokenRejected = () => new Response('{}', { status: 401 });
const serverError = (status: number) => () => new Response('{}', { status });
const webPage =
  (status: number, title = 'Nope') =>
  () =>
    new Response(`<!doctype html><title>${title}</title>`, { status });
const redirect = (location: string) => () =>
  new Response(null, { status: 302, headers: { location } });
const good = () => new Response('{"accounts":[],"requirements":[]}', { status: 200 });
const refused = () => {
  throw Object.assign(new TypeError('fetch failed'), {
    cause: { code: 'ECONNREFUSED', syscall: 'connect' },
  });
};

const listed = Array.from({ length: 60 }, (_, nth) => ({ id: `d${nth}` }));

/**
 * Reads 60 deployments, eight at a time; the first request that was sent is the first that ends. `outcomeOf` gets the
 * number of a deployment, and how many requests for it were sent, this one included.
 */
async function read(outcomeOf: (nth: number, requestsForIt: number) => () => Response) {
  const requested: number[] = [];
  const open: (() => void)[] = [];
  globalThis.fetch = (url) =>
    new Promise((resolve, reject) => {
      assert.ok(typeof url === 'string');
      const nth = Number(/deployments\/d(\d+)\//.exec(url)![1]);
      requested.push(nth);
      const outcome = outcomeOf(nth, requested.filter((one) => one === nth).length);
      open.push(() => {
        try {
          resolve(outcome());
        } catch (error) {
          reject(error);
        }
      });
    });
  const reader = new Reader(target, new KnownSecrets(), 60_000);
  const done = reader.readAll(listed, {
    names: new Map(),
    mutes: nothingRemembered,
    onRead: () => undefined,
  });
  for (;;) {
    for (let turns = 0; turns < 10; turns += 1) await turn();
    const end = open.shift();
    if (!end) break;
    end();
  }
  const deployments = await done;
  const unread = listed.filter((_, nth) => !requested.includes(nth)).length;
  const healthyCount = deployments.filter(({ state }) => state === 'satisfied').length;
  const failureKinds = new Set(deployments.map(({ failedRead }) => failedRead?.failure.kind));
  return {
    requested,
    gaveUp: reader.sharedFailure(deployments)?.failure.kind,
    sharedCount: reader.sharedFailure(deployments)?.unreadIds.size,
    unread,
    healthyCount,
    failureKinds: [...failureKinds],
  };
}

describe('the check reading a list', () => {
  const { fetch } = globalThis;
  afterEach(() => {
    globalThis.fetch = fetch;
  });

  it('gives up when none of the first deployments can be reached', async () => {
    const { gaveUp, unread } = await read(() => refused);
    assert.equal(gaveUp, 'unreachable');
    assert.ok(unread >= 50, `${unread} unread deployments`);
  });

  it('goes on after five 404 answers and three refused connections', async () => {
    const outcomes = [...Array(5).fill(notFound), ...Array(3).fill(refused)];
    const { gaveUp, healthyCount } = await read((nth) => outcomes[nth] ?? good);
    assert.equal(gaveUp, undefined);
    assert.equal(healthyCount, 52);
  });

  const lastAnswered = 7;

  it('goes on when the last deployment that was answered is answered once more', async () => {
    const { requested, gaveUp, unread } = await read((nth) =>
      nth <= lastAnswered ? notFound : refused,
    );
    const requestsForLastAnswered = requested.filter((nth) => nth === lastAnswered).length;
    assert.equal(gaveUp, undefined);
    assert.equal(unread, 0);
    assert.ok(requestsForLastAnswered > 1, `${requestsForLastAnswered} requests`);
  });

  it('gives up when the last deployment that was answered is out of reach now', async () => {
    const { requested, gaveUp, unread } = await read((nth, requestsForIt) =>
      nth <= lastAnswered && requestsForIt === 1 ? notFound : refused,
    );
    const requestsForLastAnswered = requested.filter((nth) => nth === lastAnswered).length;
    assert.equal(gaveUp, 'unreachable');
    assert.notEqual(unread, 0);
    assert.equal(requestsForLastAnswered, 2);
  });

  it('gives up when all answers are web pages', async () => {
    const { gaveUp, failureKinds } = await read(() => webPage(404));
    assert.equal(gaveUp, 'notFromPlatform');
    assert.deepEqual(failureKinds, ['notFromPlatform']);
  });

  const alike: Record<string, (nth: number) => () => Response> = {
    'web pages with other titles': (nth) => webPage(403, `Blocked, request ${nth}`),
    'server errors with other statuses': (nth) =>
      nth % 2 === 0 ? serverError(500) : serverError(501),
    'redirects to other addresses': (nth) => redirect(`https://host.example/login/d${nth}`),
  };
  for (const [name, outcomeOf] of Object.entries(alike)) {
    it(`finds one cause for all in ${name}`, async () => {
      const { sharedCount } = await read(outcomeOf);
      assert.equal(sharedCount, listed.length);
    });
  }

  it('leaves deployments of other failures out of the cause for all', async () => {
    const { sharedCount } = await read((nth) => (nth < 3 ? notFound : tokenRejected));
    assert.equal(sharedCount, listed.length - 3);
  });

  it('takes a web page with 404 for the platform’s when others are healthy', async () => {
    const { gaveUp, failureKinds } = await read((nth) => (nth === 0 ? webPage(404) : good));
    assert.equal(gaveUp, undefined);
    assert.deepEqual(failureKinds, ['notFound', undefined]);
  });

  it('takes no web page for the platform’s when no answer is usable', async () => {
    const { failureKinds } = await read((nth) => (nth === 0 ? webPage(403) : notFound));
    assert.deepEqual(failureKinds, ['notFromPlatform', 'notFound']);
  });

  it('never takes a web page with 200 for the platform’s', async () => {
    const { failureKinds } = await read((nth) => (nth === 0 ? webPage(200) : good));
    assert.deepEqual(failureKinds, ['notFromPlatform', undefined]);
  });
});
