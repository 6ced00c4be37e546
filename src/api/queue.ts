/** A request's leave to run: called, it is given back. */
export type Release = () => void;

/** Requests of the user that may run although refreshes take all of their slots. */
const extraSlots = 2;

interface Counts {
  urgent: number;
  background: number;
}

/** The requests to one origin. */
interface Lane {
  readonly running: Counts;
  /** In the order in which they came. Each is given its slot. */
  readonly waiting: Readonly<Record<keyof Counts, Set<() => void>>>;
}

/**
 * Which requests run: those of refreshes in `max()` slots, at one origin in `maxAt(origin)`, and two more for what the user asks
 * for, which goes first. No request that runs is interrupted.
 */
export class Queue {
  private readonly running: Counts = { urgent: 0, background: 0 };
  private readonly lanes = new Map<string, Lane>();

  constructor(
    private readonly max: () => number,
    private readonly maxAt: (origin: string) => number,
  ) {}

  /** Waits for a slot. Rejects with the signal's reason. */
  async enter(origin: string, urgent: boolean, signal: AbortSignal): Promise<Release> {
    signal.throwIfAborted();
    const kind = urgent ? 'urgent' : 'background';
    const lane = this.lanes.get(origin) ?? newLane();
    this.lanes.set(origin, lane);
    const waiting = lane.waiting[kind];
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.delete(start);
        signal.removeEventListener('abort', giveUp);
      };
      const giveUp = (): void => {
        leave();
        reject(signal.reason);
      };
      const start = (): void => {
        leave();
        resolve(this.slot(lane, kind));
      };
      signal.addEventListener('abort', giveUp);
      waiting.add(start);
      this.update();
    });
  }

  /** Gives free slots to requests that wait. To be called whenever there may be more of them. */
  update(): void {
    for (const kind of ['urgent', 'background'] as const) while (this.startNext(kind));
  }

  private startNext(kind: keyof Counts): boolean {
    if (!hasRoom(this.running, kind, this.max())) return false;
    for (const [origin, lane] of this.lanes) {
      const [start] = lane.waiting[kind];
      if (!start || !hasRoom(lane.running, kind, this.maxAt(origin))) continue;
      // The next slot goes to another origin first.
      this.lanes.delete(origin);
      this.lanes.set(origin, lane);
      start();
      return true;
    }
    return false;
  }

  private slot(lane: Lane, kind: keyof Counts): Release {
    const counts = [this.running, lane.running];
    for (const running of counts) running[kind]++;
    return () => {
      for (const running of counts.splice(0)) running[kind]--;
      this.update();
    };
  }
}

function newLane(): Lane {
  return { running: { urgent: 0, background: 0 }, waiting: { urgent: new Set(), background: new Set() } };
}

function hasRoom({ urgent, background }: Counts, kind: keyof Counts, max: number): boolean {
  return urgent + background < max + extraSlots && (kind === 'urgent' || background < max);
}
