import { noAnswer, redirected } from './classify.js';
import type { Target } from './client.js';
import type { ConnectionStep } from './connectionStep.js';
import { ApiError } from './failure.js';
import { authorizationTemplate } from './getDeploymentAuthorization.js';
import type { Connector, WireResult } from './network/connector.js';
import { within } from './network/connectTimeout.js';
import type { KnownSecrets } from './secrets.js';
import { wireRequest } from './wireRequest.js';

type HttpStep = Extract<ConnectionStep, { kind: 'http' }>;

/** An id that no deployment is likely to have. An answer is an answer, 404 as well. */
const madeUpId = 'connection-check';

/**
 * Sends the one harmless request of a check, unless the service asked to wait; nothing of the answer's body is read. `undefined` if
 * the signal ended it.
 */
export async function checkHttp(
  target: Target,
  via: HttpStep['via'],
  connector: Pick<Connector, 'exchange'>,
  options: {
    readonly signal: AbortSignal;
    readonly timeout: number;
    readonly deploymentId?: string;
    readonly secrets: KnownSecrets;
    readonly pausedUntil: (organizationId: string) => number | undefined;
  },
): Promise<HttpStep | undefined> {
  const { signal, timeout, deploymentId = madeUpId } = options;
  const template = authorizationTemplate;
  const start = performance.now();
  const step = (facts: Partial<HttpStep>): HttpStep => {
    return { kind: 'http', via, template, duration: performance.now() - start, ...facts };
  };
  const until = options.pausedUntil(target.organizationId);
  if (until !== undefined) {
    return step({ failure: { kind: 'rateLimited', status: 429, until } });
  }
  let result: WireResult;
  try {
    const request = wireRequest(target, { method: 'GET', template, id: deploymentId, idIsSecret: false });
    const only = { ...request, alone: true, wanted: () => ({ bytes: 0 }) };
    result = await within(timeout, signal, (limited) => connector.exchange({ ...only, signal: limited }));
  } catch (error) {
    // An id or a token that can't be sent.
    return error instanceof ApiError ? step({ failure: error.failure }) : undefined;
  }
  if (result.kind === 'answer') {
    const { status, headers } = result;
    const location = headers['location'] && options.secrets.redact(headers['location']);
    const redirect = status >= 300 && status < 400 ? redirected(status, location, target.baseUrl) : undefined;
    const host = redirect?.kind === 'redirected' ? redirect.host : undefined;
    return step({ status, ...(host !== undefined && { redirectedTo: host }) });
  }
  if (result.kind === 'stopped') {
    return signal.aborted ? undefined : step({ failure: { kind: 'timedOut', after: timeout } });
  }
  return step({ failure: noAnswer(result) });
}
