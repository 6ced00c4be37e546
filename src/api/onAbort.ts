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
    if (!entry.listeners.delete(listener) || entry.listeners.size > 0) {
      return;
    }
    signal.removeEventListener('abort', entry.handler);
    if (watched.get(signal) === entry) {
      watched.delete(signal);
    }
  };
}

/** A function of its own: what a handler is made in, it keeps. */
function watch(signal: AbortSignal): Watched {
  const listeners = new Set<() => void>();
  const handler = (): void => {
    watched.delete(signal);
    for (const each of listeners) {
      each();
    }
    listeners.clear();
  };
  signal.addEventListener('abort', handler, { once: true });
  const entry = { listeners, handler };
  watched.set(signal, entry);
  return entry;
}
