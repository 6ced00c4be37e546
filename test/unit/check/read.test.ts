import assert from 'node:assert/strict';
import { KnownSecrets } from '../../../src/api/secrets.js';
import { Reader } from '../../../src/check/read.js';
import { turn } from '../../support/manualClock.js';

const target = {
  organizationId: 'org',
  baseUrl: 'https://host.example/api/v1',
  token: 'tok-1234567890',
  proxy: undefined,
};
const notFound = () => new Response('{}', { status: 404 });
const webPage = (status: number) => () =>
  new Response('<!doctype html><title>Nope</title>', { status });
const good = () => new Response('{"accounts":[],"requirements":[]}', { status: 200 });
const refused = () => {
  throw Object.assign(new TypeError('fetch failed'), {
    cause: { code: 'ECONNREFUSED', syscall: 'connect' },
  });
};

const listed = Array.from({ length: 60 }, (_, nth) => ({ id: `d${nth}` }));

/**
 * Reads 60 deployments, eight at a time; what was sent first ends first. `asked`: how often this one was asked,
 * this time included.
 */
async function read(outcomeOf: (nth: number, asked: number) => () => Response) {
  const asked: number[] = [];
  const open: (() => void)[] = [];
  globalThis.fetch = (url) =>
    new Promise((resolve, reject) => {
      assert.ok(typeof url === 'string');
      const nth = Number(/deployments\/d(\d+)\//.exec(url)![1]);
      asked.push(nth);
      const outcome = outcomeOf(nth, asked.filter((one) => one === nth).length);
      open.push(() => {
        try {
          resolve(outcome());
        } catch (error) {
          reject(error);
        }
      });
    });
  const reader = new Reader(target, new KnownSecrets(), 60_000);
  const done = reader.readAll(listed, () => undefined);
  for (;;) {
    for (let turns = 0; turns < 10; turns++) await turn();
    const end = open.shift();
    if (!end) break;
    end();
  }
  const deployments = await done;
  const unread = listed.filter((_, nth) => !asked.includes(nth)).length;
  const healthy = deployments.filter(({ state }) => state === 'satisfied').length;
  const failures = new Set(deployments.map(({ failedRead: failure }) => failure?.failure.kind));
  return {
    asked,
    gaveUp: reader.giveUpReason?.kind,
    unread,
    healthy,
    failures: [...failures].join(),
  };
}

describe('the check reading a list', () => {
  const { fetch } = globalThis;
  afterEach(() => void (globalThis.fetch = fetch));

  it('gives up when none of the first can be reached', async () => {
    const { gaveUp, unread } = await read(() => refused);
    assert.equal(gaveUp, 'unreachable');
    assert.ok(unread >= 50, `${unread}`);
  });

  it('reads all others where five are answered with 404 and then three connections are refused', async () => {
    const outcomes = [...Array(5).fill(notFound), ...Array(3).fill(refused)];
    const { gaveUp, healthy } = await read((nth) => outcomes[nth] ?? good);
    assert.equal(gaveUp, undefined);
    assert.equal(healthy, 52);
  });

  const lastAnswered = 7;

  it('goes on when the one that was answered last is answered once more', async () => {
    const { asked, gaveUp, unread } = await read((nth) =>
      nth <= lastAnswered ? notFound : refused,
    );
    assert.equal(gaveUp, undefined);
    assert.equal(unread, 0);
    assert.ok(asked.filter((nth) => nth === lastAnswered).length > 1);
  });

  it('gives up when the one that was answered last cannot be reached any more, either', async () => {
    const { asked, gaveUp, unread } = await read((nth, times) =>
      nth <= lastAnswered && times === 1 ? notFound : refused,
    );
    assert.equal(gaveUp, 'unreachable');
    assert.ok(unread > 0);
    assert.equal(asked.filter((nth) => nth === lastAnswered).length, 2);
  });

  it('says of a web page that all get that it is not from the platform', async () => {
    const { gaveUp, failures } = await read(() => webPage(404));
    assert.deepEqual([gaveUp, failures], ['notFromPlatform', 'notFromPlatform']);
  });

  it('takes a web page for the platform’s where another deployment is answered later', async () => {
    const { gaveUp, failures } = await read((nth) => (nth === 0 ? webPage(404) : good));
    assert.deepEqual([gaveUp, failures], [undefined, 'notFound,']);
  });

  it('takes a web page for that of another where no deployment is answered with usable JSON', async () => {
    const { failures } = await read((nth) => (nth === 0 ? webPage(403) : notFound));
    assert.equal(failures, 'notFromPlatform,notFound');
  });

  it('never takes a web page with 200 for the platform’s', async () => {
    const { failures } = await read((nth) => (nth === 0 ? webPage(200) : good));
    assert.equal(failures, 'notFromPlatform,');
  });
});
