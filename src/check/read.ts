import { setTimeout as sleep } from 'node:timers/promises';
import { AnswerHistory } from '../api/answerer/answerHistory.js';
import { asSentByPlatform, asSentOnTheWay } from '../api/answerer/whoAnswered.js';
import { authorizationTemplate, decodeDeploymentAuthorization } from '../api/authorization.js';
import type { Target } from '../api/call.js';
import { ApiError, type Failure } from '../api/failure.js';
import { sendByEditor } from '../api/network/editorFetch.js';
import { failureOf } from '../api/network/errorCodes.js';
import type { KnownSecrets } from '../api/secrets.js';
import { Sender } from '../api/sender.js';
import { systemClock } from '../model/base/time.js';
import { CircuitBreaker, isSameCause } from '../model/circuitBreaker.js';
import {
  type Deployment,
  type ListedDeployment,
  withFindings,
} from '../model/findings/deployment.js';
import { compareNames, severity } from '../model/findings/order.js';
import { type Mutes, stateOfFindings } from '../model/findings/state.js';
import type { EnvironmentProxy } from './proxy.js';

const maxConcurrentRequests = 8;

/** Why the reader gave up. */
export interface SharedFailure {
  readonly failure: Failure;
  /** Whether the time of the whole run was up. */
  readonly isTimeUp: boolean;
  /** The IDs of the deployments that were not read because of that. */
  readonly unreadIds: ReadonlySet<string>;
}

/** Where to send requests, and the proxy that Node goes through. */
type CheckTarget = Target & { readonly proxy: EnvironmentProxy | undefined };

interface ReadOptions {
  /** The names of the deployments by ID. */
  readonly names: ReadonlyMap<string, string>;
  /** Knows which problems are muted. */
  readonly mutes: Mutes;
  /** Is called at the end of each read. */
  readonly onRead: () => void;
}

/**
 * Reads the deployments of the check, each until it has an answer, or a failure that another
 * request would not change. Owns the sender, and gives up when the time is up, when all deployments
 * fail for one cause, or when the platform asks for a pause that would end too late. main.ts makes
 * one.
 */
export class Reader {
  /** Why the reader gave up; `undefined` if it did not. */
  private giveUpReason: Failure | undefined;
  /** Resolves when the time is up. The time begins when the reader is made. */
  readonly timeUp: Promise<void>;
  /** The failure of what was not read because the time was up. */
  private readonly timeUpFailure: Failure;
  private readonly sender: Sender;
  private readonly history = new AnswerHistory();
  private readonly listedIds = new Set<string>();
  private readonly breaker = new CircuitBreaker({ ...systemClock, listed: this.listedIds });

  constructor(
    private readonly target: CheckTarget,
    secrets: KnownSecrets,
    timeoutMs: number,
  ) {
    const endsAt = performance.now() + timeoutMs;
    this.timeUpFailure = { kind: 'timedOut', after: timeoutMs };
    this.timeUp = sleep(timeoutMs).then(() => this.giveUp(this.timeUpFailure));
    const proxy = { peer: target.proxy, source: target.proxy?.source };
    this.sender = new Sender({
      limits: () => ({ requestTimeout: Math.min(30_000, timeoutMs), maxConcurrentRequests }),
      router: {
        // Here it is Node's own `fetch`, which goes through the proxy of the environment.
        send: (request) => sendByEditor(fetch, request, proxy),
        maxRequests: () => Number.POSITIVE_INFINITY,
        close: () => Promise.resolve(),
      },
      onRequest: () => undefined,
      onPauses: () => this.giveUpIfPausedTooLong(endsAt),
      secrets,
      history: this.history,
    });
  }

  /** `endsAt`: when the time is up, in ms of `performance.now()`. */
  private giveUpIfPausedTooLong(endsAt: number): void {
    const until = this.sender.pausedUntil(this.target.organizationId) ?? 0;
    const pauseMs = until - Date.now();
    const remainingMs = endsAt - performance.now();
    if (pauseMs > remainingMs) this.giveUp({ kind: 'rateLimited', status: 429, until });
  }

  /**
   * Resolves with all deployments, the worst first, and those in the same state by name. Never
   * rejects because of a failed read.
   */
  async readAll(
    listed: readonly ListedDeployment[],
    { names, mutes, onRead }: ReadOptions,
  ): Promise<readonly Deployment[]> {
    for (const { id } of listed) this.listedIds.add(id);
    const reads = listed.map((deployment) => this.read(deployment, mutes).finally(onRead));
    const deploymentsRead = await Promise.all(reads);
    const deployments = deploymentsRead.map((deployment) => {
      const name = names.get(deployment.id) ?? deployment.id;
      return this.withSenderOfFailure({ ...deployment, name });
    });
    // The worst state has the lowest severity.
    return deployments.toSorted(
      (a, b) => severity(a.state) - severity(b.state) || compareNames(a.name, b.name),
    );
  }

  /**
   * Returns why the reader gave up, once all deployments are read; `undefined` if it did not.
   * `deployments`: what `readAll` resolved with.
   */
  sharedFailure(deployments: readonly Deployment[]): SharedFailure | undefined {
    const { breaker, giveUpReason, timeUpFailure } = this;
    if (giveUpReason === undefined) return undefined;
    const isOutage = giveUpReason === breaker.cause?.failure;
    const isShared = (failure: Failure): boolean =>
      failure === giveUpReason || (isOutage && isSameCause(failure, giveUpReason));
    const unread = deployments.filter(
      ({ failedRead }) => failedRead && isShared(failedRead.failure),
    );
    return {
      failure: giveUpReason,
      isTimeUp: giveUpReason === timeUpFailure,
      unreadIds: new Set(unread.map(({ id }) => id)),
    };
  }

  /**
   * Decides whether the platform or something on the way sent the web page of a failed read. This
   * may be known only when all other deployments are read.
   */
  private withSenderOfFailure(deployment: Deployment): Deployment {
    const { failedRead } = deployment;
    if (!failedRead) return deployment;
    const isSentOnTheWay = this.breaker.cause?.failure.kind === 'notFromPlatform';
    const hasPlatformAnswered = this.history.has(this.target.organizationId);
    let { failure } = failedRead;
    if (isSentOnTheWay) failure = asSentOnTheWay(failure);
    else if (hasPlatformAnswered) failure = asSentByPlatform(failure);
    return { ...deployment, failedRead: { ...failedRead, failure } };
  }

  /** Resolves with the deployment, also if the read failed. */
  private async read(listed: ListedDeployment, mutes: Mutes): Promise<Omit<Deployment, 'name'>> {
    const { id } = listed;
    try {
      const answer = withFindings(await this.request(id), id, mutes);
      return {
        ...listed,
        activity: 'idle',
        state: stateOfFindings(answer.findings, mutes),
        answer,
      };
    } catch (error) {
      const readFailure = failureOf(error);
      const isPaused = readFailure.kind === 'rateLimited';
      // The next request waits for the end of the pause.
      if (isPaused && !this.giveUpReason) return this.read(listed, mutes);
      const isGivenUp = isPaused || readFailure.kind === 'cancelled';
      const failure = isGivenUp ? (this.giveUpReason ?? readFailure) : readFailure;
      return {
        ...listed,
        activity: 'idle',
        state: 'unknown',
        failedRead: { failure, at: Date.now() },
      };
    }
  }

  /**
   * Sends one request. Rejects if it fails, after the circuit breaker has decided whether the
   * reader gives up; to decide, it may have another deployment requested once more (`isUrgent`).
   */
  private async request(id: string, isUrgent = false) {
    const operation = { method: 'GET', template: authorizationTemplate, id } as const;
    const call = { signal: new AbortController().signal, urgent: isUrgent };
    try {
      const answer = await this.sender.get(
        this.target,
        operation,
        call,
        decodeDeploymentAuthorization,
      );
      this.breaker.answered(id);
      return answer;
    } catch (error) {
      const apiError = error instanceof ApiError ? error : new ApiError(failureOf(error));
      const { readAgain } = this.breaker.failed(id, apiError);
      if (readAgain !== undefined) await this.request(readAgain, true).catch(() => undefined);
      if (this.breaker.cause) this.giveUp(this.breaker.cause.failure);
      throw error;
    }
  }

  /** Cancels all requests. The first reason counts. */
  private giveUp(failure: Failure): void {
    this.giveUpReason ??= failure;
    void this.sender.close();
  }
}
