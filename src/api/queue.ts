/** Where a request stands before its answer. Waiting does not count towards the time-out. */
export type Phase =
  /** `connecting`: it has left the queue, and nothing of it is on its way. After `sending`, a repeat waits and connects again. */
  | { readonly kind: 'waiting' | 'connecting' | 'sending' }
  /** `until`: epoch ms, a 429 paused this organization. */
  | { readonly kind: 'paused'; readonly until: number };

/** Ms. No answer holds an organization longer than this. */
const longestPause = 10 * 60_000;
/** Ms. What a 429 means that does not say how long; each further one doubles it. */
const firstPause = 5_000;
const shortestPause = 1_000;
const jitter = 250;

/** `until`: epoch ms; `end`: the same moment on the clock that nobody sets; `strikes`: 429s in a row. */
interface Pause {
  until: number;
  end: number;
  strikes: number;
}

/** Which organizations a 429 holds, and until when. */
export class Pauses {
  private readonly pauses = new Map<string, Pause>();
  /** Called after each 429, and when a pause is over. */
  readonly listeners: (() => void)[] = [];

  /** `now`: epoch ms; `elapsed`: ms since any moment, of a clock that nobody sets. */
  constructor(
    private readonly now: () => number,
    private readonly elapsed: () => number,
    private readonly random: () => number,
  ) {}

  /** Epoch ms, if the organization is paused now. */
  until(organizationId: string): number | undefined {
    return this.left(organizationId) > 0 ? this.pauses.get(organizationId)?.until : undefined;
  }

  /**
   * Ms. A pause is over when either clock says so: the wall clock may have been set back, and the other one stands still while the
   * machine sleeps.
   */
  left(organizationId: string): number {
    const pause = this.pauses.get(organizationId);
    return pause ? Math.max(0, Math.min(pause.end - this.elapsed(), pause.until - this.now())) : 0;
  }

  /** A 429: returns when the pause ends, epoch ms. `asked`: ms, from `Retry-After`. */
  extend(organizationId: string, asked: number | undefined): number {
    const pause = this.pauses.get(organizationId) ?? { until: 0, end: 0, strikes: 0 };
    const left = this.left(organizationId);
    // Several requests under way at once get one 429 each: that is one strike.
    if (left === 0) pause.strikes++;
    const wait = asked ?? firstPause * 2 ** Math.min(pause.strikes - 1, 10);
    // Jitter keeps windows from asking again all at the same moment.
    const jittered = Math.min(longestPause, Math.ceil(Math.max(shortestPause, wait) + this.random() * jitter));
    if (jittered > left) {
      pause.until = this.now() + jittered;
      pause.end = this.elapsed() + jittered;
    }
    this.pauses.set(organizationId, pause);
    for (const tell of this.listeners) tell();
    if (left === 0) this.tellEnd(organizationId);
    return pause.until;
  }

  /** A timer may be early, and the pause may have become longer meanwhile. */
  private tellEnd(organizationId: string): void {
    const left = this.left(organizationId);
    if (left > 0) setTimeout(() => this.tellEnd(organizationId), left + 1).unref();
    else for (const tell of this.listeners) tell();
  }

  /** A request got through. */
  clear(organizationId: string): void {
    if (this.left(organizationId) === 0) this.pauses.delete(organizationId);
  }
}

/** A call that wants to send. */
interface Turn {
  readonly organizationId: string;
  readonly urgent: boolean;
  readonly signal: AbortSignal;
  readonly onPhase: (phase: Phase) => void;
}

/** A place in the queue: called, it is given back. */
export type Release = () => void;

/** Calls of one urgency: those that wait, each with what gives it its place, and those that have one. */
interface Line {
  readonly waiting: Map<Turn, (place: Release) => void>;
  readonly sending: Set<Turn>;
}

/**
 * Who may send, and when: at most `most()` at once, read anew each time. People go first, in places kept for them, so that a hung
 * refresh does not hold them up. Nothing that runs is interrupted.
 */
export class Queue {
  private readonly urgent: Line = { waiting: new Map(), sending: new Set() };
  private readonly background: Line = { waiting: new Map(), sending: new Set() };

  constructor(
    private readonly most: () => number,
    private readonly pauses: Pauses,
  ) {
    pauses.listeners.push(() => {
      this.update();
      for (const { waiting } of [this.urgent, this.background]) for (const turn of waiting.keys()) this.tell(turn);
    });
  }

  /** Resolves with a place, or without if the turn's signal aborts first. */
  enter(turn: Turn): Promise<Release | undefined> {
    const { signal, onPhase } = turn;
    const { waiting } = turn.urgent ? this.urgent : this.background;
    return new Promise((resolve) => {
      if (signal.aborted) {
        resolve(undefined);
        return;
      }
      const leave = (place?: Release): void => {
        waiting.delete(turn);
        signal.removeEventListener('abort', giveUp);
        if (place) onPhase({ kind: 'connecting' });
        resolve(place);
      };
      const giveUp = (): void => leave();
      waiting.set(turn, leave);
      signal.addEventListener('abort', giveUp);
      this.update();
      if (waiting.has(turn)) this.tell(turn);
    });
  }

  /** Gives away what is free. To be called whenever that may have changed. */
  update(): void {
    for (const line of [this.urgent, this.background]) {
      for (const [turn, start] of line.waiting) {
        if (!this.hasPlace(line)) break;
        if (this.pauses.left(turn.organizationId) > 0) continue;
        line.sending.add(turn);
        start(() => {
          if (line.sending.delete(turn)) this.update();
        });
      }
    }
  }

  /** Background work leaves places for what a person asks for, except where there is only one. */
  private hasPlace(line: Line): boolean {
    const { urgent, background } = this;
    const most = this.most();
    const kept = most === 1 ? 0 : Math.max(1, Math.floor(most / 8));
    const isFull = urgent.sending.size + background.sending.size >= most;
    return !isFull && (line === urgent || background.sending.size < most - kept);
  }

  private tell({ organizationId, onPhase }: Turn): void {
    const until = this.pauses.until(organizationId);
    onPhase(until === undefined ? { kind: 'waiting' } : { kind: 'paused', until });
  }
}
