// What the jobs that read share: what the window is signed in to, and the limit of everything that reads.
import type { Pool } from 'undici';
import * as vscode from 'vscode';

/** Requests in flight during a refresh of all, on either side. */
export const atATime = 32;

const baseUrl = process.env['AUTOMATION_PLATFORM_BASE_URL'] ?? '';
const authorization = `Bearer ${process.env['AUTOMATION_PLATFORM_TOKEN']}`;

export function listedIds(): readonly string[] {
  return vscode.workspace.getConfiguration('automationPlatform').get('deployments', []);
}

/** A pool of undici's, and `JSON.parse`. By its files: undici's index would replace the dispatcher of the editor's `fetch`. */
export async function openPool(): Promise<Pool> {
  const { default: PoolClass } = await import('undici/lib/dispatcher/pool.js');
  return new PoolClass(new URL(baseUrl).origin, { connections: atATime, pipelining: 1 });
}

export async function readFromPool(pool: Pool, id: string): Promise<unknown> {
  const { default: api } = await import('undici/lib/api/index.js');
  const { statusCode, body } = await api.request.call(pool, {
    method: 'GET',
    path: new URL(addressOf(id)).pathname,
    headers: { authorization, accept: 'application/json' },
  });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`The service answered ${statusCode}: ${text}`);
  return JSON.parse(text);
}

export async function readByFetch(id: string): Promise<unknown> {
  const response = await globalThis.fetch(addressOf(id), { headers: { authorization } });
  if (!response.ok) throw new Error(`The service answered ${response.status}`);
  return response.json();
}

/** So many at a time, the next as soon as one is done. */
export async function readAll(count: number, read: (id: string) => Promise<unknown>): Promise<unknown[]> {
  const values: unknown[] = [];
  const waiting = listedIds().values();
  const worker = async () => {
    for (const id of waiting) values.push(await read(id));
  };
  await Promise.all(Array.from({ length: count }, worker));
  return values;
}

function addressOf(id: string): string {
  return `${baseUrl}/deployments/${id}/authorization`;
}
