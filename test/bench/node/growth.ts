import { Client } from '../../../src/api/client.js';
import { KnownSecrets } from '../../../src/api/secrets.js';
import type { SenderOptions } from '../../../src/api/send.js';
import { compare, timed, timedNow } from '../compare.js';
import { lots, parsed, slices, storeOf, texts } from '../data.js';
import { type Benchmark, growthRow } from '../rows.js';
import { countNotes } from './findings.js';

/** The same number of items either way: all at once, or a hundred at a time. */
export const growth: Benchmark = async (short) => {
  const rounds = short ? 3 : 9;
  const bodies = new Map([...texts(lots)].map(([id, text]) => [id, Buffer.from(text)]));
  const ids = [...bodies.keys()];
  const refresh = await compare(
    rounds,
    () => refreshed(bodies, [ids]),
    () => refreshed(bodies, slices(ids)),
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
};

/** Client and store as they are; only the connection is replaced by one that answers at once. */
async function refreshed(bodies: ReadonlyMap<string, Buffer>, lists: readonly (readonly string[])[]): Promise<number> {
  const connector: SenderOptions['connector'] = {
    exchange: async ({ path }) => ({
      kind: 'answer',
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: bodies.get(path.split('/').at(-2)!)!,
      end: 'complete',
    }),
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
    for (const store of stores) await store.refreshAll();
  });
  const unread = stores.flatMap(({ deployments }) => deployments.filter(({ answer }) => answer === undefined));
  for (const store of stores) store.dispose();
  await client.close();
  if (unread.length > 0) throw new Error(`${unread.length} deployments were not read: ${JSON.stringify(unread[0])}`);
  return cost;
}
