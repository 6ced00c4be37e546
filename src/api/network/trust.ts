import tls from 'node:tls';
import { Worker } from 'node:worker_threads';
import { orAborted } from '../abort.js';
import { codeOf } from './errorCodes.js';

/** Certificates (PEM). `default`: what Node trusts without being told anything. */
type Certificates = Readonly<Record<'default' | 'system', readonly string[]>>;

/** Reads the machine's certificate stores; `undefined` if this Node has no API for it. */
export type ReadCertificates = () => Promise<Certificates | undefined>;

/** Why the system's certificates are not trusted (yet). `after`: ms. */
export type TrustTrouble =
  | { readonly kind: 'failed'; readonly code: string }
  | { readonly kind: 'late'; readonly after: number };

/**
 * Whose certificates are trusted: Node's own with the extra ones, and the system's where that is wanted. They are read once, on first
 * use, and one context is shared by all connections: building it for each stalls the extension host for tenths of a second.
 */
export class Trust {
  /** Why the system's certificates are not trusted, if that is so. */
  trouble: TrustTrouble | undefined;
  private shared: tls.SecureContext | undefined;
  /** Never rejects. A read that ends later still counts for the connections after it. */
  private usable: Promise<void> | undefined;

  constructor(
    private readonly read: ReadCertificates = readInWorker,
    private readonly onTrouble: (trouble: TrustTrouble) => void = () => undefined,
  ) {}

  /**
   * Waits for the system's certificates where they are `wanted`, for `maxMs` at most. `undefined`: Node's default will do, or has to,
   * because they could not be read or are not there yet. Rejects with the signal's reason.
   */
  async context(wanted: boolean, maxMs: number, signal: AbortSignal): Promise<tls.SecureContext | undefined> {
    if (!wanted) return undefined;
    this.usable ??= orAborted(this.readAll(), AbortSignal.timeout(Math.ceil(maxMs))).catch(() =>
      this.troubled({ kind: 'late', after: maxMs }),
    );
    await orAborted(this.usable, signal);
    return this.shared;
  }

  private async readAll(): Promise<void> {
    try {
      const { default: own, system } = (await this.read()) ?? { default: [], system: [] };
      if (system.length > 0) this.shared = tls.createSecureContext({ ca: [...new Set([...own, ...system])] });
    } catch (error) {
      this.troubled({ kind: 'failed', code: codeOf(error) });
    }
  }

  private troubled(trouble: TrustTrouble): void {
    this.trouble = trouble;
    this.onTrouble(trouble);
  }
}

/** `getBuiltinModule`, because how Node was started decides whether there is `require` or `import`. */
const readsStores = `
  const { parentPort } = process.getBuiltinModule('node:worker_threads');
  const { getCACertificates } = process.getBuiltinModule('node:tls');
  parentPort.postMessage({ default: getCACertificates('default'), system: getCACertificates('system') });
`;

/** In a thread of its own: on managed Macs it takes up to 40 seconds, in which the extension host must not stand still. */
export async function readInWorker(): Promise<Certificates | undefined> {
  // Node lists the system's certificates since 22.15.
  if (!Reflect.has(tls, 'getCACertificates')) return undefined;
  const worker = new Worker(readsStores, { eval: true, name: 'certificates' });
  return new Promise((resolve, reject) => {
    worker
      // So that the process can end before it. `unref` has no effect before the worker is online.
      .once('online', () => worker.unref())
      .once('message', (found: Certificates) => resolve(found))
      .once('error', reject)
      .once('exit', () => reject(new Error('ended')));
  });
}
