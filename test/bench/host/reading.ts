// What the window is signed in to is read: by the packaged extension with all that listens in it, beside the limit in the same process.
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { rounds, timed } from '../compare.js';

/** Beside a bare pool of undici's, and `JSON.parse`. */
export async function refresh(count: number) {
  const { Pool } = await import('undici');
  const baseUrl = new URL(process.env['AUTOMATION_PLATFORM_BASE_URL'] ?? '');
  const headers = {
    authorization: `Bearer ${process.env['AUTOMATION_PLATFORM_TOKEN']}`,
    accept: 'application/json',
  };
  const settings = vscode.workspace.getConfiguration('automationPlatform');
  const ids = settings.get<string[]>('deployments', []);
  const pool = new Pool(baseUrl.origin, {
    connections: settings.get('maxConcurrentRequests', 8),
    pipelining: 1,
  });
  const read = async (id: string): Promise<unknown> => {
    const path = `${baseUrl.pathname}/deployments/${id}/authorization`;
    const { statusCode, body } = await pool.request({ method: 'GET', path, headers });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`The platform answered ${statusCode}: ${text}`);
    return JSON.parse(text);
  };
  await vscode.commands.executeCommand('automationPlatform.deployments.focus');
  const measured = await rounds(
    count,
    () => costOf(() => vscode.commands.executeCommand('automationPlatform.refresh')),
    () => costOf(() => Promise.all(ids.map(read))),
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
