import * as vscode from 'vscode';
import type { MuteEntries } from '../../../src/host/list/muteEntries.js';
import { SettingsScope } from '../../../src/host/list/settingsScope.js';
import { Emitter } from '../../../src/model/base/emitter.js';
import { readMuteEntries } from '../../../src/model/entered/muteEntries.js';
import { MutesForEveryone } from '../../../src/model/problems/mutes.js';
import { ProblemMemory } from '../../../src/model/problems/problemMemory.js';
import { ManualClock } from '../manualClock.js';
import { MemoryState } from '../memoryState.js';
import { atEndOfTest } from './endOfTest.js';
import { now } from './fixtures.js';

export const reason = 'App review at Slack, FIN-1234';

/** An entry that mutes Finance Slack of `billing` to the end of this year, with other fields. */
export function muteOfFinance(fields: object = {}): object {
  const sign = { account: 'acc_2', error: 'token_revoked' };
  return { ...sign, since: '2026-11-20', until: '2026-12-31', reason, ...fields };
}

/**
 * The entries in .vscode/settings.json. `deploymentIds`: those for which they hold, as if a folder
 * had them; by default all.
 */
export function mutesOf(
  entries: readonly object[],
  deploymentIds?: ReadonlySet<string>,
): Pick<MuteEntries, 'current' | 'scopesOf'> {
  return mutesInScopes({ entries, deploymentIds });
}

interface EntriesOfScope {
  readonly entries: readonly object[];
  readonly deploymentIds?: ReadonlySet<string> | undefined;
}

/** The entries of several folders. */
export function mutesInScopes(
  ...scopes: readonly EntriesOfScope[]
): Pick<MuteEntries, 'current' | 'scopesOf'> {
  const parts = scopes.map(({ entries, deploymentIds }) => {
    const read = readMuteEntries(entries, { now, hasToken: () => false });
    return { entries: read.entries.map(({ entry }) => entry), deploymentIds };
  });
  return {
    current: new MutesForEveryone(parts),
    scopesOf: (sought) =>
      sought.length > 0 ? [new SettingsScope(vscode.ConfigurationTarget.Workspace)] : [],
  };
}

/** A memory with these entries, in which the user has muted nothing. */
export function memoryOf(muteEntries: Pick<MuteEntries, 'current'>): ProblemMemory {
  const { now: currentTime, setTimer } = new ManualClock(now);
  const changed = new Emitter<void>();
  const memory = new ProblemMemory({
    now: currentTime,
    setTimer,
    elapsed: currentTime,
    state: new MemoryState(),
    log: { warn: () => undefined },
    muteEntries: { current: muteEntries.current, onDidChange: changed.event },
  });
  memory.setOrganization('o1');
  atEndOfTest(() => memory.dispose());
  return memory;
}
