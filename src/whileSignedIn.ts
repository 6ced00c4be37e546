import * as vscode from 'vscode';
import type { Services } from './host/services.js';
import { type Watched, watchRefreshSituation } from './host/watchRefreshSituation.js';
import { lastAttempt } from './model/deployment.js';
import { createRefreshSchedule } from './model/refreshSchedule.js';
import { registerEditor } from './views/editor/registerEditor.js';

export interface WhileSignedIn extends vscode.Disposable {
  /** What was read so far was read with another token. */
  restart(): void;
}

/** The rest of the object graph: what keeps reading, and what editors show of it. Of use to somebody who is signed in. */
export function whileSignedIn(services: Services, view: Watched): WhileSignedIn {
  const { store } = services;
  const schedule = createRefreshSchedule({
    now: Date.now,
    lastRead: (id) => lastAttempt(store.get(id)),
    run: (ids, signal) => store.refreshAll(ids, signal),
  });
  const owned = vscode.Disposable.from(
    schedule,
    registerEditor(services, (mentioned) => schedule.update({ mentioned })),
    watchRefreshSituation(services, view, (change) => schedule.update(change)),
  );
  return { restart: () => schedule.restart(), dispose: () => owned.dispose() };
}
