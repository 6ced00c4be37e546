// What the window is signed in to is read: by the packaged extension with all that listens in it, beside the limit in the same process.
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { rounds, timed } from '../compare.js';

const authorization = `Bearer ${process.env['AUTOMATION_PLATFORM_TOKEN']}`;

const refreshAll = () => vscode.commands.executeCommand('automationPlatform.refresh');
const openTree = () => vscode.commands.executeCommand('automationPlatform.deployments.focus');

/** Beside a bare pool of undici's, and `JSON.parse`. */
export async function refresh(count: number) {
  const { Pool } = await import('undici');
  const atATime = 32;
  const pool = new Pool(new URL(addresses()[0]!).origin, { connections: atATime, pipelining: 1 });
  const read = async (address: string): Promise<unknown> => {
    const headers = { authorization, accept: 'application/json' };
    const { statusCode, body } = await pool.request({ method: 'GET', path: new URL(address).pathname, headers });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`The service answered ${statusCode}: ${text}`);
    return JSON.parse(text);
  };
  await openTree();
  const measured = await rounds(
    count,
    () => costOf(refreshAll),
    () => costOf(() => readAll(atATime, read)),
  );
  await pool.close();
  return measured;
}

/** Ms. What is drawn after the last answer costs, too: the CPU is that of all until the window is quiet again, of either side. */
async function costOf(work: () => PromiseLike<unknown>) {
  const before = process.cpuUsage();
  const wall = await timed(work);
  await sleep(1500);
  const { user, system } = process.cpuUsage(before);
  return { wall, cpu: (user + system) / 1000 };
}

/** So many at a time, the next as soon as one is done. */
async function readAll(count: number, read: (address: string) => Promise<unknown>): Promise<unknown[]> {
  const values: unknown[] = [];
  const waiting = addresses().values();
  const worker = async () => {
    for (const address of waiting) values.push(await read(address));
  };
  await Promise.all(Array.from({ length: count }, worker));
  return values;
}

function addresses(): readonly string[] {
  const ids = vscode.workspace.getConfiguration('automationPlatform').get<string[]>('deployments', []);
  return ids.map((id) => `${process.env['AUTOMATION_PLATFORM_BASE_URL']}/deployments/${id}/authorization`);
}
