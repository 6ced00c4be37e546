const listeners = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `listener` once when the signal aborts. Thousands of calls of one refresh share a signal, and an event target
 * looks through all its listeners whenever one is added: so one signal has one listener of ours, and that has a set.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  let set = listeners.get(signal);
  if (!set) {
    const created = new Set<() => void>();
    set = created;
    listeners.set(signal, created);
    signal.addEventListener(
      'abort',
      () => {
        for (const each of created) {
          each();
        }
        created.clear();
      },
      { once: true },
    );
  }
  const added = set.add(listener);
  return () => void added.delete(listener);
}
