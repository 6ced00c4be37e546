import * as vscode from 'vscode';
import { orAborted } from '../../api/abort.js';
import type { Phase } from '../../api/call.js';
import { ApiError } from '../../api/failure.js';
import { failureOf } from '../../api/network/errorCodes.js';
import type { Organization } from '../../host/organizations/organization.js';
import type { Services } from '../../host/services.js';
import { type LastAnswer, withFindings } from '../../model/findings/deployment.js';
import { RequestFailed, sendAs } from '../sendAs.js';
import { signalOf } from '../waitingCall.js';

/** A read that is on its way. */
interface Read {
  readonly answer: Promise<LastAnswer>;
  readonly cancellation: vscode.CancellationTokenSource;
  /** How many calls wait for it. */
  waiting: number;
}

/**
 * Reads deployments that are not listed, for a language model. Equal calls at once share one
 * request, which stops when none of them waits for it any more. An agent is not the user: nothing
 * is sent after a 401.
 */
export class UnlistedReads {
  /** By organization, token, and ID. */
  private readonly reads = new Map<string, Read>();

  constructor(private readonly services: Services) {}

  async read(
    organization: Organization,
    id: string,
    token: vscode.CancellationToken,
  ): Promise<LastAnswer> {
    const signal = signalOf(token);
    const target = this.services.organizations.target(organization.id, 'access');
    const key = JSON.stringify([target, id]);
    const read = this.reads.get(key) ?? this.start(key, organization, id);
    read.waiting++;
    try {
      return await orAborted(read.answer, signal);
    } catch (error) {
      throw signal.aborted ? new ApiError({ kind: 'cancelled' }) : error;
    } finally {
      read.waiting--;
      if (read.waiting === 0) this.end(key, read);
    }
  }

  private start(key: string, organization: Organization, id: string): Read {
    const cancellation = new vscode.CancellationTokenSource();
    const read: Read = {
      answer: this.send(organization, id, cancellation.token),
      cancellation,
      waiting: 0,
    };
    this.reads.set(key, read);
    return read;
  }

  /** A call that comes later has a request of its own. */
  private end(key: string, read: Read): void {
    if (this.reads.get(key) === read) this.reads.delete(key);
    read.cancellation.cancel();
    read.cancellation.dispose();
  }

  private async send(
    organization: Organization,
    id: string,
    token: vscode.CancellationToken,
  ): Promise<LastAnswer> {
    const { services } = this;
    const { client, store } = services;
    const known = store.rejectionOf(organization.id);
    if (known) throw new RequestFailed(known, organization, 'authorization');
    const answer = await sendAs(
      services,
      organization,
      'authorization',
      token,
      async (target, call) => {
        const stop = new AbortController();
        const signal = AbortSignal.any([call.signal, stop.signal]);
        const onPhase = (phase: Phase): void => {
          // Another request may get a 401 while this one waits for a slot or for the end of a pause.
          const rejection = store.rejectionOf(organization.id);
          if (rejection && phase.kind !== 'sending') stop.abort(new ApiError(rejection));
          call.onPhase?.(phase);
        };
        try {
          return await client.getDeploymentAuthorization(target, id, { ...call, signal, onPhase });
        } catch (error) {
          const failure = failureOf(error);
          if (failure.kind === 'tokenRejected' && !stop.signal.aborted)
            store.tokenRejected(organization.id, failure);
          throw error;
        }
      },
    );
    return withFindings(answer, id);
  }
}
