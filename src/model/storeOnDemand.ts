import type { Counts, Deployment, ListedDeployment } from './deployment.js';
import { Emitter } from './emitter.js';
import type { OrganizationCause } from './store/causes.js';
import type { NewProblems, Store, StoreChange } from './store/store.js';

/** A class with private members has no other implementation; these are the others' part of it. */
type PublicStore = Pick<Store, keyof Store>;

type Organization = Parameters<Store['setOrganization']>[0];

/** Empty until an organization is current: all that reads and derives is loaded with the first one. */
export function storeOnDemand(load: () => Promise<Store>): PublicStore {
  return new OnDemand(load);
}

const nothing: readonly Deployment[] = [];
const noCounts: Counts = { total: 0, withProblems: 0, unknown: 0, notYetRead: 0, stale: 0 };

class OnDemand implements PublicStore {
  private readonly changes = new Emitter<StoreChange>();
  private readonly newProblems = new Emitter<NewProblems>();
  readonly onDidChange = this.changes.event;
  readonly onDidFindNewProblems = this.newProblems.event;

  private store: Store | undefined;
  private loading: Promise<Store> | undefined;
  /** What the store has been told before it was there. */
  private listed: readonly ListedDeployment[] = [];
  private organization: Organization;
  private disposed = false;

  constructor(private readonly load: () => Promise<Store>) {}

  get organizationId(): string | undefined {
    return this.store?.organizationId;
  }

  get deployments(): readonly Deployment[] {
    return this.store?.deployments ?? nothing;
  }

  get counts(): Counts {
    return this.store?.counts ?? noCounts;
  }

  get cause(): OrganizationCause | undefined {
    return this.store?.cause;
  }

  get progress(): Store['progress'] {
    return this.store?.progress;
  }

  get(id: string): Deployment | undefined {
    return this.store?.get(id);
  }

  setOrganization(organization: Organization): void {
    this.organization = organization;
    if (this.store !== undefined) this.store.setOrganization(organization);
    else if (organization !== undefined) void this.loaded();
  }

  setListed(listed: readonly ListedDeployment[]): void {
    this.listed = listed;
    this.store?.setListed(listed);
  }

  refreshAll(...wanted: Parameters<Store['refreshAll']>): Promise<void> {
    if (this.store !== undefined) return this.store.refreshAll(...wanted);
    if (this.organization === undefined) return Promise.resolve();
    return this.loaded().then((store) => store.refreshAll(...wanted));
  }

  refresh(...wanted: Parameters<Store['refresh']>): Promise<Deployment | undefined> {
    if (this.store !== undefined) return this.store.refresh(...wanted);
    if (this.organization === undefined) return Promise.resolve(undefined);
    return this.loaded().then((store) => store.refresh(...wanted));
  }

  /** Only who has an organization has something to pause. */
  pause(organizationId: string, until: number): void {
    this.store?.pause(organizationId, until);
  }

  cancelRefresh(): void {
    this.store?.cancelRefresh();
  }

  dispose(): void {
    this.disposed = true;
    this.changes.dispose();
    this.newProblems.dispose();
    this.store?.dispose();
  }

  private loaded(): Promise<Store> {
    this.loading ??= this.load().then((store) => {
      if (this.disposed) {
        store.dispose();
        return store;
      }
      this.store = store;
      store.onDidChange((change) => this.changes.fire(change));
      store.onDidFindNewProblems((found) => this.newProblems.fire(found));
      store.setListed(this.listed);
      store.setOrganization(this.organization);
      return store;
    });
    return this.loading;
  }
}
