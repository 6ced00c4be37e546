import { asSentOnTheWay } from '../api/answerer/whoAnswered.js';
import type { ApiError, Failure } from '../api/failure.js';
import { type Clock, minute } from './base/time.js';

/** Why all deployments fail. */
export interface SharedCause {
  readonly kind: 'failure';
  readonly failure: Failure;
  /** The connections fail for different reasons, or the machine has no network at all. */
  readonly isOffline: boolean;
  /** Epoch ms of the failure, and of the newest good answer then, if there is one. */
  readonly at: number;
  readonly asOf: number | undefined;
}

/** What the end of a read says. */
export interface Verdict {
  /** Whether the failure of this read is its deployment's own. `undecided`: it may be that of all. */
  readonly failure?: 'own' | 'undecided';
  /** What became of all that was undecided: it is the same for all, each is its deployment's own, or it is over. */
  readonly decided?: 'shared' | 'own' | 'over';
  /** Reads that are pointless now: those of refreshes, or also those of probes and tools. */
  readonly pointless?: 'refreshes' | 'all';
  /** This one has to be read once more. */
  readonly ask?: string;
}

type SharedKind =
  | 'tokenRejected'
  | 'unanswered'
  | 'serverError'
  | 'redirected'
  | 'unusable'
  | 'proxy'
  /** With this status. */
  | `webPage ${number}`;

/** The cause that all deployments may share, one line each; `undefined`: a failure is its deployment's own. */
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

/** Whether the platform may have sent this web page, unless all deployments get the same. */
function mayBePlatforms(failure: Failure): boolean {
  return 'doubt' in failure && failure.doubt === 'webPage';
}

const undecided: Verdict = { failure: 'undecided' };

/** So many fail without an answer, and it may be for all; fewer if fewer are listed. */
const outageCount = 3;

const firstProbeMs = 15_000;
const maxProbeMs = 5 * minute;

interface BreakerOptions extends Pick<Clock, 'now' | 'elapsed'> {
  /** The IDs of the deployments that are listed: all of them have to fail. */
  readonly listed: { readonly size: number; has(id: string): boolean };
  /** Epoch ms of the newest good answer, if there is one. */
  readonly asOf?: () => number | undefined;
}

/**
 * A circuit breaker for the reads of an organization with one token. Closed: they are sent, and failures are
 * of single deployments. Open: all fail for one cause. Half open: one is read to see whether that is over. It
 * is told in the order of time how reads end, and neither sends nor shows anything itself.
 */
export class CircuitBreaker {
  /** Why it is open; `undefined` while it is closed. The same object until it opens anew. */
  cause: SharedCause | undefined;
  /** By deployment, the failures of one kind since the last answer that was none of them. */
  private alike: { readonly kind: SharedKind; readonly failures: Map<string, Failure> } | undefined;
  /** The newest answer, of any status, and when it arrived, by `elapsed`. */
  private newest: { readonly id: string; readonly at: number } | undefined;
  /** The deployment of the newest answer, while it is read once more before the breaker opens. */
  private asked: string | undefined;
  /** When an answer last closed it, by `elapsed`. */
  private closedAt = -Infinity;
  /** Whether a probe is on its way. */
  private isProbing = false;
  /** How many probes there were since it opened. */
  private probes = 0;
  /** Ms from the end of a probe to the next one. */
  private probeWaitMs = firstProbeMs;
  /** When the next probe is due, by `elapsed`. */
  private probeAt = 0;

  constructor(private readonly options: BreakerOptions) {}

  get state(): 'closed' | 'open' | 'halfOpen' {
    if (this.cause === undefined) return 'closed';
    return this.isProbing ? 'halfOpen' : 'open';
  }

  /** Whether a refresh that ends now leaves what failed in it as each deployment's own failure. */
  get isDecided(): boolean {
    return this.cause === undefined && this.asked === undefined;
  }

  /** Ms until a probe is due. Never with a rejected token: a probe would send that. */
  get msUntilProbe(): number {
    return this.openKind === 'tokenRejected' ? Infinity : this.probeAt - this.options.elapsed();
  }

  /** With what not all have. The verdict is about the failures until now. */
  answered(id: string): Verdict {
    if (this.asked === id) this.asked = undefined;
    this.newest = { id, at: this.options.elapsed() };
    this.alike = undefined;
    return { decided: this.close() ? 'over' : 'own' };
  }

  failed(id: string, error: Pick<ApiError, 'failure' | 'sentElapsed'>): Verdict {
    if (this.asked === id) this.asked = undefined;
    const { failure, sentElapsed = this.options.elapsed() } = error;
    const kind = sharedKindOf(failure);
    if (failure.kind === 'cancelled') return {};
    // The first row tells of the pause; what was read before still holds.
    if (failure.kind === 'rateLimited') return this.answered(id);
    if (kind === undefined) return { ...this.answered(id), failure: 'own' };
    if (kind === 'tokenRejected') return { ...this.open(failure), pointless: 'all' };
    return kind === 'unanswered'
      ? this.takeSilence(id, failure, sentElapsed)
      : this.takeStatus(id, failure, kind);
  }

  /** A request beside the reads was answered with this token. That says nothing of any other cause. */
  tokenAccepted(): Verdict {
    const isOver = this.openKind === 'tokenRejected' && this.close();
    return isOver ? { decided: 'over' } : {};
  }

  forget(ids: readonly string[]): void {
    for (const id of ids) this.alike?.failures.delete(id);
  }

  /** The next probe is due at once. */
  probeNow(): void {
    this.probeAt = -Infinity;
  }

  /** Has one of these read; its answer, of any status, closes the breaker. */
  async probe(ids: readonly string[], read: (id: string) => Promise<void>): Promise<void> {
    const { cause } = this;
    const id = this.probeOf(ids);
    if (id === undefined) return;
    this.isProbing = true;
    await read(id);
    this.isProbing = false;
    if (this.cause !== cause) return;
    this.probeWaitMs = Math.min(2 * this.probeWaitMs, maxProbeMs);
    this.probeAt = this.options.elapsed() + this.probeWaitMs;
  }

  /** The one that answered last, and in between each of the others. */
  private probeOf(ids: readonly string[]): string | undefined {
    const nth = this.probes++;
    const { id } = this.newest ?? {};
    if (id === undefined || !ids.includes(id)) return ids[nth % ids.length];
    return nth % 2 === 0 ? id : ids[(nth >> 1) % ids.length];
  }

  private get openKind(): SharedKind | undefined {
    return this.cause && sharedKindOf(this.cause.failure);
  }

  private takeSilence(id: string, failure: Failure, sentElapsed: number): Verdict {
    const { newest, openKind } = this;
    const { listed } = this.options;
    // It was sent while none was answered, and says nothing of now.
    if (sentElapsed < this.closedAt) return { ask: id };
    if (openKind === 'tokenRejected') return undecided;
    if (openKind === 'unanswered') return { ...undecided, pointless: 'refreshes' };
    // One that was sent before an answer arrived says nothing of what came after.
    if (newest && sentElapsed < newest.at) return undecided;
    const failures = this.count(id, failure, 'unanswered');
    if (failures.size < Math.min(outageCount, listed.size)) return undecided;
    if (newest === undefined || failures.has(newest.id) || !listed.has(newest.id)) {
      return { ...this.open(failure, isOffline([...failures.values()])), pointless: 'refreshes' };
    }
    if (this.asked !== undefined) return undecided;
    this.asked = newest.id;
    return { ...undecided, ask: newest.id };
  }

  /** Any status ends what all had of connections and token, and any other status what they had of this one. */
  private takeStatus(id: string, failure: Failure, kind: SharedKind): Verdict {
    this.newest = { id, at: this.options.elapsed() };
    if (this.openKind === kind) return undecided;
    const wasOpen = this.close();
    const { size } = this.options.listed;
    // The page of an only deployment says no more than its status: others show whether all get one.
    const isAll =
      this.count(id, failure, kind).size >= size && (size > 1 || !mayBePlatforms(failure));
    if (isAll) return this.open(asSentOnTheWay(failure));
    return wasOpen ? { ...undecided, decided: 'over' } : undecided;
  }

  /** Returns all failures of this kind. */
  private count(id: string, failure: Failure, kind: SharedKind): ReadonlyMap<string, Failure> {
    if (this.alike?.kind !== kind) this.alike = { kind, failures: new Map() };
    return this.alike.failures.set(id, failure);
  }

  private open(failure: Failure, offline = false): Verdict {
    const { asOf, elapsed, now } = this.options;
    this.cause = { kind: 'failure', failure, isOffline: offline, at: now(), asOf: asOf?.() };
    this.probes = 0;
    this.probeWaitMs = firstProbeMs;
    this.probeAt = elapsed() + firstProbeMs;
    return { ...undecided, decided: 'shared' };
  }

  /** Returns whether it was open. */
  private close(): boolean {
    if (this.cause === undefined) return false;
    this.cause = undefined;
    this.alike = undefined;
    this.closedAt = this.options.elapsed();
    return true;
  }
}

function isOffline(failures: readonly Failure[]): boolean {
  const names = failures.map((failure) =>
    failure.kind === 'unreachable' ? failure.cause.step : failure.kind,
  );
  const [first] = failures;
  const code = first?.kind === 'unreachable' ? first.cause.code : '';
  return new Set(names).size > 1 || /^(?:EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ENETDOWN)$/.test(code);
}
