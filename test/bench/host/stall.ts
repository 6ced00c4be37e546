import * as vscode from 'vscode';
import { serviceControl } from '../../support/service/client.js';
import { everyone } from './bare.js';
import type { Job, Pair } from './jobs.js';
import { longestStall } from './longestStall.js';

const atATime = 8;

/** The longest time for which nothing else could run in the extension host, with connections that have to be opened. */
export async function stall({ rounds, service, ids }: Job): Promise<Pair[]> {
  const { baseUrl, controlUrl, token } = service!;
  const control = serviceControl(controlUrl);
  const headers = { authorization: `Bearer ${token}` };
  const read = async (id: string) => {
    const response = await globalThis.fetch(`${baseUrl}/deployments/${id}/authorization`, { headers });
    if (!response.ok) throw new Error(`The service answered ${response.status}`);
    await response.json();
  };
  const limit = () => longestStall(() => everyone(ids!, atATime, read));
  const pairs: Pair[] = [];
  for (let round = 0; round <= rounds; round++) {
    await control.closeConnections('idle');
    const before = round % 2 === 0 ? await limit() : undefined;
    await control.closeConnections('idle');
    await control.clearRequests();
    const refreshed = await ours();
    await control.waitForRequests(ids!.length);
    await control.closeConnections('idle');
    pairs.push({ ours: refreshed, limit: before ?? (await limit()) });
  }
  return pairs.slice(1);
}

const ours = () => longestStall(() => vscode.commands.executeCommand('automationPlatform.refresh'));
