import assert from 'node:assert/strict';
import type { Answer } from '../../../../src/api/answer.js';
import { AnswerHistory } from '../../../../src/api/answerer/answerHistory.js';
import type { DeploymentAuthorization } from '../../../../src/api/authorization.js';
import type { Call } from '../../../../src/api/call.js';
import { ApiError, type Failure } from '../../../../src/api/failure.js';
import type { ListedDeployment } from '../../../../src/model/findings/deployment.js';
import { ProblemMemory } from '../../../../src/model/problems/problemMemory.js';
import type { ReadDeployment } from '../../../../src/model/store/reads.js';
import { Store } from '../../../../src/model/store/store.js';
import { answerOf } from '../../../support/answers.js';
import { ManualClock, turn } from '../../../support/manualClock.js';
import { MemoryState } from '../../../support/memoryState.js';

export type Outcome = DeploymentAuthorization | Failure;

export const good: DeploymentAuthorization = {
  accounts: [],
  requirements: [{ binding: 'n', satisfied: true }],
};
export const bad: DeploymentAuthorization = {
  accounts: [],
  requirements: [{ binding: 'n', satisfied: false }],
};

export function failed(code: string): DeploymentAuthorization {
  return { accounts: [{ id: 'acc_1', label: 'Finance', error: { code } }], requirements: [] };
}

interface Asked {
  readonly id: string;
  readonly call: Call;
  readonly end: (outcome: Outcome, unreadable?: Answer<unknown>['decodeIssues']) => void;
}

/** Keeps what it was asked, and answers when and as the test says; like a bad server it also answers the cancelled. */
export class ManualPlatform {
  readonly asked: Asked[] = [];
  /** How many it was sent. */
  private sent = 0;
  /** Those that were not answered. */
  open: readonly Asked[] = [];
  private readonly waiting = new Set<{ readonly call: Call; readonly send: () => void }>();

  /** `max`: how many requests of one urgency it gets at a time. */
  constructor(
    private readonly clock: ManualClock,
    private readonly max = Infinity,
  ) {}

  readonly read: ReadDeployment = (id, call) =>
    new Promise<Answer<DeploymentAuthorization>>((resolve, reject) => {
      const send = (): void => {
        const sentAt = this.clock.now();
        const sentElapsed = this.clock.elapsed();
        const sequence = ++this.sent;
        const end: Asked['end'] = (outcome, decodeIssues = []) => {
          this.open = this.open.filter((asked) => asked.end !== end);
          if ('kind' in outcome) reject(new ApiError(outcome, sentElapsed));
          else resolve(answerOf(outcome, { decodeIssues, sentAt, sequence }));
          this.sendLater();
        };
        this.asked.push({ id, call, end });
        this.open = [...this.open, { id, call, end }];
      };
      this.waiting.add({ call, send });
      call.signal.addEventListener('abort', () => this.sendLater());
      this.sendWaiting();
    });

  /** Once the store knows what has ended, as the client does it. */
  private sendLater(): void {
    queueMicrotask(() => this.sendWaiting());
  }

  private sendWaiting(): void {
    // Thousands can wait, so once no place is left for an urgency, the others of that urgency are passed over.
    const full = new Set<boolean>();
    for (const one of this.waiting) {
      const { urgent } = one.call;
      if (full.has(urgent) || !isWanted(one)) continue;
      const sent = this.open.filter((asked) => isWanted(asked) && asked.call.urgent === urgent);
      if (sent.length >= this.max) {
        full.add(urgent);
        continue;
      }
      this.waiting.delete(one);
      one.send();
    }
  }

  /** The ids of all reads. */
  get ids(): string {
    return this.asked.map(({ id }) => id).join('');
  }

  /** The newest read of this deployment. */
  of(id: string): Asked {
    return this.asked.findLast((asked) => asked.id === id)!;
  }
}

export const list = (ids: string) => Array.from(ids, (id) => ({ id }));

const isWanted = ({ call }: Pick<Asked, 'call'>) => !call.signal.aborted;

const before = { maxRequests: Infinity, state: {} as Record<string, unknown> };

/** A store with a list, signed in, and what this workspace remembers. */
export function createWorld(
  listed: string | readonly ListedDeployment[] = 'abc',
  options: Partial<typeof before> = {},
) {
  const { maxRequests, state: remembered } = { ...before, ...options };
  const clock = new ManualClock();
  const { now, elapsed, setTimer } = clock;
  const time = { now, elapsed, setTimer };
  const platform = new ManualPlatform(clock, maxRequests);
  const state = new MemoryState(remembered);
  const memory = new ProblemMemory({ ...time, state, log: { warn: assert.fail } });
  /** Epoch ms until which a 429 holds an organization. */
  const pauses: Record<string, number | undefined> = {};
  const history = new AnswerHistory();
  const window = { hasFocus: true };
  const hasFocus = () => window.hasFocus;
  const store = new Store({ ...time, memory, history, pausedUntil: (id) => pauses[id], hasFocus });
  /** Ids of the deployments with new problems, by event. */
  const found: string[] = [];
  memory.onDidFindNewProblems((problems) =>
    found.push(problems.map(({ deployment }) => deployment.id).join('')),
  );
  store.setListed(typeof listed === 'string' ? list(listed) : listed);
  store.setOrganization({ id: 'org', read: platform.read });
  clock.pass(1000);
  /** As Refresh Deployment does it. */
  const refreshDeployments = (ids: string) => store.refresh(Array.from(ids), { urgent: true });
  /** Ends the newest read of each. */
  const reply = async (ids: string, ...outcome: Parameters<Asked['end']>) => {
    for (const id of ids) {
      platform.of(id).end(...outcome);
      await turn();
    }
  };
  return {
    clock,
    platform,
    store,
    memory,
    /** What the workspace keeps over a restart of the window. */
    state,
    pauses,
    window,
    history,
    found,
    reply,
    refreshDeployments,
    /** Reads one to its end, and no others that its answer contradicts. */
    read: async (id: string, ...outcome: Parameters<Asked['end']>) => {
      const done = store.refresh([id], { urgent: true, readsOnlyThese: true });
      await reply(id, ...outcome);
      await done;
      return store.get(id);
    },
  };
}
