import type { Answer } from '../api/answer.js';
import type { IntegrationInstall } from '../api/integrationInstall.js';
import type { Disposable, Event } from './emitter.js';

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
export type LookedUpInstall = Omit<PendingInstall, 'id'>;

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
