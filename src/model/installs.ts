import type { Answer } from '../api/answer.js';
import type { IntegrationInstall } from '../api/install.js';
import type { KnownSecrets } from '../api/secrets.js';
import { type Disposable, Emitter, type Event } from './emitter.js';
import { parseDateTime } from './time.js';

/** Apart from the store, which every window has: dates are read when something has been looked up. */
export function lookedUpInstall(organizationId: string, answer: Answer<IntegrationInstall>): LookedUpInstall {
  const expiresAt = parseDateTime(answer.value.expiresAt);
  return { organizationId, answer, ...(expiresAt !== undefined && { expiresAt }) };
}

/** One looked-up pending install of this session. The token is not in here: a secret never reaches a view. */
export interface PendingInstall {
  /** Random, made here; never derived from the token. */
  readonly id: string;
  readonly organizationId: string;
  readonly answer: Answer<IntegrationInstall>;
  /** Epoch ms; absent if `expiresAt` is no date. */
  readonly expiresAt?: number;
}

/** What was looked up, before it is kept. */
type LookedUpInstall = Omit<PendingInstall, 'id'>;

export interface InstallStore extends Disposable {
  readonly onDidChange: Event<void>;
  /** Soonest to lapse first, lapsed ones last. */
  readonly installs: readonly PendingInstall[];
  get(id: string): PendingInstall | undefined;
  /** Looking up the same token again replaces its entry. */
  add(token: string, found: LookedUpInstall): PendingInstall;
  forget(id: string): void;
  /** Signing out forgets all that was read with those tokens. */
  forgetOrganization(organizationId: string): void;
  /** The token of an entry, for looking it up again; stays in memory. */
  tokenOf(id: string): string | undefined;
}

interface InstallStoreOptions {
  readonly now: () => number;
  /** Knows the tokens of the entries, so that no later answer shows one. */
  readonly secrets: Pick<KnownSecrets, 'add' | 'remove'>;
  /** Random, never derived from a token. */
  readonly newId?: () => string;
}

export function createInstallStore(options: InstallStoreOptions): InstallStore {
  return new Store(options);
}

interface Entry {
  readonly token: string;
  readonly install: PendingInstall;
}

class Store implements InstallStore {
  private readonly changes = new Emitter<void>();
  readonly onDidChange = this.changes.event;
  private readonly entries = new Map<string, Entry>();

  constructor(private readonly options: InstallStoreOptions) {}

  /** Sorted when asked: an install lapses without anything being told. */
  get installs(): readonly PendingInstall[] {
    const now = this.options.now();
    return Array.from(this.entries.values(), (entry) => entry.install).toSorted(
      (a, b) => group(a, now) - group(b, now) || sooner(a, b, now),
    );
  }

  get(id: string): PendingInstall | undefined {
    return this.entries.get(id)?.install;
  }

  add(token: string, found: LookedUpInstall): PendingInstall {
    const normal = token.toLowerCase();
    const before = [...this.entries.values()].find(
      (entry) => entry.token === normal && entry.install.organizationId === found.organizationId,
    );
    const id = before?.install.id ?? (this.options.newId ?? newId)();
    const install = { id, ...found };
    if (!before) this.options.secrets.add(normal);
    this.entries.set(id, { token: normal, install });
    this.changes.fire();
    return install;
  }

  forget(id: string): void {
    if (this.remove(id)) this.changes.fire();
  }

  forgetOrganization(organizationId: string): void {
    let changed = false;
    for (const [id, entry] of this.entries) {
      if (entry.install.organizationId === organizationId) changed = this.remove(id) || changed;
    }
    if (changed) this.changes.fire();
  }

  tokenOf(id: string): string | undefined {
    return this.entries.get(id)?.token;
  }

  dispose(): void {
    for (const id of this.entries.keys()) this.remove(id);
    this.changes.dispose();
  }

  private remove(id: string): boolean {
    const entry = this.entries.get(id);
    if (entry) this.options.secrets.remove(entry.token);
    return this.entries.delete(id);
  }
}

/** The global one: `node:crypto` would be one more module to load at activation. */
const newId = (): string => crypto.randomUUID();

/** Still to lapse, then those without a date, then the lapsed. */
function group({ expiresAt }: PendingInstall, now: number): number {
  if (expiresAt === undefined) return 1;
  return expiresAt > now ? 0 : 2;
}

/** Soonest to lapse first; of the lapsed the latest first. */
function sooner(a: PendingInstall, b: PendingInstall, now: number): number {
  const difference = (a.expiresAt ?? 0) - (b.expiresAt ?? 0);
  return group(a, now) === 2 ? -difference : difference;
}
