import { isRecord } from '../../api/json.js';
import { hash, type Memory, namesOfOthers, organizationHash } from './memory.js';

/** What a workspace remembers: a hash of organization, deployment and problem, and when it was first seen (epoch ms). */
export type SeenRecord = Readonly<Record<string, number>>;

/** `limit`: most problems remembered at a time. */
type SeenSinceOptions = Memory<SeenRecord> & { readonly limit?: number };

const hashLength = 8;
const groupLength = organizationHash('').length + hashLength;

/** Remembers when each problem was first seen. */
export class SeenSince {
  /** By the hashes of organization and deployment, least recently confirmed first: problem hash → epoch ms. */
  private readonly groups = new Map<string, Map<string, number>>();
  private changed = false;

  constructor(private readonly options: SeenSinceOptions) {
    for (const [entry, at] of Object.entries(isRecord(options.initial) ? options.initial : {})) {
      if (typeof at !== 'number' || !Number.isFinite(at)) continue;
      const group = entry.slice(0, groupLength);
      const problems = this.groups.get(group) ?? new Map<string, number>();
      this.groups.set(group, problems.set(entry.slice(groupLength), at));
    }
  }

  /** One good answer being taken in. */
  answer(organizationId: string, deploymentId: string, now: number) {
    const group = organizationHash(organizationId) + hash(`${organizationId}\0${deploymentId}`, hashLength);
    const before = this.groups.get(group) ?? new Map<string, number>();
    const problems = new Map<string, number>();
    const unremembered = new Set<string>();
    return {
      /** When the problem was first seen, which is now if it is not remembered. */
      see: (key: string): number => {
        const problem = hash(key, hashLength);
        const at = before.get(problem);
        if (at === undefined) unremembered.add(key);
        problems.set(problem, at ?? now);
        return at ?? now;
      },
      /** What else is remembered of this deployment is forgotten. Gives the keys of the problems that were not remembered. */
      end: (): ReadonlySet<string> => {
        this.changed ||= unremembered.size > 0 || problems.size < before.size;
        this.groups.delete(group);
        if (problems.size > 0) this.groups.set(group, problems);
        return unremembered;
      },
    };
  }

  /** Signing out forgets what was read there, wherever it happened: what belongs to none of these organizations is gone at once. */
  keepOrganizations(ids: Iterable<string>): void {
    const gone = namesOfOthers(this.groups.keys(), ids);
    for (const group of gone) this.groups.delete(group);
    this.changed ||= gone.length > 0;
    // If this waited for the next refresh, a reload before it would bring everything back.
    this.flush();
  }

  /** Hands the record to `save` if it changed since the last time. */
  flush(): void {
    if (!this.changed) return;
    this.changed = false;
    this.makeRoom();
    const entries = [...this.groups].flatMap(([group, problems]) =>
      Array.from(problems, ([problem, at]) => [group + problem, at] as const),
    );
    this.options.save(Object.fromEntries(entries));
  }

  private makeRoom(): void {
    const { limit = 20_000 } = this.options;
    let size = 0;
    for (const [group, problems] of [...this.groups].toReversed()) {
      size += problems.size;
      if (size > limit) this.groups.delete(group);
    }
  }
}
