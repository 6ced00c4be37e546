/** Where a request stands before its answer. Waiting does not count towards the time-out. */
export type Phase =
  | { readonly kind: 'waiting' }
  /** `until`: epoch ms, a 429 paused this organization. */
  | { readonly kind: 'paused'; readonly until: number }
  /** It has left the queue. Nothing of it is on its way: look-up, connection, TLS. */
  | { readonly kind: 'connecting' }
  /** It is on its way. Before a repeat it waits again. */
  | { readonly kind: 'sending' };

/** Ms. No answer holds an organization longer than this. */
const longestPause = 10 * 60_000;
/** Ms. What a 429 means that does not say how long; each further one doubles it. */
const firstPause = 5_000;
const shortestPause = 1_000;
const jitter = 250;

interface Pause {
  /** Epoch ms: what people are told. */
  until: number;
  /** The same moment on the clock that only runs forward. */
  end: number;
  /** 429s in a row, without one request between that got through. */
  strikes: number;
}

/** Which organizations a 429 holds, and until when. */
export class Pauses {
  private readonly pauses = new Map<string, Pause>();

  /** `now`: epoch ms; `elapsed`: ms since any moment, of a clock that nobody sets. */
  constructor(
    private readonly now: () => number,
    private readonly elapsed: () => number,
    private readonly random: () => number,
    private readonly onPause: (organizationId: string, until: number) => void = () => undefined,
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
    this.onPause(organizationId, pause.until);
    return pause.until;
  }

  /** Ms until the next pause ends, if one lasts. */
  shortest(): number | undefined {
    const lasting = Array.from(this.pauses.keys(), (organizationId) => this.left(organizationId)).filter(
      (left) => left > 0,
    );
    return lasting.length > 0 ? Math.min(...lasting) : undefined;
  }

  /** A request got through. */
  clear(organizationId: string): void {
    if (this.left(organizationId) === 0) this.pauses.delete(organizationId);
  }
}

/** A call that wants to send. */
interface Turn {
  readonly organizationId: string;
  /** Goes ahead of background work, in the places kept for it. */
  readonly urgent: boolean;
  /** Has had a place already: goes ahead of those that have not. */
  readonly again: boolean;
  readonly signal: AbortSignal;
  readonly onPhase: (phase: Phase) => void;
}

/** A place in the queue: called, it is given back. */
export type Release = () => void;

interface Waiting {
  readonly turn: Turn;
  readonly start: (release: Release) => void;
}

/**
 * Who may send, and when: at most `most()` at once, read anew each time. People go first, in places kept for them, so that a hung
 * refresh does not hold them up. Nothing that runs is interrupted.
 */
export class Queue {
  /** In order of precedence: urgent again, urgent, background again, background. */
  private readonly levels: readonly Set<Waiting>[] = [new Set(), new Set(), new Set(), new Set()];
  private all = 0;
  private background = 0;
  private wakeUp: NodeJS.Timeout | undefined;

  constructor(
    private readonly most: () => number,
    private readonly pauses: Pauses,
  ) {}

  /** Resolves with a place, or without if the turn's signal aborts first. */
  enter(turn: Turn): Promise<Release | undefined> {
    return new Promise((resolve) => {
      if (turn.signal.aborted) {
        resolve(undefined);
        return;
      }
      const level = this.levels[(turn.urgent ? 0 : 2) + (turn.again ? 0 : 1)]!;
      const leave = (release?: Release): void => {
        level.delete(waiting);
        turn.signal.removeEventListener('abort', giveUp);
        if (release) turn.onPhase({ kind: 'connecting' });
        resolve(release);
      };
      const giveUp = (): void => leave();
      const waiting: Waiting = { turn, start: leave };
      level.add(waiting);
      turn.signal.addEventListener('abort', giveUp);
      this.update();
      if (level.has(waiting)) turn.onPhase(this.phaseOf(turn.organizationId));
    });
  }

  /** An organization was paused: tells those that wait for it. */
  paused(organizationId: string): void {
    this.announce(organizationId);
    this.update();
  }

  /** Gives away what is free. To be called whenever that may have changed. */
  update(): void {
    for (const waiting of this.levels) {
      for (const { turn, start } of waiting) {
        if (!this.hasPlace(turn.urgent)) break;
        if (this.pauses.left(turn.organizationId) === 0) start(this.take(turn.urgent));
      }
    }
    clearTimeout(this.wakeUp);
    const shortest = this.pauses.shortest();
    if (shortest === undefined || this.levels.every(({ size }) => size === 0)) return;
    this.wakeUp = setTimeout(() => {
      this.update();
      this.announce();
    }, shortest + 1);
  }

  close(): void {
    clearTimeout(this.wakeUp);
  }

  /** Background work leaves places for what a person asks for, except where there is only one. */
  private hasPlace(urgent: boolean): boolean {
    const most = this.most();
    const kept = most === 1 ? 0 : Math.max(1, Math.floor(most / 8));
    return this.all < most && (urgent || this.background < most - kept);
  }

  private take(urgent: boolean): Release {
    const count = (by: 1 | -1): void => {
      this.all += by;
      if (!urgent) this.background += by;
    };
    count(1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      count(-1);
      this.update();
    };
  }

  private phaseOf(organizationId: string): Phase {
    const until = this.pauses.until(organizationId);
    return until === undefined ? { kind: 'waiting' } : { kind: 'paused', until };
  }

  /** Tells those that wait where they stand; of one organization only, if it is named. */
  private announce(organizationId?: string): void {
    for (const { turn } of this.levels.flatMap((waiting) => [...waiting])) {
      if (turn.organizationId === (organizationId ?? turn.organizationId)) {
        turn.onPhase(this.phaseOf(turn.organizationId));
      }
    }
  }
}
