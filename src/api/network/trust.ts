import tls from 'node:tls';
import { Worker } from 'node:worker_threads';
import { orStopped, within } from '../deadline.js';
import { codeOf } from './errorCodes.js';

/** Where a certificate that Node knows comes from. `extra`: `NODE_EXTRA_CA_CERTS`. */
export type CertificateStore = 'bundled' | 'extra' | 'system';

/** Certificates (PEM). `default`: what Node trusts without being told anything. */
type Certificates = Readonly<Record<'default' | 'system', readonly string[]>>;

/** Reads the stores of this machine; `undefined`: this Node can't tell what is in them. */
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
  private certificates: Certificates | undefined;
  private shared: tls.SecureContext | undefined;
  /** Never rejects. A read that ends later still counts for the connections after it. */
  private usable: Promise<void> | undefined;

  constructor(
    private readonly read: ReadCertificates = readInWorker,
    private readonly onTrouble: (trouble: TrustTrouble) => void = () => undefined,
  ) {}

  /**
   * Waits for the system's certificates where they are wanted, so many ms at most. `undefined`: Node's default will do, or has to,
   * because they could not be read or are not there yet. Rejects with the signal's reason.
   */
  async context(wanted: boolean, patience: number, signal: AbortSignal): Promise<tls.SecureContext | undefined> {
    if (!wanted) return undefined;
    this.usable ??= within(patience, new AbortController().signal, (limited) =>
      orStopped(this.readAll(), limited),
    ).catch(() => this.troubled({ kind: 'late', after: patience }));
    await orStopped(this.usable, signal);
    return this.shared;
  }

  /** The store that holds a certificate, as far as this Node can tell. */
  storeOf(certificate: Buffer): CertificateStore | undefined {
    const wanted = certificate.toString('base64');
    const holds = (list: readonly string[] = []) => list.some((pem) => base64Of(pem) === wanted);
    if (holds(tls.rootCertificates)) return 'bundled';
    if (holds(extraCertificates())) return 'extra';
    return holds(this.certificates?.system) ? 'system' : undefined;
  }

  private async readAll(): Promise<void> {
    try {
      this.certificates = await this.read();
      const { default: own, system } = this.certificates ?? { default: [], system: [] };
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

function extraCertificates(): readonly string[] {
  const list: unknown = Reflect.get(tls, 'getCACertificates');
  const found: unknown = typeof list === 'function' ? Reflect.apply(list, tls, ['extra']) : undefined;
  return Array.isArray(found) ? found.map(String) : [];
}

function base64Of(pem: string): string {
  return pem.replace(/-----[^-]+-----|\s+/g, '');
}
