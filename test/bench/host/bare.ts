// The limit of everything that reads: a pool of undici's, and `JSON.parse`.
import type { Pool } from 'undici';

/** By their files: undici's index would replace the dispatcher of the editor's `fetch`. */
export async function openPool(baseUrl: string, connections: number): Promise<Pool> {
  const { default: PoolClass } = await import('undici/lib/dispatcher/pool.js');
  return new PoolClass(new URL(baseUrl).origin, { connections, pipelining: 1 });
}

export async function readOne(pool: Pool, baseUrl: string, token: string, id: string): Promise<unknown> {
  const { pathname } = new URL(baseUrl);
  const { default: api } = await import('undici/lib/api/index.js');
  const { statusCode, body } = await api.request.call(pool, {
    method: 'GET',
    path: `${pathname}/deployments/${id}/authorization`,
    headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
  });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`The service answered ${statusCode}: ${text}`);
  return JSON.parse(text);
}

export async function readAll(
  pool: Pool,
  baseUrl: string,
  token: string,
  ids: readonly string[],
  atATime: number,
): Promise<unknown[]> {
  const values: unknown[] = [];
  await everyone(ids, atATime, async (id) => values.push(await readOne(pool, baseUrl, token, id)));
  return values;
}

/** So many at a time, the next as soon as one is done. */
export async function everyone<T>(
  all: readonly T[],
  atATime: number,
  work: (one: T) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < all.length; at = next++) {
      await work(all[at]!);
    }
  };
  await Promise.all(Array.from({ length: atATime }, worker));
}
