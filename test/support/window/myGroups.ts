import { countDeployments, type Deployment } from '../../../src/model/findings/deployment.js';
import { hashOfGroup, MyGroups } from '../../../src/model/myGroups.js';
import { MemoryState } from '../memoryState.js';

/**
 * Returns the user's choice of groups in a window that lists these deployments. Without `chosen`, no
 * group is chosen; `null` is *No group*.
 */
export function myGroupsIn(
  deployments: () => readonly Deployment[],
  ...chosen: readonly (string | null)[]
): MyGroups {
  const store = {
    get deployments() {
      return deployments();
    },
    get counts() {
      return countDeployments(deployments());
    },
  };
  const saved = chosen.map((name) => hashOfGroup(name ?? undefined));
  return new MyGroups(store, new MemoryState({ myGroups: saved }));
}
