import type { Call, ConnectionStep, Target } from '../call.js';
import type { Client } from '../client.js';
import type { Failure } from '../failure.js';
import { failureOf } from './errorCodes.js';

export interface Check extends Pick<Call, 'signal'> {
  /** Absent: an id that no deployment is likely to have. */
  readonly deploymentId?: string | undefined;
  readonly onStep?: (step: ConnectionStep) => void;
}

/** Reads a deployment, because no operation of the service tests a token. Never rejects. */
export async function check(
  client: Pick<Client, 'getDeploymentAuthorization'>,
  target: Target,
  { signal, deploymentId = 'connection-check', onStep = () => undefined }: Check,
): Promise<Failure | undefined> {
  let http: Extract<ConnectionStep, { kind: 'http' }> | undefined;
  let isCauseKnown = false;
  const call: Call = {
    signal,
    urgent: true,
    isProbe: true,
    onStep: (step) => {
      if (signal.aborted) return;
      // The failure of a request is known when its answer is read.
      if (step.kind === 'http') http = step;
      else onStep(step);
      isCauseKnown ||= 'cause' in step && step.cause !== undefined;
    },
  };
  const reading = client.getDeploymentAuthorization(target, deploymentId, call);
  const failure: Failure | undefined = await reading.then(() => undefined, failureOf);
  if (signal.aborted || (isCauseKnown && !http)) return failure;
  onStep({ ...(http ?? { kind: 'http', viaEditor: false, duration: 0 }), ...(failure && { failure }) });
  return failure;
}
