import type { Answer } from '../api/answer.js';
import type { IntegrationInstall } from '../api/install.js';
import { type Disposable, Emitter } from './base/emitter.js';
import { machineTime } from './base/time.js';

/**
 * A pending install that was looked up in this session. It has no token, because a secret never
 * reaches a view.
 */
export interface PendingInstall {
  /** Random, never derived from the token. */
  readonly id: string;
  readonly organizationId: string;
  readonly answer: Answer<IntegrationInstall>;
  /** Epoch ms by this machine's clock; absent if the platform's `expiresAt` is no date. */
  readonly expiresAt?: number;
}

interface Entry {
  /** In lower case. */
  readonly token: string;
  readonly install: PendingInstall;
}

/**
 * The pending installs of this session, whose tokens stay in memory. Commands add and forget
 * installs; the Pending Installs view shows them.
 */
export class Installs implements Disposable {
  private readonly changes = new Emitter<void>();
  readonly onDidChange = this.changes.event;
  /** By the ID of the install. */
  private readonly entries = new Map<string, Entry>();

  /** `now`: returns epoch ms. */
  constructor(private readonly now: () => number) {}

  /**
   * The next to expire first, then those without a date, then those that have expired, the last of
   * them first. Sorted anew each time, because an install expires without an event.
   */
  get installs(): readonly PendingInstall[] {
    const now = this.now();
    const distance = ({ expiresAt = now }: PendingInstall): number => Math.abs(expiresAt - now);
    const all = Array.from(this.entries.values(), ({ install }) => install);
    return all.toSorted((a, b) => rankOf(a, now) - rankOf(b, now) || distance(a) - distance(b));
  }

  get(id: string): PendingInstall | undefined {
    return this.entries.get(id)?.install;
  }

  /** Adds an install, or replaces the answer of one with the same token and organization. */
  add(token: string, organizationId: string, answer: Answer<IntegrationInstall>): PendingInstall {
    const lowerCaseToken = token.toLowerCase();
    const existing = [...this.entries.values()].find(
      (entry) => entry.token === lowerCaseToken && entry.install.organizationId === organizationId,
    );
    const id = existing?.install.id ?? crypto.randomUUID();
    const expiresAt = machineTime(answer.value.expiresAt, answer.clockOffsetMs);
    const install: PendingInstall =
      expiresAt === undefined
        ? { id, organizationId, answer }
        : { id, organizationId, answer, expiresAt };
    this.entries.set(id, { token: lowerCaseToken, install });
    this.changes.fire();
    return install;
  }

  /** Does nothing if there is no install with this ID. */
  forget(id: string): void {
    const wasKnown = this.entries.delete(id);
    if (wasKnown) this.changes.fire();
  }

  forgetOrganization(organizationId: string): void {
    for (const [id, { install }] of this.entries) {
      if (install.organizationId === organizationId) this.forget(id);
    }
  }

  dispose(): void {
    this.changes.dispose();
  }
}

/** Returns the place of an install's group in the order of all. `now`: epoch ms. */
function rankOf({ expiresAt }: PendingInstall, now: number): 0 | 1 | 2 {
  if (expiresAt === undefined) return 1;
  return expiresAt > now ? 0 : 2;
}
