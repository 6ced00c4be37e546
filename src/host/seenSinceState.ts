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
      workspaceState.update(key, record).then(undefined, (error: unknown) => {
        log.warn(`"Seen since" could not be remembered: ${error instanceof Error ? error.message : String(error)}`);
      });
    },
  };
}

function readRecord(value: unknown): SeenRecord {
  if (!isRecord(value)) return {};
  const times = Object.entries(value).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number' && Number.isFinite(entry[1]),
  );
  return Object.fromEntries(times);
}
