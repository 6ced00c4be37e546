import { createHash } from 'node:crypto';
import { isRecord } from '../../api/json.js';

/** What a workspace remembers: a hash of organization, deployment and problem, and when it was first seen (epoch ms). */
export type SeenRecord = Readonly<Record<string, number>>;

interface SeenSinceOptions {
  /** Others can write to the file that this comes from. */
  readonly initial: unknown;
  /** Given the whole record whenever it changed, once per finished refresh. */
  readonly save: (record: SeenRecord) => void;
  /** Most problems remembered at a time. */
  readonly limit?: number;
}

const organizationLength = 6;
const deploymentLength = 8;
const problemLength = 8;
const groupLength = organizationLength + deploymentLength;
const entryPattern = new RegExp(`^[\\w-]{${groupLength + problemLength}}$`);

/**
 * Remembers when each problem was first seen. An entry's name is three hashes: the first two let a sign-out and a good answer find
 * what they end without the ids, which are not written down.
 */
export class SeenSince {
  /** Per deployment (organization and deployment hash), least recently confirmed first: problem hash → epoch ms. */
  private readonly groups = new Map<string, Map<string, number>>();
  private readonly save: SeenSinceOptions['save'];
  private readonly limit: number;
  private size = 0;
  private changed = false;

  constructor({ initial, save, limit = 20_000 }: SeenSinceOptions) {
    this.save = save;
    this.limit = limit;
    for (const [entry, at] of Object.entries(isRecord(initial) ? initial : {})) {
      if (this.size < limit && entryPattern.test(entry) && typeof at === 'number' && Number.isFinite(at)) {
        this.put(entry.slice(0, groupLength), entry.slice(groupLength), at);
      } else {
        this.changed = true;
      }
    }
  }

  /** One good answer being taken in. */
  answer(organizationId: string, deploymentId: string, now: number): SeenAnswer {
    const group =
      hash(organizationId, organizationLength) + hash(`${organizationId}\0${deploymentId}`, deploymentLength);
    const before = this.groups.get(group);
    if (before !== undefined) {
      this.groups.delete(group);
      this.groups.set(group, before);
    }
    const confirmed = new Set<string>();
    const unremembered = new Set<string>();
    return {
      see: (key) => {
        const problem = hash(key, problemLength);
        confirmed.add(problem);
        const at = this.groups.get(group)?.get(problem);
        if (at !== undefined) return at;
        unremembered.add(key);
        this.makeRoom();
        this.put(group, problem, now);
        this.changed = true;
        return now;
      },
      end: () => {
        const problems = this.groups.get(group);
        for (const problem of problems?.keys() ?? []) {
          if (confirmed.has(problem)) continue;
          problems?.delete(problem);
          this.size--;
          this.changed = true;
        }
        if (problems?.size === 0) this.groups.delete(group);
        return unremembered;
      },
    };
  }

  /** Signing out forgets what was read there, wherever it happened: what belongs to none of these organizations is gone at once. */
  keepOrganizations(ids: Iterable<string>): void {
    const kept = new Set(Array.from(ids, (id) => hash(id, organizationLength)));
    for (const group of this.groups.keys()) if (!kept.has(group.slice(0, organizationLength))) this.forget(group);
    // If this waited for the next refresh, a reload before it would bring everything back.
    this.flush();
  }

  /** Hands the record to `save` if it changed since the last time. */
  flush(): void {
    if (!this.changed) return;
    this.changed = false;
    const record: Record<string, number> = {};
    for (const [group, problems] of this.groups) {
      for (const [problem, at] of problems) record[group + problem] = at;
    }
    this.save(record);
  }

  private put(group: string, problem: string, at: number): void {
    const problems = this.groups.get(group) ?? new Map<string, number>();
    this.groups.set(group, problems.set(problem, at));
    this.size++;
  }

  private makeRoom(): void {
    for (const group of this.groups.keys()) {
      if (this.size < this.limit) return;
      this.forget(group);
    }
  }

  private forget(group: string): void {
    this.size -= this.groups.get(group)?.size ?? 0;
    this.groups.delete(group);
    this.changed = true;
  }
}

interface SeenAnswer {
  /** When the problem was first seen, which is now if it is not remembered. */
  readonly see: (key: string) => number;
  /** The answer has no further problems: what else is remembered of this deployment is forgotten. Those that were not remembered. */
  readonly end: () => ReadonlySet<string>;
}

/** Keeps ids out of the state file and apart from each other; it protects no secret. */
export function hash(text: string, length: number): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, length);
}

/** What this workspace remembers, as VS Code's `Memento`. */
export interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** What this workspace remembers of problems: hashes and times, kept with the workspace and never synced. */
export function seenSinceState(state: Memory, log: MemoryLog): SeenSinceOptions {
  return remembered(state, 'seenSince', '"Seen since"', log);
}

interface MemoryLog {
  warn(line: string): void;
}

/** A record under a key of this workspace. `extension.ts` asks for the keys, to see whether there is something to forget. */
export function remembered(state: Memory, key: string, what: string, log: MemoryLog) {
  return {
    initial: state.get(key),
    save(record: object): void {
      // If this fails, only the record is lost with the window: nobody needs to be asked about that.
      const kept = Object.keys(record).length > 0 ? record : undefined;
      state.update(key, kept).then(undefined, (error: unknown) => {
        log.warn(`${what} could not be remembered: ${error instanceof Error ? error.message : String(error)}`);
      });
    },
  };
}
