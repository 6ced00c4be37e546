import type { Pauses } from './pauses.js';

/** Where a request stands before its answer. Waiting does not count towards the time-out. */
export type Phase =
  /** `connecting`: it has left the queue, and nothing of it is on its way. After `sending`, a repeat waits and connects again. */
  | { readonly kind: 'waiting' | 'connecting' | 'sending' }
  /** `until`: epoch ms, a 429 paused this organization. */
  | { readonly kind: 'paused'; readonly until: number };

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
