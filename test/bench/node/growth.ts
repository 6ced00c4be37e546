import { Client } from '../../../src/api/client.js';
import type { Connector } from '../../../src/api/network/router.js';
import { KnownSecrets } from '../../../src/api/secrets.js';
import type { Benchmark, Row } from '../benchmark.js';
import { type Comparison, compare, sides, timed, timedNow } from '../compare.js';
import { parsed, texts } from '../data.js';
import { storeOf } from '../store.js';
import { countNotes } from './findings.js';

const few = 100;
const lots = 10_000;
const times = lots / few;

/** The same number of items either way: all at once, or a hundred at a time. */
export const growth: Benchmark = {
  name: 'growth',
  async measure(short) {
    const rounds = short ? 3 : 9;
    const bodies = new Map([...texts(lots)].map(([id, text]) => [id, Buffer.from(text)]));
    const refresh = await compare(
      rounds,
      () => refreshed(bodies, [[...bodies.keys()]]),
      () => refreshed(bodies, slices([...bodies.keys()])),
    );

    const answers = [...parsed(lots)];
    const groups = slices(answers);
    const now = Date.now();
    const derive = await compare(
      rounds,
      () => timedNow(() => countNotes(answers, now)),
      () => timedNow(() => groups.map((group) => countNotes(group, now))),
    );
    return [growthRow('refresh, without the network', refresh), growthRow('findings', derive)];
  },
};

export function growthRow(what: string, comparison: Comparison): Row {
  return {
    what: `growth from 100 to 10,000: ${what}`,
    against: 'the same number of items, 100 at a time',
    measured: comparison.ratio,
    target: 1.5,
    unit: '×',
    detail: sides(comparison),
  };
}

export function slices<T>(all: readonly T[]): T[][] {
  return Array.from({ length: times }, (_, at) => all.slice(at * few, (at + 1) * few));
}

/** Client and store as they are; only the connection is replaced by one that answers at once. */
async function refreshed(bodies: ReadonlyMap<string, Buffer>, lists: readonly (readonly string[])[]): Promise<number> {
  const connector: Connector = {
    exchange: async ({ path }) => ({
      kind: 'answer',
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: bodies.get(path.split('/').at(-2)!)!,
      end: 'complete',
    }),
    forget: () => undefined,
    close: async () => undefined,
  };
  const client = new Client({
    limits: () => ({ requestTimeout: 30_000, maxConcurrentRequests: 32 }),
    connector,
    onExchange: () => undefined,
    secrets: new KnownSecrets(),
  });
  const target = { organizationId: 'bench', baseUrl: 'http://127.0.0.1:1/api/v1', token: 'bench-token-0123456789' };
  const stores = lists.map((ids) => storeOf(ids, (id, call) => client.getDeploymentAuthorization(target, id, call)));
  const cost = await timed(async () => {
    for (const store of stores) {
      await store.refreshAll();
    }
  });
  const unread = stores.flatMap(({ deployments }) => deployments.filter(({ answer }) => answer === undefined));
  for (const store of stores) {
    store.dispose();
  }
  await client.close();
  if (unread.length > 0) {
    throw new Error(`${unread.length} of the deployments were not read: ${JSON.stringify(unread[0])}`);
  }
  return cost;
}
