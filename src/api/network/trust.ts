import { createHash } from 'node:crypto';
import tls from 'node:tls';
import { Worker } from 'node:worker_threads';
import { orAborted } from '../abort.js';
import type { Call } from '../call.js';
import { type SetTimer, setTimer } from '../timers.js';
import { codeOf } from './errorCodes.js';

/**
 * Resolves with certificates in PEM: the system's, Node's own, and those of `NODE_EXTRA_CA_CERTS`;
 * with none if the system has none.
 */
export type ReadCertificates = () => Promise<readonly string[]>;

export interface TrustOptions {
  readonly readCertificates?: ReadCertificates;
  /** For time-outs. */
  readonly setTimer?: SetTimer;
  /** Called when other certificates were read than before, and after the first reading. */
  readonly onTrustChange?: () => void;
  /**
   * Called with an error code when the system's certificates could not be read, or not in time.
   * `areKept`: the certificates that were read before are still trusted.
   */
  readonly onTrustFailure?: (code: string, areKept: boolean) => void;
}

/**
 * The certificates that the router's connections trust. They are read when a connection first needs
 * them, and once more in the background after `readAgain()`. Until that ends, and if it fails, the
 * certificates that were read before count. All connections share one secure context, because
 * making one for each connection would hold up the extension host for tenths of a second.
 */
export class Trust {
  /** The hash of the certificates that were read last; `undefined` until a reading succeeds. */
  private hashOfRead: string | undefined;
  /** With the certificates that were read last; `undefined` also if the system has none. */
  private contextWithSystem: tls.SecureContext | undefined;
  /** With Node's own certificates, and those of `NODE_EXTRA_CA_CERTS`. */
  private ownContext: tls.SecureContext | undefined;
  /** Why nothing was read yet. `ETIMEDOUT`: the first reading still runs. */
  private failureCode: string | undefined;
  private isOutdated = true;
  private isReading = false;
  /** Resolves when the first reading ends, or has taken too long. Set when it starts. */
  private firstReading: Promise<void> | undefined;

  constructor(private readonly options: TrustOptions) {}

  /** For connections that do not trust the system's certificates. */
  get contextWithoutSystem(): tls.SecureContext {
    this.ownContext ??= contextFor(undefined);
    return this.ownContext;
  }

  /**
   * Resolves with a context that trusts the system's certificates. Until they have been read once,
   * waits for them, at most `maxMs` from the start of the reading. If they cannot be read, or not
   * in that time, resolves with the context without them, and `onStep` gets the reason. Rejects
   * with the signal's reason.
   */
  async context(
    maxMs: number,
    { signal, onStep }: Pick<Call, 'signal' | 'onStep'>,
  ): Promise<tls.SecureContext> {
    const start = performance.now();
    if (this.isOutdated && !this.isReading) this.startReading(maxMs);
    const wasNeverRead = this.hashOfRead === undefined;
    if (wasNeverRead) await orAborted(this.firstReading!, signal);
    const code = this.failureCode;
    if (code !== undefined)
      onStep?.({ kind: 'certificates', code, duration: performance.now() - start });
    return this.contextWithSystem ?? this.contextWithoutSystem;
  }

  /**
   * The next connection starts the reading. It waits for the result only if none was read before.
   */
  readAgain(): void {
    this.isOutdated = true;
  }

  private startReading(maxMs: number): void {
    this.isOutdated = false;
    const reading = this.read();
    if (this.hashOfRead !== undefined) return;
    const { setTimer: set = setTimer } = this.options;
    const timeOut = new AbortController();
    const timer = set(() => timeOut.abort(), maxMs);
    this.firstReading = orAborted(reading, timeOut.signal)
      .catch(() => this.reportFailure('ETIMEDOUT'))
      .finally(() => timer.dispose());
  }

  /** Never rejects. */
  private async read(): Promise<void> {
    const { readCertificates = readInWorker } = this.options;
    this.isReading = true;
    try {
      const certificates = await readCertificates();
      this.use([...certificates]);
    } catch (error) {
      this.reportFailure(codeOf(error));
    } finally {
      this.isReading = false;
    }
  }

  /** `certificates`: in PEM. */
  private use(certificates: string[]): void {
    const hash = createHash('sha256').update(certificates.join()).digest('base64');
    if (hash === this.hashOfRead) return;
    this.contextWithSystem = certificates.length > 0 ? contextFor(certificates) : undefined;
    this.hashOfRead = hash;
    this.failureCode = undefined;
    this.options.onTrustChange?.();
  }

  private reportFailure(code: string): void {
    const areKept = this.hashOfRead !== undefined;
    if (!areKept) this.failureCode = code;
    this.options.onTrustFailure?.(code, areKept);
  }
}

/** Node lists the system's certificates since 22.15. */
const canReadSystem = Reflect.has(tls, 'getCACertificates');

/**
 * `ca`: certificates in PEM; `undefined`: Node's own and those of `NODE_EXTRA_CA_CERTS`. A user who
 * has put an issuing authority or a single certificate into the machine's store trusts it without
 * its root, which OpenSSL alone would want as well. The host name and the validity of certificates
 * are verified all the same.
 */
function contextFor(ca: string[] | undefined): tls.SecureContext {
  // The store of Windows also has intermediate certificates, which help to build chains and are not
  // trusted by themselves.
  const isTrustedAlone = process.platform !== 'win32' && (ca !== undefined || canReadSystem);
  return tls.createSecureContext({ ca, allowPartialTrustChain: isTrustedAlone });
}

/**
 * `getBuiltinModule`, because Node's options decide whether the worker has `require` or `import`.
 */
const workerCode = `
  const { parentPort } = process.getBuiltinModule('node:worker_threads');
  const { getCACertificates } = process.getBuiltinModule('node:tls');
  const system = getCACertificates('system');
  if (system.length === 0) parentPort.postMessage([]);
  else parentPort.postMessage([...new Set([...getCACertificates('default'), ...system])]);
`;

/**
 * Reads in a worker, because macOS may take 40 seconds for it
 * (https://github.com/microsoft/vscode/issues/333830). Rejects if the worker fails.
 */
async function readInWorker(): Promise<readonly string[]> {
  if (!canReadSystem) return [];
  const worker = new Worker(workerCode, { eval: true, name: 'certificates' });
  return new Promise((resolve, reject) => {
    worker
      // The process may end before the worker does. Before it is online, `unref` has no effect.
      .once('online', () => worker.unref())
      .once('message', (found: readonly string[]) => resolve(found))
      .once('error', reject)
      .once('exit', () => reject(new Error('ended')));
  });
}
