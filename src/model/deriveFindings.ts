import type { DeploymentAuthorization } from '../api/deploymentAuthorization.js';
import type { Findings } from './findings.js';

/** `seenSince` is asked once for each problem, with its key. */
export function deriveFindings(
  authorization: DeploymentAuthorization,
  deploymentId: string,
  seenSince: (key: string) => number,
): Findings {
  void [authorization, deploymentId, seenSince];
  throw new Error('not written yet');
}
