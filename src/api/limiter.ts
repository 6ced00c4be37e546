import type { Phase } from './client.js';
import type { Pauses } from './pauses.js';

/** A call that wants to send. */
export interface Turn {
  readonly organizationId: string;
  /** Goes ahead of bulk work, in the places kept for it. */
  readonly urgent: boolean;
  /** Has had a place already: goes ahead of those that have not. */
  readonly again: boolean;
  readonly signal: AbortSignal;
  readonly onPhase: (phase: Phase) => void;
  /** Called if the place has to be given back for an urgent call; absent: never taken away. */
  readonly onPreempted?: () => void;
}

export interface Place {
  release(): void;
}

/** A call gave up before it got a place. */
export class GaveUp extends Error {}

interface Waiting {
  readonly turn: Turn;
  readonly start: (place: Place) => void;
}

interface Held {
  readonly turn: Turn;
  preempted: boolean;
}

/**
 * Who may send, and when. At most `max()` places, read anew each time. Bulk work never takes all of them, so that a
 * hung refresh does not hold up what a person asked for; where no place can be kept (`max` is 1, or has just been
 * lowered), an urgent call takes the place of the latest bulk read, which starts again afterwards.
 */
export class Limiter {
  /** Per organization, in order of precedence: urgent again, urgent, bulk again, bulk. */
  readonly #queues = new Map<string, readonly Set<Waiting>[]>();
  readonly #held = new Set<Held>();
  /** How many of the held places bulk work has. */
  #bulk = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly max: () => number,
    private readonly pauses: Pauses,
    private readonly now: () => number,
  ) {}

  /** Resolves with a place. Rejects with `GaveUp` if the turn's signal aborts first. */
  enter(turn: Turn): Promise<Place> {
    return new Promise((resolve, reject) => {
      if (turn.signal.aborted) {
        reject(new GaveUp());
        return;
      }
      const queue = this.#queueOf(turn);
      const giveUp = (): void => {
        queue.delete(waiting);
        reject(new GaveUp());
      };
      const waiting: Waiting = {
        turn,
        start: (place) => {
          queue.delete(waiting);
          turn.signal.removeEventListener('abort', giveUp);
          turn.onPhase({ kind: 'sending' });
          resolve(place);
        },
      };
      queue.add(waiting);
      turn.signal.addEventListener('abort', giveUp);
      this.update();
      if (queue.has(waiting)) {
        turn.onPhase(this.#phaseOf(turn.organizationId));
      }
    });
  }

  /** An organization was paused: tells those that wait for it. */
  paused(organizationId: string): void {
    this.#announce(organizationId);
    this.update();
  }

  /** Gives away what is free. To be called whenever that may have changed. */
  update(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      next.start(this.#hold(next.turn));
    }
    this.#preempt();
    this.#wakeUpAfterPause();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #queueOf(turn: Turn): Set<Waiting> {
    let queues = this.#queues.get(turn.organizationId);
    if (!queues) {
      queues = [new Set(), new Set(), new Set(), new Set()];
      this.#queues.set(turn.organizationId, queues);
    }
    return queues[(turn.urgent ? 0 : 2) + (turn.again ? 0 : 1)]!;
  }

  #hold(turn: Turn): Place {
    const held: Held = { turn, preempted: false };
    const bulk = turn.urgent ? 0 : 1;
    this.#held.add(held);
    this.#bulk += bulk;
    return {
      release: () => {
        if (this.#held.delete(held)) {
          this.#bulk -= bulk;
          this.update();
        }
      },
    };
  }

  #next(): Waiting | undefined {
    const max = this.max();
    const bulkMayStart = this.#bulk < Math.max(1, max - Math.max(1, Math.floor(max / 8)));
    return this.#held.size < max ? this.#first(bulkMayStart ? 4 : 2) : undefined;
  }

  /** The first that waits in one of the first `levels` queues of an organization that is not paused. */
  #first(levels: number): Waiting | undefined {
    for (let level = 0; level < levels; level++) {
      for (const [organizationId, queues] of this.#queues) {
        const [first] = queues[level]!;
        if (first && this.pauses.until(organizationId) === undefined) {
          return first;
        }
      }
    }
    return undefined;
  }

  #preempt(): void {
    // Asked first, since almost always nobody waits there.
    if (!this.#first(2)) {
      return;
    }
    const held = [...this.#held];
    if (held.some((one) => one.turn.urgent || one.preempted)) {
      return;
    }
    const latest = held.findLast((one) => one.turn.onPreempted !== undefined);
    if (latest) {
      latest.preempted = true;
      latest.turn.onPreempted?.();
    }
  }

  #phaseOf(organizationId: string): Phase {
    const until = this.pauses.until(organizationId);
    return until === undefined ? { kind: 'waiting' } : { kind: 'paused', until };
  }

  #announce(organizationId: string): void {
    const phase = this.#phaseOf(organizationId);
    for (const queue of this.#queues.get(organizationId) ?? []) {
      for (const { turn } of queue) {
        turn.onPhase(phase);
      }
    }
  }

  #wakeUpAfterPause(): void {
    clearTimeout(this.#timer);
    let end = Infinity;
    for (const [organizationId, queues] of this.#queues) {
      const until = this.pauses.until(organizationId);
      if (until !== undefined && queues.some((queue) => queue.size > 0)) {
        end = Math.min(end, until);
      }
    }
    if (end < Infinity) {
      this.#timer = setTimeout(
        () => {
          this.update();
          for (const organizationId of this.#queues.keys()) {
            this.#announce(organizationId);
          }
        },
        Math.max(0, end - this.now()) + 1,
      );
    }
  }
}
