/** Ms. No answer holds an organization longer than this. */
const longest = 10 * 60_000;
/** Ms. What a 429 means that does not say how long; each further one doubles it. */
const first = 5_000;
const shortest = 1_000;
const jitter = 250;

interface Pause {
  until: number;
  /** 429s in a row, without one request between that got through. */
  strikes: number;
}

/** Which organizations a 429 holds, and until when. */
export class Pauses {
  readonly #pauses = new Map<string, Pause>();

  constructor(
    private readonly now: () => number,
    private readonly random: () => number,
    private readonly onPause: (organizationId: string, until: number) => void = () => undefined,
  ) {}

  /** Epoch ms, if the organization is paused now. */
  until(organizationId: string): number | undefined {
    const until = this.#pauses.get(organizationId)?.until ?? 0;
    const left = until - this.now();
    // A pause that would last longer than any can comes from a clock that was set back.
    return left > 0 && left <= longest ? until : undefined;
  }

  /** A 429: returns when the pause ends, epoch ms. `asked`: ms, from `Retry-After`. */
  extend(organizationId: string, asked: number | undefined): number {
    const pause = this.#pauses.get(organizationId) ?? { until: 0, strikes: 0 };
    const running = this.until(organizationId);
    // Several requests under way at once get one 429 each: that is one strike.
    const strikes = running === undefined ? pause.strikes + 1 : pause.strikes;
    const wait = asked === undefined ? first * 2 ** Math.min(strikes - 1, 10) : asked;
    // Not everybody at the same moment.
    const jittered = Math.ceil(Math.max(shortest, wait) + this.random() * jitter);
    const until = Math.max(running ?? 0, this.now() + Math.min(longest, jittered));
    this.#pauses.set(organizationId, { until, strikes });
    this.onPause(organizationId, until);
    return until;
  }

  /** A request got through. */
  clear(organizationId: string): void {
    if (this.until(organizationId) === undefined) {
      this.#pauses.delete(organizationId);
    }
  }
}
