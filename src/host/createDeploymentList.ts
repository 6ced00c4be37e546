import type { Log } from './services.js';
import type { DeploymentList } from './settings.js';

export function createDeploymentList(_log: Log): DeploymentList {
  throw new Error('not yet written');
}
