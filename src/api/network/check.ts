import type { Call, Target } from '../call.js';
import type { Client } from '../client.js';
import type { Failure } from '../failure.js';
import { failureOf } from './errorCodes.js';
import type { ConnectionStep } from './steps.js';

type HttpStep = Extract<ConnectionStep, { kind: 'http' }>;

/** A step, or the request at the end with what is wrong with its answer, if there is something. */
export type CheckStep = Exclude<ConnectionStep, HttpStep> | (HttpStep & { readonly failure?: Failure });

export interface Check extends Pick<Call, 'signal'> {
  /** Absent: an id that no deployment is likely to have. */
  readonly deploymentId?: string;
  readonly onStep: (step: CheckStep) => void;
}

/**
 * Sends one request and yields each step on its way, and why it failed, if it did. Never rejects; once its signal has aborted no step
 * follows. While a 429 pauses the organization nothing is sent.
 *
 * No operation can test a token, so this is the request without side effects that is sent all the time anyway: reading the
 * authorization of a deployment.
 */
export async function check(
  client: Pick<Client, 'getDeploymentAuthorization' | 'pausedUntil'>,
  target: Target,
  { signal, deploymentId = 'connection-check', onStep }: Check,
): Promise<Failure | undefined> {
  let http: HttpStep | undefined;
  let isCauseKnown = false;
  let sentAt: number | undefined;
  const call: Call = {
    signal,
    urgent: true,
    isProbe: true,
    onPhase: ({ kind }) => {
      if (kind === 'sending') sentAt = performance.now();
    },
    onStep: (step) => {
      if (signal.aborted) return;
      // The failure of a request is known when its answer is read.
      if (step.kind === 'http') http = step;
      else onStep(step);
      isCauseKnown ||= 'cause' in step && step.cause !== undefined;
    },
  };
  const until = client.pausedUntil(target.organizationId);
  const failure: Failure | undefined =
    until === undefined
      ? await client.getDeploymentAuthorization(target, deploymentId, call).then(() => undefined, failureOf)
      : { kind: 'rateLimited', status: 429, until };
  if (signal.aborted || (isCauseKnown && !http)) return failure;
  const duration = sentAt === undefined ? 0 : performance.now() - sentAt;
  onStep({ ...(http ?? { kind: 'http', viaEditor: false, duration }), ...(failure && { failure }) });
  return failure;
}
