import { createHash } from 'node:crypto';
import tls from 'node:tls';
import { Worker } from 'node:worker_threads';
import { orAborted } from '../abort.js';
import type { Call } from '../call.js';
import { type SetTimer, setTimer } from '../timers.js';
import { codeOf } from './errorCodes.js';

/** PEM: the system's, Node's own and those of `NODE_EXTRA_CA_CERTS`; none if the system has none. */
export type ReadCertificates = () => Promise<readonly string[]>;

export interface TrustOptions {
  readonly readCertificates?: ReadCertificates;
  /** For time-outs. */
  readonly setTimer?: SetTimer;
  /** New connections trust others than before. */
  readonly onTrustChange?: () => void;
  /** `areKept`: those that were read before are still trusted. */
  readonly onTrustFailure?: (code: string, areKept: boolean) => void;
}

/**
 * The certificates that the router's connections trust. They are read when a connection first needs
 * them, and in the background after `readAgain()`; what was read last counts until then, and after a
 * failure. All connections share one context, because building it for each stalls the extension
 * host for tenths of a second.
 */
export class Trust {
  /** Identifies the certificates that were read last; `undefined`: none were read yet. */
  private known: string | undefined;
  /** Without the system's: Node's own, and those of `NODE_EXTRA_CA_CERTS`. */
  private withoutSystem: tls.SecureContext | undefined;
  /** With `known`; `undefined` also if the system has none. */
  private shared: tls.SecureContext | undefined;
  /** Why there is no `known` yet. `ETIMEDOUT`: the reading still runs. */
  private code: string | undefined;
  private isOutdated = true;
  private isReading = false;
  /** Resolves at the end of the first reading, or when that has taken too long to be waited for. */
  private usable: Promise<void> | undefined;

  constructor(private readonly options: TrustOptions) {}

  /** For connections that do not trust the system's certificates. */
  get contextWithoutSystem(): tls.SecureContext {
    this.withoutSystem ??= contextFor(undefined);
    return this.withoutSystem;
  }

  /** The system's certificates are in it if they are known after `maxMs` at most. Rejects with the signal's reason. */
  async context(
    maxMs: number,
    { signal, onStep }: Pick<Call, 'signal' | 'onStep'>,
  ): Promise<tls.SecureContext> {
    const start = performance.now();
    if (this.isOutdated && !this.isReading) this.startReading(maxMs);
    if (this.known === undefined) await orAborted(this.usable!, signal);
    const { code } = this;
    if (code !== undefined)
      onStep?.({ kind: 'certificates', code, duration: performance.now() - start });
    return this.shared ?? this.contextWithoutSystem;
  }

  /** The next connection that needs them starts this, and does not wait for it. */
  readAgain(): void {
    this.isOutdated = true;
  }

  private startReading(maxMs: number): void {
    this.isOutdated = false;
    const reading = this.readAll();
    if (this.known !== undefined) return;
    const { setTimer: set = setTimer } = this.options;
    const timeOut = new AbortController();
    const timer = set(() => timeOut.abort(), maxMs);
    this.usable = orAborted(reading, timeOut.signal)
      .catch(() => this.failed('ETIMEDOUT'))
      .finally(() => timer.dispose());
  }

  private async readAll(): Promise<void> {
    const { readCertificates = readInWorker } = this.options;
    this.isReading = true;
    try {
      this.take([...(await readCertificates())]);
    } catch (error) {
      this.failed(codeOf(error));
    } finally {
      this.isReading = false;
    }
  }

  private take(ca: string[]): void {
    const found = createHash('sha256').update(ca.join()).digest('base64');
    if (found === this.known) return;
    this.shared = ca.length > 0 ? contextFor(ca) : undefined;
    this.known = found;
    this.code = undefined;
    this.options.onTrustChange?.();
  }

  private failed(code: string): void {
    const areKept = this.known !== undefined;
    if (!areKept) this.code = code;
    this.options.onTrustFailure?.(code, areKept);
  }
}

/** Node lists the system's certificates since 22.15. */
const knowsSystem = Reflect.has(tls, 'getCACertificates');

/**
 * Whoever put an issuing authority or a single certificate into the machine's store trusts that, with or
 * without its root. OpenSSL by itself wants the root. Name and times are verified all the same. `ca`: PEM;
 * `undefined`: Node's own, to which Node 20 would not add those of `NODE_EXTRA_CA_CERTS`.
 */
function contextFor(ca: string[] | undefined): tls.SecureContext {
  // Windows also keeps intermediate certificates that help to build chains, and are not trusted by themselves.
  const isTrustedAlone = process.platform !== 'win32' && (ca !== undefined || knowsSystem);
  return tls.createSecureContext({ ca, allowPartialTrustChain: isTrustedAlone });
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
  if (!knowsSystem) return [];
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
