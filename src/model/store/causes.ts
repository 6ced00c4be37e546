import type { ApiError, Failure } from '../../api/failure.js';
import type { Clock } from '../base/time.js';
import type { Deployment } from '../findings/deployment.js';
import type { Listing } from './listing.js';

/** All deployments fail alike. Counts, order and states stay those of the last good reading. */
interface SharedCause {
  readonly kind: 'failure';
  readonly failure: Failure;
  /** The connections fail for different reasons, or the machine has no network at all. */
  readonly isOffline: boolean;
  /** Epoch ms of the failure, and of the newest good answer, if there is one. */
  readonly at: number;
  readonly asOf: number | undefined;
}

/** A cause that holds for the whole organization, and that the tree's first row tells. */
export type OrganizationCause = SharedCause | { readonly kind: 'paused'; readonly until: number };

export type Shown = Pick<Deployment, 'state' | 'failure'>;

export interface Judgement {
  readonly shown: ReadonlyMap<string, Shown>;
  /** Reads that are pointless now: those of refreshes, or also those of probes and tools. */
  readonly cancel?: 'refreshes' | 'all';
  /** Read this one, too: it answered last, and tells three slow deployments from an outage; or it was asked while there was one. */
  readonly ask?: string;
}

type Alike = 'rejected' | 'unanswered' | 'serverError' | 'redirected' | 'proxy' | 'unusable';

/** How all deployments may fail for one cause; `undefined`: a failure is the deployment's own. */
function alikeOf(failure: Failure): Alike | undefined {
  switch (failure.kind) {
    case 'tokenRejected':
      return 'rejected';
    case 'unreachable':
    case 'timedOut':
    case 'connectionLost':
      return 'unanswered';
    case 'serverError':
    case 'redirected':
    case 'unusable':
      return failure.kind;
    case 'clientError':
      return failure.status === 407 ? 'proxy' : undefined;
    default:
      return undefined;
  }
}

/** So many fail without an answer, and it may be for all; fewer if fewer are listed. */
const outageCount = 3;

const nothing: Judgement = { shown: new Map() };

/**
 * Tells what holds for the whole organization from what is a deployment's own, by its reads as they end. Until that is known (another
 * deployment is answered, or the refresh is over) a deployment that failed shows what it did before.
 */
export class SharedCauses {
  shared: SharedCause | undefined;
  /** What has failed since a deployment was answered: what each showed before, and what it shows if that is its own failure. */
  private readonly failed = new Map<string, { readonly before: Shown; readonly own: Shown }>();
  /** Those of them that failed alike, without an answer in between. */
  private alike: { readonly how: Alike; readonly failures: Map<string, Failure> } | undefined;
  /** The newest answer, of any status, and when it arrived, by `elapsed` like `overAt`. */
  private newest: { readonly id: string; readonly at: number } | undefined;
  private asked: string | undefined;
  private overAt = -Infinity;
  private probes = 0;

  constructor(
    private readonly clock: Pick<Clock, 'now' | 'elapsed'>,
    private readonly listing: Pick<Listing, 'deployments' | 'get' | 'size'>,
  ) {}

  /** `pausedUntil`: epoch ms, if a 429 holds the organization now. */
  current(pausedUntil: number | undefined): OrganizationCause | undefined {
    return this.shared ?? (pausedUntil === undefined ? undefined : { kind: 'paused', until: pausedUntil });
  }

  takeAnswer(id: string): Judgement {
    this.endRead(id);
    return { shown: this.takeOther(id) };
  }

  takeFailure(
    id: string,
    { failure, sentElapsed: sentAt = this.clock.elapsed() }: Pick<ApiError, 'failure' | 'sentElapsed'>,
  ): Judgement {
    this.endRead(id);
    if (failure.kind === 'cancelled') return nothing;
    // The pause has the first row; what was read before still holds.
    if (failure.kind === 'rateLimited') return { shown: this.takeOther(id) };
    const how = alikeOf(failure);
    const own: Shown = { state: 'unknown', failure: { failure, at: this.clock.now() } };
    if (how === undefined) {
      const shown = 'status' in failure ? this.takeOther(id) : new Map<string, Shown>();
      return { shown: shown.set(id, own) };
    }
    // It was sent while none was answered, and says nothing of now.
    if (how === 'unanswered' && sentAt < this.overAt) return { ...nothing, ask: id };
    const before = this.failed.get(id)?.before ?? this.listing.get(id);
    if (before !== undefined) this.failed.set(id, { before, own });
    if (how === 'rejected') return { ...this.share(failure), cancel: 'all' };
    if (how !== 'unanswered') return this.takeStatus(id, failure, how);
    const { kind } = this.shared?.failure ?? {};
    if (kind === 'tokenRejected') return nothing;
    if (this.shared && alikeOf(this.shared.failure) === how) return { ...nothing, cancel: 'refreshes' };
    // One that was sent before an answer arrived says nothing of what came after.
    if (this.newest && sentAt < this.newest.at) return nothing;
    return this.takeSilence(id, failure);
  }

  /** A refresh is over: what failed in it and is not for all is the deployment's own. */
  refreshed(): Judgement {
    if (this.shared || this.asked !== undefined) return nothing;
    return { shown: new Map(Array.from(this.failed, ([id, { own }]) => [id, own])) };
  }

  forget(ids: readonly string[]): void {
    for (const id of ids) {
      this.failed.delete(id);
      this.alike?.failures.delete(id);
    }
  }

  /** Which of these is read to see whether the cause is over: the one that answered last, and in between each of the others. */
  probeOf(ids: readonly string[]): string | undefined {
    const nth = this.probes++;
    const { id } = this.newest ?? {};
    if (id === undefined || !ids.includes(id)) return ids[nth % ids.length];
    return nth % 2 === 0 ? id : ids[(nth >> 1) % ids.length];
  }

  private endRead(id: string): void {
    if (this.asked === id) this.asked = undefined;
  }

  private takeSilence(id: string, failure: Failure): Judgement {
    const { listing, newest } = this;
    const { failures } = this.take(id, failure, 'unanswered');
    if (failures.size < Math.min(outageCount, listing.size)) return nothing;
    if (newest === undefined || failures.has(newest.id) || listing.get(newest.id) === undefined) {
      return { ...this.share(failure, isOffline([...failures.values()])), cancel: 'refreshes' };
    }
    if (this.asked !== undefined) return nothing;
    this.asked = newest.id;
    return { ...nothing, ask: newest.id };
  }

  /** Any status ends what was told of connections and token, and any other status what was told of this one. */
  private takeStatus(id: string, failure: Failure, how: Alike): Judgement {
    this.newest = { id, at: this.clock.elapsed() };
    if (this.shared && alikeOf(this.shared.failure) === how) return nothing;
    if (this.shared) {
      const held = this.failed.get(id);
      this.takeOther(id);
      if (held) this.failed.set(id, held);
    }
    const { failures } = this.take(id, failure, how);
    return failures.size < this.listing.size ? nothing : this.share(failure);
  }

  private take(id: string, failure: Failure, how: Alike) {
    if (this.alike?.how !== how) this.alike = { how, failures: new Map() };
    this.alike.failures.set(id, failure);
    return this.alike;
  }

  /** Also those that a refresh has left as unknown show again what they did. */
  private share(failure: Failure, offline = false): Judgement {
    const times = this.listing.deployments.map(({ answer }) => answer?.sentAt ?? -Infinity);
    const asOf = times.reduce((a, b) => Math.max(a, b), -Infinity);
    this.shared = {
      kind: 'failure',
      failure,
      isOffline: offline,
      at: this.clock.now(),
      asOf: asOf === -Infinity ? undefined : asOf,
    };
    this.probes = 0;
    return { shown: new Map(Array.from(this.failed, ([id, { before }]) => [id, before])) };
  }

  /** An answer that not all have: what failed until now is no cause for all. After one, all are read again. */
  private takeOther(id: string): Map<string, Shown> {
    this.newest = { id, at: this.clock.elapsed() };
    this.failed.delete(id);
    if (this.shared) this.overAt = this.newest.at;
    const shown = new Map(this.shared ? [] : Array.from(this.failed, ([other, { own }]) => [other, own]));
    this.shared = undefined;
    this.alike = undefined;
    this.failed.clear();
    return shown;
  }
}

function isOffline(failures: readonly Failure[]): boolean {
  const names = failures.map((failure) => (failure.kind === 'unreachable' ? failure.cause.step : failure.kind));
  const [first] = failures;
  const code = first?.kind === 'unreachable' ? first.cause.code : '';
  return new Set(names).size > 1 || /^(?:EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ENETDOWN)$/.test(code);
}
