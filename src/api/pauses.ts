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

  /** Takes in a 429, and gives the end of the pause, epoch ms. `asked`: ms, from `Retry-After`. */
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

  /** Takes in any other answer: the next 429 is a first one again. */
  clear(organizationId: string): void {
    if (this.left(organizationId) === 0) this.pauses.delete(organizationId);
  }
}
