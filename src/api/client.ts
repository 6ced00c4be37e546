import type { Answer } from './answer.js';
import {
  authorizationTemplate,
  type DeploymentAuthorization,
  decodeDeploymentAuthorization,
} from './authorization.js';
import type { ApiRequest, Call, RevocationOutcome, Target } from './call.js';
import { ApiError, type Failure } from './failure.js';
import { decodeIntegrationInstall, type IntegrationInstall, installTemplate } from './install.js';
import { failureOf } from './network/errorCodes.js';
import type { Router } from './network/router.js';
import type { Sender } from './sender.js';

/**
 * The operations of the platform, for the store, the commands, and the tools. It only describes the
 * requests; the sender sends them. Reads reject with `ApiError` only.
 */
export class Client {
  constructor(
    private readonly sender: Pick<Sender, 'get' | 'delete'>,
    private readonly router: Pick<Router, 'tryConnection'>,
  ) {}

  getDeploymentAuthorization(
    target: Target,
    deploymentId: string,
    call: Call,
  ): Promise<Answer<DeploymentAuthorization>> {
    const request: ApiRequest = {
      method: 'GET',
      template: authorizationTemplate,
      id: deploymentId,
    };
    return this.sender.get(target, request, call, decodeDeploymentAuthorization);
  }

  /**
   * `token`: the install token to look up. `target.token` is a user session token if there is one.
   */
  getIntegrationInstall(
    target: Target,
    token: string,
    call: Call,
  ): Promise<Answer<IntegrationInstall>> {
    const request: ApiRequest = {
      method: 'GET',
      template: installTemplate,
      id: token,
      idIsSecretIn: 'lookUps',
    };
    return this.sender.get(target, request, call, decodeIntegrationInstall);
  }

  /**
   * Tests the connection and the token. Returns why a read failed, and `undefined` if it succeeded.
   * Reads a deployment, because no operation of the platform tests a token. During a pause nothing
   * is sent, and if `onStep` listens, only a connection is tried. Never rejects.
   */
  async check(
    target: Target,
    { signal, onPhase, onStep }: Pick<Call, 'signal' | 'onPhase' | 'onStep'>,
    deploymentId = 'connection-check',
  ): Promise<Failure | undefined> {
    const probe = { signal, onPhase, onStep, urgent: true, isProbe: true };
    try {
      await this.getDeploymentAuthorization(target, deploymentId, probe);
      return undefined;
    } catch (error) {
      const failure = failureOf(error);
      const isSent = error instanceof ApiError && error.sentElapsed !== undefined;
      const wasPaused = failure.kind === 'rateLimited' && !isSent;
      if (!wasPaused || !onStep) return failure;
      const { origin } = new URL(target.baseUrl);
      const connectionFailure = await this.router.tryConnection({ origin, signal, onStep });
      return connectionFailure ?? failure;
    }
  }

  /** Never rejects. */
  deleteApiKey(target: Target, keyId: string, call: Call): Promise<RevocationOutcome> {
    const request: ApiRequest = {
      method: 'DELETE',
      template: '/api-keys/{keyId}',
      id: keyId,
      idIsSecretIn: 'texts',
    };
    return this.sender.delete(target, request, call);
  }
}
