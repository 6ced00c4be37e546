export interface Disposable {
  dispose(): void;
}

/** The same shape as VS Code's `Event`, so that views can listen without an adapter. */
export type Event<T> = (listener: (event: T) => unknown) => Disposable;

export class Emitter<T> implements Disposable {
  private listeners = new Set<(event: T) => unknown>();

  readonly event: Event<T> = (listener) => {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  };

  fire(event: T): void {
    // A listener that throws must not keep the others from being told, so its error surfaces in a microtask of its own.
    const listeners = [...this.listeners];
    for (const listener of listeners) {
      try {
        listener(event);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  dispose(): void {
    this.listeners.clear();
  }
}
