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

/** The platform's three operations. Reads reject with `ApiError` only; a revocation never rejects. */
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

  /** `target.token` is a user session token if there is one. */
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
   * Reads a deployment, because no operation of the platform tests a token. During a pause nothing is
   * sent, and only a connection is tried if `onStep` listens to its steps. Never rejects.
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
      if (failure.kind !== 'rateLimited' || isSent || !onStep) return failure;
      const { origin } = new URL(target.baseUrl);
      return (await this.router.tryConnection({ origin, signal, onStep })) ?? failure;
    }
  }

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
