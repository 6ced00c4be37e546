import * as vscode from 'vscode';
import { configurationSection, settingKeys } from '../ids.js';
import { lazy } from '../lazy.js';
import { Queue } from '../queue.js';
import type { Log } from '../services.js';
import type { DeploymentList } from '../settings.js';
import { malformedValues, mergeEntries } from './entries.js';
import { addTarget, isUntrusted, listScopes } from './scopes.js';

/** Whoever only reads the list needs none of it. */
const writes = lazy(() => import('./writes.js'));

/**
 * First read when somebody asks, which a window without an organization does not, or when it changes. What is malformed in it is
 * said once, in `log` and in one notification.
 */
export function createDeploymentList(log: Log): DeploymentList {
  const changed = new vscode.EventEmitter<void>();
  // Two writes at once would both start from the same list.
  const queue = new Queue();
  let known: ReturnType<typeof look> | undefined;
  let disposed = false;
  const now = () => {
    if (!known) {
      known = look();
      if (known.malformed.length > 0) void report();
    }
    return known;
  };
  const reread = (): void => {
    known = undefined;
    now();
    changed.fire();
  };
  const subscriptions: vscode.Disposable[] = [
    changed,
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(`${configurationSection}.${settingKeys.deployments}`)) reread();
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(reread),
    vscode.workspace.onDidGrantWorkspaceTrust(reread),
  ];

  const list: DeploymentList = {
    onDidChange: changed.event,
    get listed() {
      return now().listed;
    },
    get malformed() {
      return now().malformed;
    },
    get untrusted() {
      return isUntrusted();
    },
    get addTarget() {
      return addTarget();
    },
    places: (id) =>
      now()
        .scopes()
        .filter(({ ids }) => ids.has(id))
        .map(({ place }) => place),
    add: (id, label) => queue.run(async () => (await writes()).add(id, label)),
    remove: (ids) =>
      queue.run(async () => {
        const { remove, putBack } = await writes();
        const removed = await remove(new Set(ids));
        return {
          places: removed.map(({ place }) => place),
          undo: () => queue.run(() => putBack(removed)),
        };
      }),
    setLabel: (id, label) => queue.run(async () => (await writes()).setLabel(id, label)),
    dispose() {
      disposed = true;
      vscode.Disposable.from(...subscriptions).dispose();
    },
  };
  // From then on it listens itself.
  const report = lazy(async () => {
    const { reportMalformedEntries } = await import('./malformed.js');
    if (!disposed) subscriptions.push(reportMalformedEntries(list, log));
  });
  return list;
}

/** What the settings said when they last changed. Thousands of ids may be asked for one by one, so each scope is read once. */
function look() {
  const scopes = listScopes();
  return {
    listed: mergeEntries(scopes.map(({ value }) => value)),
    malformed: scopes.flatMap(({ place, value }) => malformedValues(value).map((found) => ({ place, ...found }))),
    scopes: lazy(() =>
      scopes.map(({ place, value }) => ({ place, ids: new Set(mergeEntries([value]).map(({ id }) => id)) })),
    ),
  };
}
