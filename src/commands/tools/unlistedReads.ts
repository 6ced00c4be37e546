import * as vscode from 'vscode';
import { orAborted } from '../../api/abort.js';
import type { Answer } from '../../api/answer.js';
import type { DeploymentAuthorization } from '../../api/authorization.js';
import type { Call, Phase, Target } from '../../api/call.js';
import { ApiError } from '../../api/failure.js';
import { failureOf } from '../../api/network/errorCodes.js';
import type { Organization } from '../../host/organizations/organization.js';
import type { Services } from '../../host/services.js';
import { type LastAnswer, withFindings } from '../../model/findings/deployment.js';
import { RequestFailed, sendAs } from '../sendAs.js';
import { signalOf } from '../waitingCall.js';

/** One request, and the calls that wait for its answer. */
interface SharedRead {
  readonly answer: Promise<LastAnswer>;
  readonly cancellation: vscode.CancellationTokenSource;
  waitingCalls: number;
}

/**
 * Reads deployments that are not listed, for the tool of a language model. Equal calls at the same
 * time share one request, which stops when no call waits for it any more. An agent is not the user,
 * so nothing is sent with a token that the platform has rejected (401).
 */
export class UnlistedReads {
  /** Running reads, by organization, token, and deployment ID as one JSON text. */
  private readonly reads = new Map<string, SharedRead>();

  constructor(private readonly services: Services) {}

  /**
   * Rejects with `RequestFailed` if the platform or the network refuses, with an `ApiError` of kind
   * `cancelled` if the call is cancelled, and with another `UserError` if the sign-in has changed.
   */
  async read(
    organization: Organization,
    deploymentId: string,
    cancellation: vscode.CancellationToken,
  ): Promise<LastAnswer> {
    const signal = signalOf(cancellation);
    const target = this.services.organizations.target(organization.id, 'access');
    const key = JSON.stringify([target, deploymentId]);
    const read = this.reads.get(key) ?? this.start(key, organization, deploymentId);
    read.waitingCalls += 1;
    try {
      return await orAborted(read.answer, signal);
    } catch (error) {
      throw signal.aborted ? new ApiError({ kind: 'cancelled' }) : error;
    } finally {
      read.waitingCalls -= 1;
      if (read.waitingCalls === 0) this.end(key, read);
    }
  }

  private start(key: string, organization: Organization, deploymentId: string): SharedRead {
    const cancellation = new vscode.CancellationTokenSource();
    const read: SharedRead = {
      answer: this.send(organization, deploymentId, cancellation.token),
      cancellation,
      waitingCalls: 0,
    };
    this.reads.set(key, read);
    return read;
  }

  /**
   * Forgets the read after its last waiting call, so that a later call starts a request of its own.
   * Cancelling stops the request if every call was cancelled, and does nothing after an answer.
   */
  private end(key: string, read: SharedRead): void {
    this.reads.delete(key);
    read.cancellation.cancel();
    read.cancellation.dispose();
  }

  private async send(
    organization: Organization,
    deploymentId: string,
    cancellation: vscode.CancellationToken,
  ): Promise<LastAnswer> {
    const { services } = this;
    const rejection = services.store.rejectionOf(organization.id);
    if (rejection) throw new RequestFailed(rejection, organization, 'authorization');
    const answer = await sendAs(services, {
      organization,
      operation: 'authorization',
      cancellation,
      send: (target, call) => this.sendUnlessRejected(target, deploymentId, call),
    });
    return withFindings(answer, deploymentId);
  }

  /**
   * Sends the request, unless the platform rejects the token (401) of another request while this
   * one waits. If the platform rejects the token of this request, passes that to the store.
   */
  private async sendUnlessRejected(
    target: Target,
    deploymentId: string,
    call: Call,
  ): Promise<Answer<DeploymentAuthorization>> {
    const { client, store } = this.services;
    const { organizationId } = target;
    const stop = new AbortController();
    const signal = AbortSignal.any([call.signal, stop.signal]);
    const onPhase = (phase: Phase): void => {
      // Another request may get a 401 while this one waits for a slot or for the end of a pause.
      // A phase begins at the end of each wait, and `sending` just before the request is sent.
      const rejection = store.rejectionOf(organizationId);
      if (rejection && phase.kind !== 'sending') stop.abort(new ApiError(rejection));
      call.onPhase?.(phase);
    };
    try {
      return await client.getDeploymentAuthorization(target, deploymentId, {
        ...call,
        signal,
        onPhase,
      });
    } catch (error) {
      const failure = failureOf(error);
      const isOwnRejection = failure.kind === 'tokenRejected' && !stop.signal.aborted;
      if (isOwnRejection) store.tokenRejected(organizationId, failure);
      throw error;
    }
  }
}
