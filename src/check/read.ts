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
import { CircuitBreaker } from '../model/circuitBreaker.js';
import { deploymentNames } from '../model/deploymentNames.js';
import {
  type Deployment,
  type ListedDeployment,
  withFindings,
} from '../model/findings/deployment.js';
import { compareNames, severity } from '../model/findings/order.js';
import { nothingRemembered, stateOfFindings } from '../model/findings/state.js';
import type { EnvironmentProxy } from './proxy.js';

const maxConcurrentRequests = 8;

/** Reads deployments, each until it has an answer or a failure that asking again would not change. */
export class Reader {
  gaveUp: Failure | undefined;
  /** Resolves at the end of the time, which begins with this object. */
  readonly timeUp: Promise<void>;
  private readonly sender: Sender;
  private readonly history = new AnswerHistory();
  private readonly listed = new Set<string>();
  private readonly breaker = new CircuitBreaker({ ...systemClock, listed: this.listed });

  constructor(
    private readonly target: Target & { readonly proxy: EnvironmentProxy | undefined },
    secrets: KnownSecrets,
    timeoutMs: number,
  ) {
    const endsAt = performance.now() + timeoutMs;
    this.timeUp = sleep(timeoutMs).then(() => this.giveUp({ kind: 'timedOut', after: timeoutMs }));
    this.sender = new Sender({
      limits: () => ({ requestTimeout: Math.min(30_000, timeoutMs), maxConcurrentRequests }),
      router: {
        send: (request) =>
          sendByEditor(fetch, request, { peer: target.proxy, source: target.proxy?.source }),
        maxRequests: () => Number.POSITIVE_INFINITY,
        close: () => Promise.resolve(),
      },
      onRequest: () => undefined,
      onPauses: () => {
        const until = this.sender.pausedUntil(target.organizationId) ?? 0;
        if (until - Date.now() > endsAt - performance.now())
          this.giveUp({ kind: 'rateLimited', status: 429, until });
      },
      secrets,
      history: this.history,
    });
  }

  async readAll(
    listed: readonly ListedDeployment[],
    onRead: () => void,
  ): Promise<readonly Deployment[]> {
    for (const { id } of listed) this.listed.add(id);
    const names = deploymentNames(listed);
    const read = await Promise.all(listed.map((one) => this.read(one).finally(onRead)));
    const judged = read.map((one) => this.judged({ ...one, name: names.get(one.id) ?? one.id }));
    return judged.toSorted(
      (a, b) => severity(a.state) - severity(b.state) || compareNames(a.name, b.name),
    );
  }

  /** Who sent a web page may only show when all others are read. */
  private judged(deployment: Deployment): Deployment {
    const { failedRead: failed } = deployment;
    if (!failed) return deployment;
    const isOnTheWay = this.breaker.cause?.failure.kind === 'notFromPlatform';
    const hasAnswered = this.history.has(this.target.organizationId);
    let { failure } = failed;
    if (isOnTheWay) failure = asSentOnTheWay(failure);
    else if (hasAnswered) failure = asSentByPlatform(failure);
    return { ...deployment, failedRead: { ...failed, failure } };
  }

  private async read(listed: ListedDeployment): Promise<Omit<Deployment, 'name'>> {
    const { id } = listed;
    try {
      const answer = withFindings(await this.ask(id), id);
      return {
        ...listed,
        activity: 'idle',
        state: stateOfFindings(answer.findings, nothingRemembered),
        answer,
      };
    } catch (error) {
      const failed = failureOf(error);
      // The next request waits for the end of the pause.
      if (failed.kind === 'rateLimited' && !this.gaveUp) return this.read(listed);
      const failure = failed.kind === 'cancelled' && this.gaveUp ? this.gaveUp : failed;
      return {
        ...listed,
        activity: 'idle',
        state: 'unknown',
        failedRead: { failure, at: Date.now() },
      };
    }
  }

  private async ask(id: string, urgent = false) {
    const operation = { method: 'GET', template: authorizationTemplate, id } as const;
    const call = { signal: new AbortController().signal, urgent };
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
      const { readAgain } = this.breaker.failed(
        id,
        error instanceof ApiError ? error : new ApiError(failureOf(error)),
      );
      if (readAgain !== undefined) await this.ask(readAgain, true).catch(() => undefined);
      if (this.breaker.cause) this.giveUp(this.breaker.cause.failure);
      throw error;
    }
  }

  private giveUp(failure: Failure): void {
    this.gaveUp ??= failure;
    void this.sender.close();
  }
}
