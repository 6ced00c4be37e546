export type Release = () => void;

/** For urgent requests when background ones take all slots. */
const extraSlots = 2;

/** Of the requests to one origin: background ones run in `max()` slots. Urgent ones go first, and have two more. */
export class Queue {
  private readonly running = { urgent: 0, background: 0 };
  private readonly waiting = { urgent: new Set<() => void>(), background: new Set<() => void>() };

  constructor(private readonly max: () => number) {}

  async enter(urgent: boolean, signal: AbortSignal): Promise<Release> {
    signal.throwIfAborted();
    const kind = urgent ? 'urgent' : 'background';
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.waiting[kind].delete(start);
        signal.removeEventListener('abort', giveUp);
      };
      const giveUp = (): void => {
        leave();
        reject(signal.reason);
      };
      const start = (): void => {
        leave();
        this.running[kind]++;
        resolve(() => {
          this.running[kind]--;
          this.update();
        });
      };
      signal.addEventListener('abort', giveUp);
      this.waiting[kind].add(start);
      this.update();
    });
  }

  update(): void {
    const { running, waiting } = this;
    const max = this.max();
    const isFull = (): boolean => running.urgent + running.background >= max + extraSlots;
    for (const start of waiting.urgent) {
      if (isFull()) break;
      start();
    }
    for (const start of waiting.background) {
      if (isFull() || running.background >= max) break;
      start();
    }
  }
}
