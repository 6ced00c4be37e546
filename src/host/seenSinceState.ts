import type * as vscode from 'vscode';
import type { SeenRecord, SeenSinceOptions } from '../model/seenSince.js';
import { isRecord } from './isRecord.js';
import type { Log } from './services.js';

const key = 'seenSince';

/** What this workspace remembers of problems: hashes and times, kept with the workspace and never synced. */
export function seenSinceState(workspaceState: vscode.Memento, log: Log): Pick<SeenSinceOptions, 'initial' | 'save'> {
  return {
    initial: readRecord(workspaceState.get<unknown>(key)),
    save(record) {
      // Without it the times are lost with the window; no reason to bother anybody.
      const kept = Object.keys(record).length > 0 ? record : undefined;
      workspaceState.update(key, kept).then(undefined, (error: unknown) => {
        log.warn(`"Seen since" could not be remembered: ${error instanceof Error ? error.message : String(error)}`);
      });
    },
  };
}

/** Whether there is anything to forget: a workspace that remembers nothing need not load what forgets. */
export function remembersProblems(workspaceState: vscode.Memento): boolean {
  return workspaceState.get<unknown>(key) !== undefined;
}

function readRecord(value: unknown): SeenRecord {
  if (!isRecord(value)) return {};
  const times = Object.entries(value).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number' && Number.isFinite(entry[1]),
  );
  return Object.fromEntries(times);
}
