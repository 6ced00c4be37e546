import type { Deployment } from './deployment.js';
import type { Counts } from './store/deploymentStore.js';

export function countDeployments(deployments: readonly Deployment[]): Counts {
  let withProblems = 0;
  let unknown = 0;
  let notYetRead = 0;
  let stale = 0;
  let oldest = Infinity;
  for (const { state, answer, failure } of deployments) {
    if (answer === undefined) {
      if (state === 'unknown') unknown++;
      else notYetRead++;
      continue;
    }
    if (answer.findings.problems.length > 0) withProblems++;
    else if (state === 'unknown') unknown++;
    if (failure !== undefined) stale++;
    if (answer.receivedAt < oldest) oldest = answer.receivedAt;
  }
  const counts = { total: deployments.length, withProblems, unknown, notYetRead, stale };
  return oldest === Infinity ? counts : { ...counts, oldest };
}
