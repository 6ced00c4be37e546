/** Starts the service as a child process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type ServiceControl, serviceControl } from './client.js';

/** What the process prints. */
export interface ServiceAddress {
  baseUrl: string;
  controlUrl: string;
  token: string;
}

export interface ServiceChild extends ServiceAddress {
  readonly pid: number;
  readonly control: ServiceControl;
  /** Resolves when the process is gone. */
  stop(): Promise<void>;
}

/** It ends with this process in any case. */
export async function spawnService(): Promise<ServiceChild> {
  const main = fileURLToPath(new URL('./main.js', import.meta.url));
  const child = spawn(process.execPath, [main], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // Inside a desktop extension host, process.execPath is Electron.
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([once(lines, 'line'), exited.then(() => [])]);
  if (child.pid === undefined || typeof first[0] !== 'string') {
    throw new Error(`the service did not start: node ${main}`);
  }
  const address: ServiceAddress = JSON.parse(first[0]);
  return {
    ...address,
    pid: child.pid,
    control: serviceControl(address.controlUrl),
    stop: async () => {
      child.kill();
      await exited;
    },
  };
}
