import tls from 'node:tls';
import { Worker } from 'node:worker_threads';
import { orAborted } from '../abort.js';
import type { Call } from '../call.js';
import { codeOf } from './errorCodes.js';

/** PEM: the system's, Node's own and those of `NODE_EXTRA_CA_CERTS`; none if the system has none. */
export type ReadCertificates = () => Promise<readonly string[]>;

/** All connections share one context, because building it for each stalls the extension host for tenths of a second. */
export class Trust {
  /** Of the failure. */
  private code: string | undefined;
  private shared: tls.SecureContext | undefined;
  private usable: Promise<void> | undefined;

  constructor(
    private readonly read: ReadCertificates = readInWorker,
    private readonly onFailure: (code: string) => void = () => undefined,
  ) {}

  /** With the system's certificates; `undefined` if there are none, after `maxMs` at most. Rejects with the signal's reason. */
  async context(
    maxMs: number,
    { signal, onStep }: Pick<Call, 'signal' | 'onStep'>,
  ): Promise<tls.SecureContext | undefined> {
    const start = performance.now();
    this.usable ??= this.readWithin(maxMs);
    await orAborted(this.usable, signal);
    const { code } = this;
    if (code !== undefined) onStep?.({ kind: 'certificates', code, duration: performance.now() - start });
    return this.shared;
  }

  private readWithin(maxMs: number): Promise<void> {
    const timeOut = AbortSignal.timeout(Math.ceil(maxMs));
    return orAborted(this.readAll(), timeOut).catch(() => this.failed('ETIMEDOUT'));
  }

  private async readAll(): Promise<void> {
    try {
      const ca = [...(await this.read())];
      if (ca.length > 0) this.shared = tls.createSecureContext({ ca });
      // They may have come too late for the first connections.
      this.code = undefined;
    } catch (error) {
      this.failed(codeOf(error));
    }
  }

  private failed(code: string): void {
    this.code = code;
    this.onFailure(code);
  }
}

/** `getBuiltinModule`, because Node's options decide whether the worker has `require` or `import`. */
const readsStores = `
  const { parentPort } = process.getBuiltinModule('node:worker_threads');
  const { getCACertificates } = process.getBuiltinModule('node:tls');
  const system = getCACertificates('system');
  parentPort.postMessage(system.length > 0 ? [...new Set([...getCACertificates('default'), ...system])] : []);
`;

/** In a worker, because macOS may take 40 seconds for it (https://github.com/microsoft/vscode/issues/333830). */
async function readInWorker(): Promise<readonly string[]> {
  // Node lists the system's certificates since 22.15.
  if (!Reflect.has(tls, 'getCACertificates')) return [];
  const worker = new Worker(readsStores, { eval: true, name: 'certificates' });
  return new Promise((resolve, reject) => {
    worker
      // The process may end before the worker does. Before it is online, `unref` has no effect.
      .once('online', () => worker.unref())
      .once('message', (found: readonly string[]) => resolve(found))
      .once('error', reject)
      .once('exit', () => reject(new Error('ended')));
  });
}
