import assert from 'node:assert/strict';
import type { Answer } from '../../../../src/api/answer.js';
import { AnswerHistory } from '../../../../src/api/answerer/answerHistory.js';
import type { DeploymentAuthorization } from '../../../../src/api/authorization.js';
import type { Call } from '../../../../src/api/call.js';
import { ApiError, type Failure } from '../../../../src/api/failure.js';
import { Emitter } from '../../../../src/model/base/emitter.js';
import type { ListedDeployment } from '../../../../src/model/findings/deployment.js';
import { MutesForEveryone, type MutesInScope } from '../../../../src/model/problems/mutes.js';
import { ProblemMemory } from '../../../../src/model/problems/problemMemory.js';
import type { ReadDeployment } from '../../../../src/model/store/reads.js';
import { Store } from '../../../../src/model/store/store.js';
import { answerOf } from '../../../support/answers.js';
import { ManualClock, turn } from '../../../support/manualClock.js';
import { MemoryState } from '../../../support/memoryState.js';

/** What a request ends with: a deployment's answer, or a failure. */
export type Outcome = DeploymentAuthorization | Failure;

/** An answer without a problem: its one requirement is satisfied. */
export const good: DeploymentAuthorization = {
  accounts: [],
  requirements: [{ binding: 'n', satisfied: true }],
};
/** An answer with one problem: its requirement is not satisfied. */
export const bad: DeploymentAuthorization = {
  accounts: [],
  requirements: [{ binding: 'n', satisfied: false }],
};

/** An answer whose account `acc_1` has failed with this error code. */
export function failed(code: string): DeploymentAuthorization {
  return { accounts: [{ id: 'acc_1', label: 'Finance', error: { code } }], requirements: [] };
}

/** A request that the store sent to the platform. */
interface Asked {
  readonly id: string;
  readonly call: Call;
  /** Answers the request. `unreadable`: the fields of the answer that could not be decoded. */
  readonly end: (outcome: Outcome, unreadable?: Answer<unknown>['decodeIssues']) => void;
}

/**
 * Keeps the requests that it gets; the test answers each when it wants, with the outcome that it wants.
 * Like a bad server, it also answers requests that were cancelled.
 */
export class ManualPlatform {
  /** All requests in the order of sending. */
  readonly asked: Asked[] = [];
  private sent = 0;
  /** The requests that were not answered yet. */
  open: readonly Asked[] = [];
  private readonly waiting = new Set<{ readonly call: Call; readonly send: () => void }>();

  /** `max`: how many requests of one urgency can be open at a time. */
  constructor(
    private readonly clock: ManualClock,
    private readonly max = Infinity,
  ) {}

  readonly read: ReadDeployment = (id, call) =>
    new Promise<Answer<DeploymentAuthorization>>((resolve, reject) => {
      const send = (): void => {
        const sentAt = this.clock.now();
        const sentElapsed = this.clock.elapsed();
        this.sent += 1;
        const sequence = this.sent;
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

  /** Sends the next requests after the store knows that one has ended, as the client does. */
  private sendLater(): void {
    queueMicrotask(() => this.sendWaiting());
  }

  private sendWaiting(): void {
    // Thousands can wait, so when an urgency has no free place, the rest of that urgency is skipped.
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

  /** The deployments of all requests in the order of sending: "abca". */
  get ids(): string {
    return this.asked.map(({ id }) => id).join('');
  }

  /** The newest request for this deployment. */
  of(id: string): Asked {
    const newest = this.asked.findLast((asked) => asked.id === id);
    assert.ok(newest, `no request for ${id}; requests: ${this.ids}`);
    return newest;
  }
}

/** The setting `mutes`, as a person edits it. */
class MutesSetting {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;

  constructor(public current: MutesForEveryone) {}

  set(...scopes: readonly MutesInScope[]): void {
    this.current = new MutesForEveryone(scopes);
    this.changed.fire();
  }
}

/** A list of deployments without labels: `list('ab')` has a and b. */
export const list = (ids: string) => Array.from(ids, (id) => ({ id }));

const isWanted = ({ call }: Pick<Asked, 'call'>) => !call.signal.aborted;

const before = {
  maxRequests: Infinity,
  state: {} as Record<string, unknown>,
  mutes: new MutesForEveryone([]),
};

/**
 * Makes a signed-in store with a list, a clock and a platform that the test moves by hand, and the memory of a workspace.
 * `listed`: the deployments, usually named by one letter each. `maxRequests`: how many can be open at a time.
 * `state`: what an earlier window saved. `mutes`: what is muted for everyone at first. `clock`: what the time is.
 */
export function createWorld(
  listed: string | readonly ListedDeployment[] = 'abc',
  options: Partial<typeof before> & { readonly clock?: ManualClock } = {},
) {
  const { maxRequests, state: remembered, mutes } = { ...before, ...options };
  const clock = options.clock ?? new ManualClock();
  const { now, elapsed, setTimer } = clock;
  const time = { now, elapsed, setTimer };
  const platform = new ManualPlatform(clock, maxRequests);
  const state = new MemoryState(remembered);
  const muteEntries = new MutesSetting(mutes);
  const memory = new ProblemMemory({ ...time, state, log: { warn: assert.fail }, muteEntries });
  /** Epoch ms until which a 429 holds an organization. */
  const pauses: Record<string, number | undefined> = {};
  const history = new AnswerHistory();
  const window = { hasFocus: true };
  const hasFocus = () => window.hasFocus;
  const store = new Store({ ...time, memory, history, pausedUntil: (id) => pauses[id], hasFocus });
  /** The deployments whose new problems were announced: one text for each event, as 'ab'. */
  const found: string[] = [];
  memory.onDidFindNewProblems((problems) =>
    found.push(problems.map(({ deployment }) => deployment.id).join('')),
  );
  store.setListed(typeof listed === 'string' ? list(listed) : listed);
  store.setOrganization({ id: 'org', read: platform.read });
  clock.pass(1000);
  /** Begins what Refresh Deployment does for these deployments; resolves when it has ended. */
  const refreshDeployments = (ids: string) => store.refresh(Array.from(ids), { urgent: true });
  /** Answers the newest request for each of these deployments, one after the other. */
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
    muteEntries,
    /** What the workspace keeps over a restart of the window. */
    state,
    pauses,
    window,
    history,
    found,
    reply,
    refreshDeployments,
    /** Reads one deployment to its end and gets its new state; reads no others that the answer contradicts. */
    read: async (id: string, ...outcome: Parameters<Asked['end']>) => {
      const done = store.refresh([id], { urgent: true, readsOnlyThese: true });
      await reply(id, ...outcome);
      await done;
      return store.get(id);
    },
  };
}
