import { asSentOnTheWay } from '../api/answerer/whoAnswered.js';
import type { ApiError, Failure } from '../api/failure.js';
import { type Clock, minute } from './base/time.js';

/** Why all deployments fail. */
export interface SharedCause {
  readonly kind: 'failure';
  readonly failure: Failure;
  /** Whether the connections fail for different reasons, or the machine has no network at all. */
  readonly isOffline: boolean;
  /** Epoch ms of the failure. */
  readonly at: number;
  /** Epoch ms of the newest good answer at that time; `undefined` if there was none. */
  readonly asOf: number | undefined;
}

/** What follows from the end of one read. Absent fields say that nothing follows. */
export interface Verdict {
  /**
   * Whom the failure of this read concerns: its deployment alone, or, while it is `undecided`,
   * maybe all deployments. Absent if the read did not fail, or if its failure says nothing of a
   * deployment: it was cancelled, it met a pause after a 429, or it has to be read again.
   */
  readonly scope?: 'deployment' | 'undecided';
  /**
   * What became of all failures that were undecided. `shared`: all deployments fail for one cause.
   * `separate`: each failure concerns its deployment alone. `over`: the shared cause has ended.
   */
  readonly decided?: 'shared' | 'separate' | 'over';
  /** Which reads are pointless now: those of refreshes, or all, with those of probes and tools. */
  readonly cancels?: 'refreshes' | 'all';
  /** The ID of a deployment that has to be read once more. */
  readonly readAgain?: string;
}

/** A kind of failure that all deployments may share. A web page counts together with its status. */
type SharedKind =
  | 'tokenRejected'
  | 'unanswered'
  | 'serverError'
  | 'redirected'
  | 'unusable'
  | 'proxy'
  | `webPage ${number}`;

/**
 * Returns `undefined` for a failure that concerns a single deployment, and for `cancelled` and
 * `rateLimited`, which open no circuit. The platform, or something on the way, may send a web page
 * with any status.
 */
function sharedKindOf(failure: Failure): SharedKind | undefined {
  switch (failure.kind) {
    case 'unreachable':
    case 'timedOut':
    case 'connectionLost':
      return 'unanswered';
    case 'tokenRejected':
    case 'serverError':
    case 'redirected':
    case 'unusable':
      return failure.kind;
    case 'invalidHttp':
      return 'unusable';
    case 'notFromPlatform':
      return `webPage ${failure.status}`;
    case 'notPermitted':
    case 'notFound':
    case 'clientError':
      if (failure.status === 407) return 'proxy';
      return failure.doubt === 'webPage' ? `webPage ${failure.status}` : undefined;
    default:
      return undefined;
  }
}

/** Returns whether two failures are of one kind that all deployments may share. */
export function isSameCause(one: Failure, other: Failure): boolean {
  const kind = sharedKindOf(one);
  return kind !== undefined && kind === sharedKindOf(other);
}

/** Returns whether the failure is a web page that the platform may have sent. */
function mayBePageOfPlatform(failure: Failure): boolean {
  return 'doubt' in failure && failure.doubt === 'webPage';
}

const undecided: Verdict = { scope: 'undecided' };

/** So many deployments without an answer are an outage; fewer if fewer are listed. */
const outageCount = 3;

const firstProbeMs = 15_000;
const maxProbeMs = 5 * minute;

interface BreakerOptions extends Pick<Clock, 'now' | 'elapsed'> {
  /** The IDs of the listed deployments: a cause is shared when all of them fail. */
  readonly listed: { readonly size: number; has(id: string): boolean };
  /** Returns the epoch ms of the newest good answer; `undefined` if there is none. */
  readonly asOf?: () => number | undefined;
}

/**
 * A circuit breaker for the reads of an organization with one token. Closed: reads are sent, and a
 * failure concerns a single deployment. Open: all reads fail for one cause. Half open: a probe
 * reads one deployment to see whether that cause has ended. The store, or the check for CI, reports
 * the end of each read, in the order of time, and follows the verdict: the breaker neither sends
 * nor shows anything itself.
 */
export class CircuitBreaker {
  /**
   * Why the breaker is open; `undefined` while it is closed. The same object until it opens anew.
   */
  cause: SharedCause | undefined;
  /** The failures of one kind since the last answer that was no such failure, by deployment ID. */
  private failuresInCommon:
    | { readonly kind: SharedKind; readonly byId: Map<string, Failure> }
    | undefined;
  /**
   * The deployment that last got a response, of any status but the rejection of the token, and when
   * (ms of `elapsed`).
   */
  private lastResponse: { readonly id: string; readonly at: number } | undefined;
  /** The ID of the deployment that is read once more before the breaker opens. */
  private confirmingId: string | undefined;
  /** When a response last closed the breaker, in ms of `elapsed`. */
  private closedAt = -Infinity;
  private isProbing = false;
  /** How many probes there were since the breaker opened. */
  private probeCount = 0;
  /** Ms from the end of a probe to the next one. */
  private probeWaitMs = firstProbeMs;
  /** When the next probe is due, in ms of `elapsed`. */
  private probeAt = 0;

  constructor(private readonly options: BreakerOptions) {}

  get state(): 'closed' | 'open' | 'halfOpen' {
    if (this.cause === undefined) return 'closed';
    return this.isProbing ? 'halfOpen' : 'open';
  }

  /**
   * Whether failures that are undecided at the end of a refresh concern their deployments alone.
   */
  get isDecided(): boolean {
    return this.cause === undefined && this.confirmingId === undefined;
  }

  /**
   * Ms until a probe is due, negative once it is overdue. Infinity while the token is rejected,
   * because a probe would send the token.
   */
  get msUntilProbe(): number {
    if (this.openKind === 'tokenRejected') return Infinity;
    return this.probeAt - this.options.elapsed();
  }

  /**
   * A deployment got a response that shows no shared cause: a good answer, a failure of its own, or
   * a 429.
   */
  answered(id: string): Verdict {
    this.endConfirmation(id);
    this.lastResponse = { id, at: this.options.elapsed() };
    this.failuresInCommon = undefined;
    const wasOpen = this.close();
    return { decided: wasOpen ? 'over' : 'separate' };
  }

  /**
   * The read of a deployment failed. `id` is empty for a request beside the reads whose token was
   * rejected.
   */
  failed(id: string, error: Pick<ApiError, 'failure' | 'sentElapsed'>): Verdict {
    this.endConfirmation(id);
    const { failure } = error;
    if (failure.kind === 'cancelled') return {};
    // The pause is shown for the whole organization, and the deployment's last answer still holds.
    if (failure.kind === 'rateLimited') return this.answered(id);

    const kind = sharedKindOf(failure);
    if (kind === undefined) return { ...this.answered(id), scope: 'deployment' };
    if (kind === 'tokenRejected') return { ...this.open(failure), cancels: 'all' };
    if (kind === 'unanswered') {
      const sentAt = error.sentElapsed ?? this.options.elapsed();
      return this.unanswered(id, failure, sentAt);
    }
    return this.refused(id, failure, kind);
  }

  /**
   * The platform accepted the token in a request beside the reads. No other cause ends with that.
   */
  tokenAccepted(): Verdict {
    if (this.openKind !== 'tokenRejected') return {};
    this.close();
    return { decided: 'over' };
  }

  /** These deployments left the list. */
  forget(ids: readonly string[]): void {
    for (const id of ids) this.failuresInCommon?.byId.delete(id);
  }

  /** Makes the next probe due at once. */
  probeNow(): void {
    this.probeAt = -Infinity;
  }

  /**
   * Has `read` read one of these deployments. Unless that closes the breaker, or opens it for
   * another cause, the wait for the next probe doubles, up to five minutes.
   */
  async probe(ids: readonly string[], read: (id: string) => Promise<void>): Promise<void> {
    const { cause } = this;
    const id = this.nextToProbe(ids);
    if (id === undefined) return;
    this.isProbing = true;
    await read(id);
    this.isProbing = false;
    if (this.cause !== cause) return;
    this.probeWaitMs = Math.min(2 * this.probeWaitMs, maxProbeMs);
    this.probeAt = this.options.elapsed() + this.probeWaitMs;
  }

  /**
   * Every second time, returns the deployment that last got a response, which probably gets one
   * now; the other times, all deployments in turn. Returns `undefined` without any.
   */
  private nextToProbe(ids: readonly string[]): string | undefined {
    const nth = this.probeCount;
    this.probeCount += 1;
    const lastId = this.lastResponse?.id;
    if (lastId === undefined || !ids.includes(lastId)) return ids[nth % ids.length];
    if (nth % 2 === 0) return lastId;
    return ids[Math.floor(nth / 2) % ids.length];
  }

  /** The kind of the cause for which the breaker is open; `undefined` while it is closed. */
  private get openKind(): SharedKind | undefined {
    return this.cause && sharedKindOf(this.cause.failure);
  }

  private endConfirmation(id: string): void {
    if (this.confirmingId === id) this.confirmingId = undefined;
  }

  /** A request got no response. `sentAt`: ms of `elapsed`. */
  private unanswered(id: string, failure: Failure, sentAt: number): Verdict {
    const { lastResponse, openKind } = this;
    const { listed } = this.options;
    // The request was sent during an outage that has ended since, so it says nothing of now.
    if (sentAt < this.closedAt) return { readAgain: id };
    if (openKind === 'tokenRejected') return undecided;
    if (openKind === 'unanswered') return { ...undecided, cancels: 'refreshes' };
    // A request that was sent before the last response says nothing of the time after it.
    if (lastResponse && sentAt < lastResponse.at) return undecided;

    const failures = this.addFailure(id, failure, 'unanswered');
    if (failures.size < Math.min(outageCount, listed.size)) return undecided;

    // If the deployment that last got a response fails, too, this is an outage, and not just slow
    // deployments.
    const isConfirmed =
      lastResponse === undefined || failures.has(lastResponse.id) || !listed.has(lastResponse.id);
    if (isConfirmed) {
      const verdict = this.open(failure, isOffline([...failures.values()]));
      return { ...verdict, cancels: 'refreshes' };
    }
    if (this.confirmingId !== undefined) return undecided;
    this.confirmingId = lastResponse.id;
    return { ...undecided, readAgain: lastResponse.id };
  }

  /**
   * A request got a response with a status that all deployments may get. Any response ends an
   * outage and a rejected token, and ends another status that all deployments got before.
   */
  private refused(id: string, failure: Failure, kind: SharedKind): Verdict {
    this.lastResponse = { id, at: this.options.elapsed() };
    if (this.openKind === kind) return undecided;
    const wasOpen = this.close();

    const listedCount = this.options.listed.size;
    const failures = this.addFailure(id, failure, kind);
    // A web page for the only listed deployment does not show whether all deployments get one.
    const isConclusive = listedCount > 1 || !mayBePageOfPlatform(failure);
    if (failures.size >= listedCount && isConclusive) return this.open(asSentOnTheWay(failure));
    return wasOpen ? { ...undecided, decided: 'over' } : undecided;
  }

  /** Returns all failures of this kind, by deployment ID. Those of another kind are forgotten. */
  private addFailure(id: string, failure: Failure, kind: SharedKind): ReadonlyMap<string, Failure> {
    if (this.failuresInCommon?.kind !== kind) this.failuresInCommon = { kind, byId: new Map() };
    const { byId } = this.failuresInCommon;
    byId.set(id, failure);
    return byId;
  }

  private open(failure: Failure, isMachineOffline = false): Verdict {
    const { asOf, elapsed, now } = this.options;
    this.cause = {
      kind: 'failure',
      failure,
      isOffline: isMachineOffline,
      at: now(),
      asOf: asOf?.(),
    };
    this.probeCount = 0;
    this.probeWaitMs = firstProbeMs;
    this.probeAt = elapsed() + firstProbeMs;
    return { ...undecided, decided: 'shared' };
  }

  /** Returns whether the breaker was open. */
  private close(): boolean {
    if (this.cause === undefined) return false;
    this.cause = undefined;
    this.failuresInCommon = undefined;
    this.closedAt = this.options.elapsed();
    return true;
  }
}

/** How systems call it that the machine has no network: "ENETUNREACH". */
const noNetworkCode = /^(?:EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ENETDOWN)$/;

/**
 * Returns whether these failures, of which there is at least one, show that the machine is offline.
 */
function isOffline(failures: readonly Failure[]): boolean {
  const reasons = failures.map((failure) =>
    failure.kind === 'unreachable' ? failure.cause.step : failure.kind,
  );
  if (new Set(reasons).size > 1) return true;
  const [first] = failures;
  return first?.kind === 'unreachable' && noNetworkCode.test(first.cause.code);
}
