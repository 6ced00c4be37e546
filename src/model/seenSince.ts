/** What a workspace remembers: a hash of organization, deployment and problem, and when it was first seen (epoch ms). */
export type SeenRecord = Readonly<Record<string, number>>;

export interface SeenSinceOptions {
  readonly initial: SeenRecord;
  /** Given the whole record whenever it changed, once per finished refresh. */
  readonly save: (record: SeenRecord) => void;
  /** Most problems remembered at a time. */
  readonly limit?: number;
}

export interface SeenSince {
  /** When the problem was first seen; `known`: it was remembered before this call. A new one is remembered at `now`. */
  see(organizationId: string, deploymentId: string, key: string, now: number): { at: number; known: boolean };
  /** A good answer has these problems and no other: the rest of this deployment's is forgotten. */
  keepOnly(organizationId: string, deploymentId: string, keys: readonly string[]): void;
  /** Signing out forgets what was read there. */
  forgetOrganization(organizationId: string): void;
  /** Hands the record to `save` if it changed since the last time. */
  flush(): void;
}

export function createSeenSince(options: SeenSinceOptions): SeenSince {
  void options;
  throw new Error('not written yet');
}
