export type Release = () => void;

/** For urgent requests when background ones take all slots. */
const extraSlots = 2;

interface RunningCounts {
  urgent: number;
  background: number;
}

interface Waiter {
  readonly origin: string;
  readonly start: () => void;
}

/** Background requests run in `max()` slots, at one origin in `maxAt(origin)`. Urgent ones go first, and have two more slots. */
export class Queue {
  private readonly running: RunningCounts = { urgent: 0, background: 0 };
  private readonly runningAt = new Map<string, RunningCounts>();
  private readonly waiting = { urgent: new Set<Waiter>(), background: new Set<Waiter>() };

  constructor(
    private readonly max: () => number,
    private readonly maxAt: (origin: string) => number,
  ) {}

  async enter(origin: string, urgent: boolean, signal: AbortSignal): Promise<Release> {
    signal.throwIfAborted();
    const kind = urgent ? 'urgent' : 'background';
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.waiting[kind].delete(waiter);
        signal.removeEventListener('abort', giveUp);
      };
      const giveUp = (): void => {
        leave();
        reject(signal.reason);
      };
      const start = (): void => {
        leave();
        resolve(this.slot(origin, kind));
      };
      const waiter: Waiter = { origin, start };
      signal.addEventListener('abort', giveUp);
      this.waiting[kind].add(waiter);
      this.update();
    });
  }

  /** To be called whenever there may be more slots. */
  update(): void {
    for (const kind of ['urgent', 'background'] as const) {
      const full = new Set<string>();
      for (const { origin, start } of this.waiting[kind]) {
        if (!hasRoom(this.running, kind, this.max())) break;
        if (full.has(origin)) continue;
        if (hasRoom(this.countsAt(origin), kind, this.maxAt(origin))) start();
        else full.add(origin);
      }
    }
  }

  private countsAt(origin: string): RunningCounts {
    const counts = this.runningAt.get(origin) ?? { urgent: 0, background: 0 };
    this.runningAt.set(origin, counts);
    return counts;
  }

  private slot(origin: string, kind: keyof RunningCounts): Release {
    const counts = [this.running, this.countsAt(origin)];
    for (const running of counts) running[kind]++;
    return () => {
      for (const running of counts.splice(0)) running[kind]--;
      this.update();
    };
  }
}

function hasRoom({ urgent, background }: RunningCounts, kind: keyof RunningCounts, max: number): boolean {
  return urgent + background < max + extraSlots && (kind === 'urgent' || background < max);
}
