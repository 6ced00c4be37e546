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

/** One good answer being taken in. */
interface SeenAnswer {
  /** When the problem was first seen; `known`: it was remembered before this call, else it is from now on. */
  see(key: string): { readonly at: number; readonly known: boolean };
  /** The answer has no other problem than those: the rest of this deployment's is forgotten. */
  end(): void;
}

export interface SeenSince {
  answer(organizationId: string, deploymentId: string, now: number): SeenAnswer;
  /** Signing out forgets what was read there, wherever it happened: whatever belongs to none of these organizations is gone at once. */
  keepOrganizations(ids: Iterable<string>): void;
  /** Hands the record to `save` if it changed since the last time. */
  flush(): void;
}

const organizationLength = 6;
const deploymentLength = 8;
const problemLength = 8;
const groupLength = organizationLength + deploymentLength;
const entryPattern = new RegExp(`^[\\w-]{${groupLength + problemLength}}$`);

/**
 * Three hashes in one entry name: the first two let a good answer and a sign-out find what they end without the ids,
 * which are not written down.
 */
export function createSeenSince({ initial, save, limit = 20_000 }: SeenSinceOptions): SeenSince {
  /** Per deployment (organization and deployment hash): problem hash → epoch ms. */
  const groups = new Map<string, Map<string, number>>();
  const hashes = new Map<string, Map<string, string>>();
  let size = 0;
  let changed = false;

  for (const [entry, at] of Object.entries(initial)) {
    // Storage is a file that others can write to: what is no entry of ours is dropped.
    if (size < limit && entryPattern.test(entry) && Number.isFinite(at)) {
      put(entry.slice(0, groupLength), entry.slice(groupLength), at);
    } else {
      changed = true;
    }
  }

  function put(group: string, problem: string, at: number): void {
    const problems = groups.get(group) ?? new Map<string, number>();
    groups.set(group, problems);
    problems.set(problem, at);
    size++;
  }

  /** One deployment is asked for at every refresh, so its hash is kept; a problem's is made only if there is one. */
  function groupOf(organizationId: string, deploymentId: string): string {
    let ofOrganization = hashes.get(organizationId);
    if (ofOrganization === undefined || ofOrganization.size >= limit) {
      ofOrganization = new Map();
      hashes.set(organizationId, ofOrganization);
    }
    let group = ofOrganization.get(deploymentId);
    if (group === undefined) {
      group = hash(organizationId, organizationLength) + hash(`${organizationId}\0${deploymentId}`, deploymentLength);
      ofOrganization.set(deploymentId, group);
    }
    return group;
  }

  function makeRoom(): void {
    if (size < limit) return;
    for (const [group, problems] of groups) {
      groups.delete(group);
      size -= problems.size;
      if (size < limit) return;
    }
  }

  function flush(): void {
    if (!changed) return;
    changed = false;
    const record: Record<string, number> = {};
    for (const [group, problems] of groups) {
      for (const [problem, at] of problems) record[group + problem] = at;
    }
    save(record);
  }

  return {
    answer(organizationId, deploymentId, now) {
      const group = groupOf(organizationId, deploymentId);
      const confirmed: string[] = [];
      // Least recently confirmed first: that is the order in which `makeRoom` forgets.
      const before = groups.get(group);
      if (before !== undefined) {
        groups.delete(group);
        groups.set(group, before);
      }
      return {
        see(key) {
          const problem = hash(key, problemLength);
          confirmed.push(problem);
          const at = groups.get(group)?.get(problem);
          if (at !== undefined) return { at, known: true };
          makeRoom();
          put(group, problem, now);
          changed = true;
          return { at: now, known: false };
        },
        end() {
          const problems = groups.get(group);
          if (problems === undefined) return;
          const kept = new Set(confirmed);
          for (const problem of problems.keys()) {
            if (kept.has(problem)) continue;
            problems.delete(problem);
            size--;
            changed = true;
          }
          if (problems.size === 0) groups.delete(group);
        },
      };
    },
    keepOrganizations(ids) {
      const kept = new Set(ids);
      const prefixes = new Set([...kept].map((id) => hash(id, organizationLength)));
      for (const [group, problems] of groups) {
        if (prefixes.has(group.slice(0, organizationLength))) continue;
        groups.delete(group);
        size -= problems.size;
        changed = true;
      }
      for (const id of hashes.keys()) if (!kept.has(id)) hashes.delete(id);
      // With the next refresh only, it would be back after a reload.
      flush();
    },
    flush,
  };
}

/** Not a secret's guard: it keeps ids out of the state file and apart from each other. */
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
      // Without it the times are lost with the window; no reason to bother anybody.
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
