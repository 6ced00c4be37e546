import tls from 'node:tls';
import { Worker } from 'node:worker_threads';
import { orStopped, within } from '../deadline.js';
import { codeOf } from './errorCodes.js';

/** Where a certificate that Node knows comes from. `extra`: `NODE_EXTRA_CA_CERTS`. */
export type CertificateStore = 'bundled' | 'extra' | 'system';

/** Certificates (PEM). `default`: what Node trusts without being told anything. */
type Certificates = Readonly<Record<'default' | 'extra' | 'system', readonly string[]>>;

/** Reads the stores of this machine; `undefined`: this Node can't tell what is in them. */
export type ReadCertificates = () => Promise<Certificates | undefined>;

/** Why the system's certificates are not trusted (yet). `after`: ms. */
export type TrustTrouble =
  | { readonly kind: 'failed'; readonly code: string }
  | { readonly kind: 'late'; readonly after: number };

/**
 * Whose certificates are trusted: Node's own with the extra ones, and the system's where that is wanted. They are read on first use,
 * and one context is shared by all connections: building it for each stalls the extension host for tenths of a second.
 */
export class Trust {
  private reading: Reading | undefined;

  constructor(
    private readonly read: ReadCertificates = readInWorker,
    private readonly onTrouble: (trouble: TrustTrouble) => void = () => undefined,
  ) {}

  /**
   * Waits for the system's certificates where they are wanted, so many ms at most. `undefined`: Node's default will do, or has to,
   * because they could not be read or are not there yet. Rejects with the signal's reason.
   */
  async context(
    systemCertificates: boolean,
    patience: number,
    signal: AbortSignal,
  ): Promise<tls.SecureContext | undefined> {
    if (!systemCertificates) return undefined;
    const reading = (this.reading ??= new Reading(this.read, patience, this.onTrouble));
    await orStopped(reading.usable, signal);
    return reading.context;
  }

  /** Why the system's certificates are not trusted, if that is so. */
  get trouble(): TrustTrouble | undefined {
    return this.reading?.trouble;
  }

  /** The store that holds a certificate, as far as this Node can tell. */
  storeOf(certificate: Buffer): CertificateStore | undefined {
    const wanted = certificate.toString('base64');
    const holds = (list: readonly string[] = []) => list.some((pem) => base64Of(pem) === wanted);
    if (holds(tls.rootCertificates)) return 'bundled';
    const found = this.reading?.certificates;
    if (holds(found?.extra ?? extraCertificates())) return 'extra';
    return holds(found?.system) ? 'system' : undefined;
  }

  /** The stores may have changed. */
  forget(): void {
    this.reading = undefined;
  }
}

/** One read of the stores, and what it has brought so far. */
class Reading {
  context: tls.SecureContext | undefined;
  certificates: Certificates | undefined;
  trouble: TrustTrouble | undefined;
  /** Never rejects. A read that ends later still counts for the connections after it. */
  readonly usable: Promise<void>;

  constructor(read: ReadCertificates, patience: number, onTrouble: (trouble: TrustTrouble) => void) {
    const troubled = (trouble: TrustTrouble): void => {
      this.trouble = trouble;
      onTrouble(trouble);
    };
    const reading = this.take(read).catch((error: unknown) => troubled({ kind: 'failed', code: codeOf(error) }));
    const { signal } = new AbortController();
    this.usable = within(patience, signal, (limited) => orStopped(reading, limited)).catch(() =>
      troubled({ kind: 'late', after: patience }),
    );
  }

  private async take(read: ReadCertificates): Promise<void> {
    this.certificates = await read();
    const { default: own, system } = this.certificates ?? { default: [], system: [] };
    this.trouble = undefined;
    if (system.length > 0) this.context = tls.createSecureContext({ ca: [...new Set([...own, ...system])] });
  }
}

/** `getBuiltinModule`, because how Node was started decides whether there is `require` or `import`. */
const readsStores = `
  const { parentPort } = process.getBuiltinModule('node:worker_threads');
  const { getCACertificates } = process.getBuiltinModule('node:tls');
  const [own, extra, system] = ['default', 'extra', 'system'].map((store) => getCACertificates(store));
  parentPort.postMessage({ default: own, extra, system });
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
      .once('messageerror', reject)
      .once('error', reject)
      .once('exit', () => reject(new Error('ended')));
  });
}

function extraCertificates(): readonly string[] {
  const list: unknown = Reflect.get(tls, 'getCACertificates');
  if (typeof list !== 'function') return [];
  try {
    const found: unknown = Reflect.apply(list, tls, ['extra']);
    return Array.isArray(found) ? found.filter((one): one is string => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

function base64Of(pem: string): string {
  return pem.replace(/-----[^-]+-----|\s+/g, '');
}
