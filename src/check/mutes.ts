import { lazy } from '../model/base/lazy.js';
import type { MuteEntry } from '../model/entered/muteEntries.js';
import type { Deployment } from '../model/findings/deployment.js';
import type { Finding, Problem } from '../model/findings/findings.js';
import type { Mute, Remembered } from '../model/findings/state.js';
import { type EntryState, MutesForEveryone, type MutesInScope } from '../model/problems/mutes.js';
import type { EntryPosition } from './list/position.js';

interface CheckMutesOptions {
  readonly scopes: readonly MutesInScope[];
  /** Where each entry of the scopes stands. */
  readonly positions: ReadonlyMap<MuteEntry, EntryPosition>;
  /** The listed deployments that are not to be checked, because of `--group`. */
  readonly leftOutIds?: readonly string[];
  /** Epoch ms at which the run began. */
  readonly now: number;
}

/**
 * The mutes for everyone that the check has found in settings files, as they are when the run
 * begins. The list makes them; the reader and the output ask it which problems are muted.
 */
export class CheckMutes implements Remembered {
  private readonly mutes: MutesForEveryone;
  /** The entries that may mute in a deployment that is not to be checked. */
  private readonly aboutLeftOut = lazy(() => this.findAboutLeftOut());

  constructor(private readonly options: CheckMutesOptions) {
    this.mutes = new MutesForEveryone(options.scopes);
  }

  /** Epoch ms at which the run began. */
  get now(): number {
    return this.options.now;
  }

  muteOf(problem: Problem): Mute | undefined {
    const entry = this.entryFor(problem);
    return entry && { until: entry.endsAt, isUntilChange: false, forEveryone: entry };
  }

  /** The check remembers nothing of earlier runs. */
  seenSince(): undefined {
    return undefined;
  }

  notifies(): boolean {
    return false;
  }

  hasChangedSinceMuted(problem: Problem): boolean {
    return this.mutes.hasChangedSinceMuted(problem, this.now);
  }

  /** Returns the entry that mutes a problem; `undefined` if none mutes it. */
  entryFor(problem: Problem): MuteEntry | undefined {
    return this.mutes.entryFor(problem, this.now);
  }

  /** Returns the entries that name this account or requirement of a deployment and hold there. */
  entriesAbout(finding: Finding, deploymentId: string): readonly MuteEntry[] {
    return this.mutes.entriesAbout(finding, deploymentId);
  }

  /**
   * Returns what becomes of each entry in the deployments that were checked, in the order of the
   * files. An entry that does not mute there may mute in a deployment that was left out: then
   * nothing is known of it, unless it has ended and its account is in one that was checked.
   */
  statesIn(deployments: readonly Deployment[]): ReadonlyMap<MuteEntry, EntryState> {
    const states = new Map(this.mutes.statesIn(deployments, this.now));
    const accountIds = new Set<string>();
    for (const { answer } of deployments)
      for (const id of answer?.findings.accountsById.keys() ?? []) accountIds.add(id);
    for (const entry of this.aboutLeftOut()) {
      const { subject } = entry;
      const state = states.get(entry);
      const isInChecked = subject.kind === 'account' && accountIds.has(subject.account);
      const isKnown = state === 'mutes' || (state === 'ended' && isInChecked);
      if (!isKnown) states.set(entry, 'unknown');
    }
    return states;
  }

  /** An account can be in any deployment for which its entry holds. */
  private findAboutLeftOut(): ReadonlySet<MuteEntry> {
    const { scopes, leftOutIds = [] } = this.options;
    const leftOut = new Set(leftOutIds);
    const inScopes = scopes.flatMap(({ entries, deploymentIds }) => {
      const holdsForLeftOut = leftOutIds.some((id) => deploymentIds?.has(id) ?? true);
      return entries.filter(({ subject }) =>
        subject.kind === 'account' ? holdsForLeftOut : leftOut.has(subject.deployment),
      );
    });
    return new Set(inScopes);
  }

  positionOf(entry: MuteEntry): EntryPosition | undefined {
    return this.options.positions.get(entry);
  }
}

export const noMutes = new CheckMutes({ scopes: [], positions: new Map(), now: 0 });
