/** A time-out that can stand still. */
export class Deadline {
  private total = 0;
  private spentBefore = 0;
  private startedAt: number | undefined;
  private timer: NodeJS.Timeout | undefined;

  /** `limit`: ms, read at the first start. `onExpired` is told the limit. */
  constructor(
    private readonly limit: () => number,
    private readonly onExpired: (limit: number) => void,
  ) {}

  start(): void {
    if (this.startedAt !== undefined) return;
    this.total ||= this.limit();
    this.startedAt = performance.now();
    this.timer = setTimeout(() => this.onExpired(this.total), this.remaining);
  }

  stop(): void {
    this.spentBefore = this.spent;
    this.startedAt = undefined;
    clearTimeout(this.timer);
  }

  /** Ms. */
  get spent(): number {
    return this.startedAt === undefined ? this.spentBefore : this.spentBefore + performance.now() - this.startedAt;
  }

  /** Ms. */
  get remaining(): number {
    return Math.max(0, this.total - this.spent);
  }
}

interface Watched {
  readonly listeners: Set<() => void>;
  readonly handler: () => void;
}

const watched = new WeakMap<AbortSignal, Watched>();

/**
 * Calls `listener` once when the signal aborts. Thousands of calls of one refresh share a signal, and an event target
 * looks through all its listeners whenever one is added: so one signal has one listener of ours, and that has a set. With the last
 * of the set it goes too: Node keeps a signal made by `AbortSignal.any` for as long as anybody listens to it.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  const entry = watched.get(signal) ?? watch(signal);
  entry.listeners.add(listener);
  return () => {
    if (!entry.listeners.delete(listener) || entry.listeners.size > 0) return;
    signal.removeEventListener('abort', entry.handler);
    if (watched.get(signal) === entry) watched.delete(signal);
  };
}

/** A function of its own: what a handler is made in, it keeps. */
function watch(signal: AbortSignal): Watched {
  const listeners = new Set<() => void>();
  const handler = (): void => {
    watched.delete(signal);
    for (const each of listeners) each();
    listeners.clear();
  };
  signal.addEventListener('abort', handler, { once: true });
  const entry = { listeners, handler };
  watched.set(signal, entry);
  return entry;
}

/** Ms; more time for a connection is not given away while there is another way to try. */
const longest = 10_000;

/** Ms for a connection, so that a second try still has most of what the whole request may take. */
export function connectTimeout(requestTimeout: number): number {
  return Math.min(longest, requestTimeout / 3);
}

/** Runs `open` with a signal that also aborts, with `ETIMEDOUT`, after so many ms. */
export async function within<T>(
  ms: number,
  signal: AbortSignal,
  open: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const stop = (): void => controller.abort(signal.reason);
  const timer = setTimeout(() => controller.abort(timeoutError()), ms);
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  try {
    return await open(controller.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/** As Node reports that a connection took too long. */
export function timeoutError(): Error {
  return Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' });
}

/** The promise, or a rejection with the signal's reason as soon as it aborts: for what ignores signals, or takes its time. */
export async function orStopped<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop: (() => void) | undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason instanceof Error ? signal.reason : new Error('stopped'));
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([promise, stopped]);
  } finally {
    if (stop) signal.removeEventListener('abort', stop);
  }
}
