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

  /** A request got through. */
  clear(organizationId: string): void {
    if (this.left(organizationId) === 0) this.pauses.delete(organizationId);
  }
}

/** A call that wants to send. */
interface Turn {
  readonly organizationId: string;
  /** Scheme, host and port. */
  readonly origin: string;
  /** Goes ahead of background work, in the places kept for it. */
  readonly urgent: boolean;
  /** Has had a place already: goes ahead of those that have not. */
  readonly again: boolean;
  /** Only the editor's route is left for it, whichever way is usual for the origin. */
  readonly editor: boolean;
  readonly signal: AbortSignal;
  readonly onPhase: (phase: Phase) => void;
}

export interface Place {
  /** It is one of the few places of the editor's route. */
  readonly editor: boolean;
  release(): void;
}

/** A call gave up before it got a place. */
export class GaveUp extends Error {}

interface Waiting {
  readonly turn: Turn;
  readonly start: (place: Place) => void;
}

/** Requests over the editor's route to one origin: its `fetch` builds the store of certificates anew for each connection. */
const mostOverEditor = 4;

/** How many requests are under way at once, somewhere. */
class Room {
  private all = 0;
  private background = 0;

  /** Background work leaves places for what a person asks for, except where there is only one. */
  hasPlace(most: number, urgent: boolean): boolean {
    const kept = most === 1 ? 0 : Math.max(1, Math.floor(most / 8));
    return this.all < most && (urgent || this.background < most - kept);
  }

  change(urgent: boolean, by: 1 | -1): void {
    this.all += by;
    if (!urgent) this.background += by;
  }
}

/**
 * Who may send, and when: at most `most()` at once, read anew each time, and over the editor's route at most four to an origin.
 * People go first, in places kept for them, so that a hung refresh does not hold them up. Nothing that runs is interrupted.
 */
export class Queue {
  /** Per organization, in order of precedence: urgent again, urgent, background again, background. */
  private readonly queues = new Map<string, readonly Set<Waiting>[]>();
  private readonly room = new Room();
  /** By origin. */
  private readonly editorRooms = new Map<string, Room>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly most: () => number,
    private readonly viaEditor: (origin: string) => boolean,
    private readonly pauses: Pauses,
  ) {}

  /** Resolves with a place. Rejects with `GaveUp` if the turn's signal aborts first. */
  enter(turn: Turn): Promise<Place> {
    return new Promise((resolve, reject) => {
      if (turn.signal.aborted) {
        reject(new GaveUp());
        return;
      }
      const queue = this.queueOf(turn);
      const giveUp = (): void => {
        queue.delete(waiting);
        reject(new GaveUp());
      };
      const waiting: Waiting = {
        turn,
        start: (place) => {
          queue.delete(waiting);
          turn.signal.removeEventListener('abort', giveUp);
          turn.onPhase({ kind: 'connecting' });
          resolve(place);
        },
      };
      queue.add(waiting);
      turn.signal.addEventListener('abort', giveUp);
      this.update();
      if (queue.has(waiting)) turn.onPhase(this.phaseOf(turn.organizationId));
    });
  }

  /** An organization was paused: tells those that wait for it. */
  paused(organizationId: string): void {
    this.announce(organizationId);
    this.update();
  }

  /** Gives away what is free. To be called whenever that may have changed. */
  update(): void {
    for (let next = this.next(); next; next = this.next()) {
      next.waiting.start(this.placeFor(next.waiting.turn, next.editor));
    }
    this.wakeUpAfterPause();
  }

  close(): void {
    clearTimeout(this.timer);
  }

  private queueOf(turn: Turn): Set<Waiting> {
    let queues = this.queues.get(turn.organizationId);
    if (!queues) {
      queues = [new Set(), new Set(), new Set(), new Set()];
      this.queues.set(turn.organizationId, queues);
    }
    return queues[(turn.urgent ? 0 : 2) + (turn.again ? 0 : 1)]!;
  }

  private next(): { readonly waiting: Waiting; readonly editor: boolean } | undefined {
    const most = this.most();
    for (let level = 0; level < 4; level++) {
      if (!this.room.hasPlace(most, level < 2)) continue;
      for (const [organizationId, queues] of this.queues) {
        const [waiting] = queues[level]!;
        if (!waiting || this.pauses.left(organizationId) > 0) continue;
        const { turn } = waiting;
        const editor = turn.editor || this.viaEditor(turn.origin);
        if (!editor || this.editorRoom(turn).hasPlace(mostOverEditor, turn.urgent)) return { waiting, editor };
      }
    }
    return undefined;
  }

  private placeFor(turn: Turn, editor: boolean): Place {
    const rooms = editor ? [this.room, this.editorRoom(turn)] : [this.room];
    for (const room of rooms) room.change(turn.urgent, 1);
    let held = true;
    return {
      editor,
      release: () => {
        if (!held) return;
        held = false;
        for (const room of rooms) room.change(turn.urgent, -1);
        this.update();
      },
    };
  }

  private editorRoom({ origin }: Turn): Room {
    let room = this.editorRooms.get(origin);
    if (!room) {
      room = new Room();
      this.editorRooms.set(origin, room);
    }
    return room;
  }

  private phaseOf(organizationId: string): Phase {
    const until = this.pauses.until(organizationId);
    return until === undefined ? { kind: 'waiting' } : { kind: 'paused', until };
  }

  private announce(organizationId: string): void {
    const phase = this.phaseOf(organizationId);
    for (const queue of this.queues.get(organizationId) ?? []) for (const { turn } of queue) turn.onPhase(phase);
  }

  private wakeUpAfterPause(): void {
    clearTimeout(this.timer);
    let shortest = Infinity;
    for (const [organizationId, queues] of this.queues) {
      const left = this.pauses.left(organizationId);
      if (left > 0 && queues.some((queue) => queue.size > 0)) shortest = Math.min(shortest, left);
    }
    if (shortest === Infinity) return;
    this.timer = setTimeout(() => {
      this.update();
      for (const organizationId of this.queues.keys()) this.announce(organizationId);
    }, shortest + 1);
  }
}
