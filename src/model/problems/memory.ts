import { hash as digest } from 'node:crypto';

/** One record that this workspace remembers: as it was when the window opened, and what replaces it. */
export interface Memory<R> {
  readonly initial: unknown;
  readonly save: (record: R) => void;
}

/** A record under a key of this workspace, never synced. `extension.ts` asks whether there is one to forget. */
export function remembered(
  state: { get(key: string): unknown; update(key: string, value: unknown): PromiseLike<void> },
  key: string,
  what: string,
  log: { warn(line: string): void },
): Memory<object> {
  return {
    /** Others can write to the file that this comes from. */
    initial: state.get(key),
    save: (record) => {
      // If this fails, only the record is lost with the window: nobody needs to be asked about that.
      const kept = Object.keys(record).length > 0 ? record : undefined;
      state.update(key, kept).then(undefined, (error: unknown) => {
        log.warn(`${what} could not be remembered: ${error instanceof Error ? error.message : String(error)}`);
      });
    },
  };
}

/** Keeps ids out of the state file and apart from each other; it protects no secret. */
export function hash(text: string, length: number): string {
  return digest('sha256', text, 'base64url').slice(0, length);
}

const organizationLength = 6;

/** What the names of an organization's entries begin with, so that a sign-out finds them. */
export function organizationHash(organizationId: string): string {
  return hash(organizationId, organizationLength);
}

/** The names that belong to none of these organizations. */
export function namesOfOthers(names: Iterable<string>, organizationIds: Iterable<string>): readonly string[] {
  const kept = new Set(Array.from(organizationIds, organizationHash));
  return [...names].filter((name) => !kept.has(name.slice(0, organizationLength)));
}
