import { Client } from '../../../src/api/client.js';
import { KnownSecrets } from '../../../src/api/secrets.js';
import type { Store } from '../../../src/model/store/store.js';
import { directConnector } from '../../unit/api/harness.js';
import { timed } from '../compare.js';
import { storeOf } from '../store.js';
import { openPool, readOne } from './bare.js';
import type { Job, Pair } from './jobs.js';

/** From the start of a refresh of all to the first answer in the model. */
export async function firstChange({ rounds, service, ids }: Job): Promise<Pair[]> {
  const { baseUrl, token } = service!;
  const client = new Client({
    limits: () => ({ requestTimeout: 30_000, maxConcurrentRequests: 8 }),
    connector: directConnector(),
    onExchange: () => undefined,
    secrets: new KnownSecrets(),
  });
  const target = { organizationId: 'bench', baseUrl, token };
  let answered: (() => void) | undefined;
  const store = storeOf(ids!, async (id, call) => {
    const answer = await client.getDeploymentAuthorization(target, id, call);
    // The store takes it over before this turn of the event loop ends.
    setImmediate(() => answered?.());
    return answer;
  });
  const pool = await openPool(baseUrl, 1);
  const pairs: Pair[] = [];
  for (let round = 0; round <= rounds; round++) {
    await readOne(pool, baseUrl, token, ids![0]!);
    const before = round % 2 === 0 ? await timed(() => readOne(pool, baseUrl, token, ids![0]!)) : undefined;
    // Opens a connection, if none is open.
    await store.refresh(ids![0]!);
    const ours = await firstAnswer(store, (listener) => (answered = listener));
    const limit = before ?? (await timed(() => readOne(pool, baseUrl, token, ids![0]!)));
    pairs.push({ ours, limit });
  }
  store.dispose();
  await client.close();
  await pool.close();
  return pairs.slice(1);
}

async function firstAnswer(store: Store, onAnswer: (listener: () => void) => void): Promise<number> {
  const before = new Set(store.deployments.map(({ answer }) => answer));
  const start = performance.now();
  const first = new Promise<number>((resolve) => {
    onAnswer(() => {
      if (store.deployments.some(({ answer }) => answer && !before.has(answer))) {
        resolve(performance.now() - start);
      }
    });
  });
  const over = store.refreshAll();
  const cost = await first;
  store.cancelRefresh();
  await over;
  return cost;
}
