import { createHash } from 'node:crypto';
import { isRecord } from '../api/json.js';

/** What a workspace remembers: a hash of organization, deployment and problem, and when it was first seen (epoch ms). */
export type SeenRecord = Readonly<Record<string, number>>;

interface SeenSinceOptions {
  readonly initial: SeenRecord;
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
  /** Per deployment (organization and deployment hash): problem hash → epoch ms. */
  private readonly groups = new Map<string, Map<string, number>>();
  private readonly hashes = new Map<string, Map<string, string>>();
  private readonly save: SeenSinceOptions['save'];
  private readonly limit: number;
  private size = 0;
  private changed = false;

  constructor({ initial, save, limit = 20_000 }: SeenSinceOptions) {
    this.save = save;
    this.limit = limit;
    for (const [entry, at] of Object.entries(initial)) {
      // Others can write to the file that this comes from, so what is no entry of ours is dropped.
      if (this.size < limit && entryPattern.test(entry) && Number.isFinite(at)) {
        this.put(entry.slice(0, groupLength), entry.slice(groupLength), at);
      } else {
        this.changed = true;
      }
    }
  }

  /** One good answer being taken in. */
  answer(organizationId: string, deploymentId: string, now: number): SeenAnswer {
    const group = this.groupOf(organizationId, deploymentId);
    const confirmed = new Set<string>();
    // The order of the groups is the one in which `makeRoom` forgets: least recently confirmed first.
    const before = this.groups.get(group);
    if (before !== undefined) {
      this.groups.delete(group);
      this.groups.set(group, before);
    }
    return {
      see: (key) => {
        const problem = hash(key, problemLength);
        confirmed.add(problem);
        const at = this.groups.get(group)?.get(problem);
        if (at !== undefined) return { at, known: true };
        this.makeRoom();
        this.put(group, problem, now);
        this.changed = true;
        return { at: now, known: false };
      },
      end: () => {
        const problems = this.groups.get(group);
        if (problems === undefined) return;
        for (const problem of problems.keys()) {
          if (confirmed.has(problem)) continue;
          problems.delete(problem);
          this.size--;
          this.changed = true;
        }
        if (problems.size === 0) this.groups.delete(group);
      },
    };
  }

  /** Signing out forgets what was read there, wherever it happened: what belongs to none of these organizations is gone at once. */
  keepOrganizations(ids: Iterable<string>): void {
    const kept = new Set(ids);
    const prefixes = new Set(Array.from(kept, (id) => hash(id, organizationLength)));
    for (const group of this.groups.keys()) if (!prefixes.has(group.slice(0, organizationLength))) this.forget(group);
    for (const id of this.hashes.keys()) if (!kept.has(id)) this.hashes.delete(id);
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
    this.groups.set(group, problems);
    problems.set(problem, at);
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

  /** A deployment's hash is kept, because each refresh asks for it. */
  private groupOf(organizationId: string, deploymentId: string): string {
    let ofOrganization = this.hashes.get(organizationId);
    if (ofOrganization === undefined || ofOrganization.size >= this.limit) {
      ofOrganization = new Map();
      this.hashes.set(organizationId, ofOrganization);
    }
    let group = ofOrganization.get(deploymentId);
    if (group === undefined) {
      group = hash(organizationId, organizationLength) + hash(`${organizationId}\0${deploymentId}`, deploymentLength);
      ofOrganization.set(deploymentId, group);
    }
    return group;
  }
}

interface SeenAnswer {
  /** When the problem was first seen. `known`: it was remembered before this call, else it is from now on. */
  see(key: string): { readonly at: number; readonly known: boolean };
  /** The answer has no further problems: what else is remembered of this deployment is forgotten. */
  end(): void;
}

/** Keeps ids out of the state file and apart from each other; it protects no secret. */
function hash(text: string, length: number): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, length);
}

/** `extension.ts` looks whether a workspace has something to forget, and asks for this key. */
const key = 'seenSince';

/** What this workspace remembers, as VS Code's `Memento`. */
interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** What this workspace remembers of problems: hashes and times, kept with the workspace and never synced. */
export function seenSinceState(
  state: Memory,
  log: { warn(line: string): void },
): Pick<SeenSinceOptions, 'initial' | 'save'> {
  return {
    initial: readRecord(state.get(key)),
    save(record) {
      // If this fails, only the times are lost with the window: nobody needs to be asked about that.
      const kept = Object.keys(record).length > 0 ? record : undefined;
      state.update(key, kept).then(undefined, (error: unknown) => {
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
