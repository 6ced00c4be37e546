import type { LeftOut } from '../api/answer.js';
import type { DeploymentAuthorization } from '../api/deploymentAuthorization.js';
import { Findings } from './findings.js';

export function deriveFindings(
  authorization: DeploymentAuthorization,
  deploymentId: string,
  seenSince: (key: string) => number,
  unreadable?: LeftOut,
): Findings {
  return new Findings(authorization, deploymentId, seenSince, unreadable);
}
