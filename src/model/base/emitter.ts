export interface Disposable {
  dispose(): void;
}

/**
 * Adds a listener. It has the shape of VS Code's `Event`, so that views can listen without an
 * adapter.
 */
export type Event<T> = (listener: (event: T) => unknown) => Disposable;

/**
 * Calls listeners with the events that its owner fires. The owner offers `event` to others and
 * keeps `fire` to itself.
 */
export class Emitter<T> implements Disposable {
  private readonly listeners = new Set<(event: T) => unknown>();

  /**
   * Adds a listener, until what it returns is disposed of. A listener that is added twice is called
   * once.
   */
  readonly event: Event<T> = (listener) => {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  };

  /**
   * Calls the listeners at once. Does not throw: the error of a listener is thrown in a microtask
   * of its own.
   */
  fire(event: T): void {
    // Listeners that are added or removed meanwhile change nothing for this event.
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
