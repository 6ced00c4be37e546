import type { Deployment, ListedDeployment } from './deployment.js';
import { Emitter } from './emitter.js';
import type { Counts, DeploymentStore, NewProblems, OrganizationCause, StoreChange } from './store/deploymentStore.js';

type Organization = Parameters<DeploymentStore['setOrganization']>[0];

/** Empty until an organization is current: all that reads and derives is loaded with the first one. */
export function storeOnDemand(load: () => Promise<DeploymentStore>): DeploymentStore {
  return new OnDemand(load);
}

const nothing: readonly Deployment[] = [];
const noCounts: Counts = { total: 0, withProblems: 0, unknown: 0, notYetRead: 0, stale: 0 };

class OnDemand implements DeploymentStore {
  private readonly changes = new Emitter<StoreChange>();
  private readonly newProblems = new Emitter<NewProblems>();
  readonly onDidChange = this.changes.event;
  readonly onDidFindNewProblems = this.newProblems.event;

  private store: DeploymentStore | undefined;
  private loading: Promise<DeploymentStore> | undefined;
  /** What the store has been told before it was there. */
  private listed: readonly ListedDeployment[] = [];
  private organization: Organization;
  private disposed = false;

  constructor(private readonly load: () => Promise<DeploymentStore>) {}

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

  get progress(): DeploymentStore['progress'] {
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

  refreshAll(...wanted: Parameters<DeploymentStore['refreshAll']>): Promise<void> {
    if (this.store !== undefined) return this.store.refreshAll(...wanted);
    if (this.organization === undefined) return Promise.resolve();
    return this.loaded().then((store) => store.refreshAll(...wanted));
  }

  refresh(...wanted: Parameters<DeploymentStore['refresh']>): Promise<Deployment | undefined> {
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

  private loaded(): Promise<DeploymentStore> {
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
