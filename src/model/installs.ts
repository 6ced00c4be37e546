import type { Answer } from '../api/answer.js';
import type { IntegrationInstall } from '../api/install.js';
import { type Disposable, Emitter } from './base/emitter.js';
import { machineTime } from './base/time.js';

/** One looked-up pending install of this session. It has no token, because a secret never reaches a view. */
export interface PendingInstall {
  /** Random, never derived from the token. */
  readonly id: string;
  readonly organizationId: string;
  readonly answer: Answer<IntegrationInstall>;
  /** Epoch ms by this machine's clock; absent if the platform's `expiresAt` is no date. */
  readonly expiresAt?: number;
}

/** The pending installs of this session. Their tokens stay in memory. */
export class Installs implements Disposable {
  private readonly changes = new Emitter<void>();
  readonly onDidChange = this.changes.event;
  private readonly entries = new Map<
    string,
    { readonly token: string; readonly install: PendingInstall }
  >();

  constructor(private readonly now: () => number) {}

  /** Soonest to expire first, expired ones last. Sorted when asked, because an install expires without an event. */
  get installs(): readonly PendingInstall[] {
    const now = this.now();
    const group = ({ expiresAt }: PendingInstall) =>
      expiresAt === undefined ? 1 : expiresAt > now ? 0 : 2;
    const distance = ({ expiresAt = now }: PendingInstall) => Math.abs(expiresAt - now);
    const all = Array.from(this.entries.values(), ({ install }) => install);
    return all.toSorted((a, b) => group(a) - group(b) || distance(a) - distance(b));
  }

  get(id: string): PendingInstall | undefined {
    return this.entries.get(id)?.install;
  }

  add(token: string, organizationId: string, answer: Answer<IntegrationInstall>): PendingInstall {
    const normal = token.toLowerCase();
    const before = [...this.entries.values()].find(
      (entry) => entry.token === normal && entry.install.organizationId === organizationId,
    );
    const id = before?.install.id ?? crypto.randomUUID();
    const expiresAt = machineTime(answer.value.expiresAt, answer.clockOffsetMs);
    const install = { id, organizationId, answer, ...(expiresAt !== undefined && { expiresAt }) };
    this.entries.set(id, { token: normal, install });
    this.changes.fire();
    return install;
  }

  forget(id: string): void {
    if (this.entries.delete(id)) this.changes.fire();
  }

  forgetOrganization(organizationId: string): void {
    for (const [id, { install }] of this.entries)
      if (install.organizationId === organizationId) this.forget(id);
  }

  dispose(): void {
    this.changes.dispose();
  }
}
