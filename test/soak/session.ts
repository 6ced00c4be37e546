// In the extension host: the object graph of the extension, and beside it the running extension itself, both against one service
// that goes wrong in every way it knows.
import { randomUUID } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { inspect } from 'node:util';
import * as vscode from 'vscode';
import { reportWording } from '../../src/commands/deployments/copyReport.js';
import { readInstall } from '../../src/commands/lookUpInstall.js';
import { isStillMeant, revocationTarget, waitingSignal } from '../../src/commands/meant.js';
import { commandIds } from '../../src/host/ids.js';
import { deploymentsReportParts } from '../../src/model/report.js';
import { DeploymentsProvider } from '../../src/views/tree/provider.js';
import { createGraph, type Graph } from '../host/commands/graph.js';
import { below } from '../host/hostile/below.js';
import { heapInUse } from '../host/hostile/heap.js';
import { spawnService } from '../support/service/child.js';
import { ServiceControl } from '../support/service/client.js';
import { healthy, install } from '../support/service/data.js';
import { type Fault, type FaultTarget, faults } from '../support/service/faults.js';
import { hostileAnswers } from '../support/service/hostile.js';
import { type Random, randomFrom } from './random.js';

export interface Outcome {
  readonly figures: readonly string[];
  readonly wrong: readonly string[];
}

const ids = Array.from({ length: 60 }, (_, index) => `dep_${index}`);
const listed = ids.map((id) => ({ id }));
const installTokens = Array.from({ length: 5 }, () => randomUUID());
const quietEvery = 15_000;

export async function soak(minutes: number, seed: number): Promise<Outcome> {
  const rejections: string[] = [];
  const take = (error: unknown): void => void rejections.push(inspect(error));
  // Not in a chain: the extension host's own `on` returns nothing.
  process.on('unhandledRejection', take);
  process.on('uncaughtException', take);
  const world = await World.create(randomFrom(seed));
  const delays = monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
  const end = Date.now() + minutes * 60_000;
  let quietAt = Date.now() + quietEvery;
  while (Date.now() < end) {
    await world.step();
    if (Date.now() > quietAt) {
      await world.calmDown();
      quietAt = Date.now() + quietEvery;
    }
  }
  delays.disable();
  await world.calmDown();
  const outcome = world.outcome();
  await world.dispose();
  process.off('unhandledRejection', take);
  process.off('uncaughtException', take);
  return {
    figures: [
      `time: ${minutes} min, seed ${seed}`,
      ...outcome.figures,
      `event loop held up: 99th percentile ${inMs(delays.percentile(99))}, worst ${inMs(delays.max)}`,
      `unhandled rejections and exceptions: ${rejections.length}`,
    ],
    wrong: [...outcome.wrong, ...rejections],
  };
}

class World {
  private readonly done = new Map<string, number>();
  private readonly heap: number[] = [];
  private readonly calm: string[] = [];
  private readonly failures = new Map<string, number>();
  /** What has begun and not ended, by name. */
  private readonly pending = new Map<symbol, string>();
  private doing = '';
  private requests = 0;
  private organizations = 0;
  private readonly provider: DeploymentsProvider;

  static async create(random: Random): Promise<World> {
    const service = await spawnService();
    const graph = createGraph();
    await graph.services.organizations.ready;
    const configuration = vscode.workspace.getConfiguration('automationPlatform', null);
    await allow(2);
    // The running extension is signed in through the environment; it reads the same list from its own service.
    const own = new ServiceControl(process.env['AUTOMATION_PLATFORM_TEST_SERVICE_CONTROL'] ?? '');
    for (const id of ids) await own.putDeployment(id, healthy());
    await configuration.update('deployments', ids, vscode.ConfigurationTarget.Workspace);
    const world = new World(random, graph, service.control, own, service.baseUrl, () => service.stop());
    await world.restoreService();
    await world.signIn();
    return world;
  }

  private constructor(
    private readonly random: Random,
    private readonly graph: Graph,
    private readonly service: ServiceControl,
    private readonly own: ServiceControl,
    private readonly baseUrl: string,
    private readonly stopService: () => Promise<void>,
  ) {
    const { store, organizations, filter, deploymentList } = graph.services;
    this.provider = new DeploymentsProvider({ store, organizations, filter, deploymentList });
    // As the view does it: what changed is asked for again.
    store.onDidChange(({ deployments }) => this.provider.refresh(deployments));
  }

  /** One random thing, begun; what takes longer goes on beside the next ones. */
  async step(): Promise<void> {
    const name = this.random.pick(Object.keys(this.actions));
    this.doing = name;
    await this.actions[name]?.();
    this.done.set(name, (this.done.get(name) ?? 0) + 1);
    // Nobody does everything at the same instant; the window needs a turn as well.
    await new Promise((resolve) => {
      setTimeout(resolve, this.random.below(60));
    });
  }

  private readonly answers: readonly Fault[] = [
    ...Object.values(hostileAnswers()).flatMap((table) => Object.values(table)),
    faults.hold(),
    faults.latency(300),
  ];

  private readonly actions: Readonly<Record<string, () => Promise<void> | void>> = {
    'fault of one deployment': () => this.fault({ id: this.anyId() }),
    'fault of several deployments': async () => {
      for (let count = this.random.below(20); count > 0; count--) await this.fault({ id: this.anyId() });
    },
    'fault of everything for a while': async () =>
      this.service.fault('all', { ...this.random.pick(this.answers), times: 1 + this.random.below(10) }),
    'fault in the running extension': async () =>
      // No 429: it would pause the one organization that is there, for longer than anybody waits.
      this.own.fault(
        { id: this.anyId() },
        { ...this.random.pick(this.answers.filter(({ status }) => status !== 429)), times: 3 },
      ),
    'faults over': async () => {
      await this.service.clearFaults();
      await this.service.release();
    },
    'connections closed': () => this.service.closeConnections(this.random.pick(['idle', 'all'])),
    'refresh of all': () => this.begin(this.graph.services.store.refreshAll()),
    'refresh of all, again': () => this.begin(this.graph.services.store.refreshAll()),
    'refresh of some': () => {
      const stop = new AbortController();
      const some = ids.filter(() => this.random.below(2) === 0);
      this.begin(this.graph.services.store.refreshAll(some, stop.signal));
      if (this.random.below(2) === 0) stop.abort();
    },
    'refresh of one': () => this.begin(this.graph.services.store.refresh(this.anyId())),
    'refresh of one, given up': () => {
      const stop = new AbortController();
      this.begin(this.graph.services.store.refresh(this.anyId(), stop.signal));
      setTimeout(() => stop.abort(), this.random.below(100));
    },
    cancel: () => this.graph.services.store.cancelRefresh(),
    'look-up': () => this.lookUp(),
    revocation: () => this.revoke(),
    'change of the list': () => {
      const some = listed.filter(() => this.random.below(5) > 0);
      this.graph.services.store.setListed(some);
    },
    'sign-out and sign-in': async () => {
      await this.signOutOfAll();
      await this.signIn();
    },
    'another organization': async () => {
      const { organizations } = this.graph.services;
      if (organizations.list.length < 4) await this.signIn();
      await organizations.use(this.random.pick(organizations.list).id);
    },
    'another token': async () => {
      const { current } = this.graph.services.organizations;
      if (current) await this.signIn(current.name);
    },
    'user session token': async () => {
      const { organizations } = this.graph.services;
      const token = this.random.below(2) === 0 ? undefined : await this.newToken();
      if (organizations.current) await organizations.setSessionToken(organizations.current.id, token);
    },
    'look at everything': () => this.look(),
    'refresh in the running extension': () => this.command(commandIds.refresh),
    'cancel in the running extension': () => this.command(commandIds.cancelRefresh),
    'refresh of one in the running extension': () => this.command(commandIds.refreshDeployment, this.anyId()),
  };

  /** The service is well, and everything is read once more: then nothing may be left of the storm. */
  async calmDown(): Promise<void> {
    const { store, organizations } = this.graph.services;
    this.requests += (await this.service.requests()).length;
    for (const service of [this.service, this.own]) {
      await service.clearFaults();
      await service.release();
      await service.clearRequests();
    }
    await this.restoreService();
    // A pause belongs to its organization, and may last ten minutes: a new one has none.
    await this.signOutOfAll();
    await this.signIn();
    store.setListed(listed);
    // However busy the machine is: that it is slow is not what is wrong.
    await allow(60);
    await store.refreshAll();
    await this.waitForAll();
    await allow(2);
    const bad = listed.flatMap(({ id }) => {
      const one = store.get(id);
      if (!one) return [`${id} is lost`];
      if (one.activity !== 'idle') return [`${id} is still ${one.activity}`];
      return one.failure || one.state !== 'satisfied' ? [`${id} is ${one.state}: ${JSON.stringify(one.failure)}`] : [];
    });
    if (store.progress) bad.push(`the refresh still runs: ${JSON.stringify(store.progress)}`);
    if (store.cause) bad.push(`the first row still says ${JSON.stringify(store.cause)}`);
    if (store.deployments.length !== listed.length) bad.push(`${store.deployments.length} of ${listed.length} rows`);
    if (this.pending.size > 0) bad.push(`never ended: ${[...this.pending.values()].join(', ')}`);
    if (organizations.current === undefined) bad.push('no organization');
    this.calm.push(...bad.map((text) => `calm ${this.heap.length + 1}: ${text}`));
    this.graph.lines.length = 0;
    this.graph.texts.length = 0;
    this.look();
    this.heap.push(await heapInUse());
  }

  outcome(): Outcome {
    const wrong = [...this.calm];
    // The first ones still load and compile.
    const settled = this.heap.slice(Math.min(2, Math.floor(this.heap.length / 3)));
    const part = Math.max(1, Math.floor(settled.length / 3));
    const early = median(settled.slice(0, part));
    const late = median(settled.slice(-part));
    if (late > early * 1.1) wrong.push(`the heap grew from ${inMb(early)} to ${inMb(late)}`);
    const sockets = process.getActiveResourcesInfo().filter((name) => /TCPSocket|TLS/.test(name)).length;
    const total = [...this.done.values()].reduce((sum, count) => sum + count, 0);
    return {
      wrong,
      figures: [
        `things done: ${total} (${counts(this.done)})`,
        `requests answered by the service: ${this.requests}; organizations signed in to: ${this.organizations}`,
        `failures seen in rows: ${counts(this.failures)}`,
        `calm moments in which everything had to be well: ${this.heap.length}, not so: ${this.calm.length}`,
        `heap after collection: ${inMb(early)} early, ${inMb(late)} late (${this.heap.map(inMb).join(', ')})`,
        `unfinished at the end: ${this.pending.size}; open sockets of the host, the editor's included: ${sockets}`,
      ],
    };
  }

  async dispose(): Promise<void> {
    this.provider.dispose();
    await this.graph.dispose();
    await this.stopService();
  }

  private anyId(): string {
    return this.random.pick(ids);
  }

  private async fault(target: FaultTarget): Promise<void> {
    await this.service.fault(target, this.random.pick(this.answers));
  }

  private async restoreService(): Promise<void> {
    for (const id of ids) await this.service.putDeployment(id, healthy());
    for (const token of installTokens) await this.service.putInstall(token, install());
    await this.service.putData({ lookUpAccepts: 'either' });
  }

  private async newToken(): Promise<string> {
    const token = `token-${randomUUID()}`;
    await this.service.putToken(token, { kind: 'both' });
    return token;
  }

  private async signIn(name = `Organization ${++this.organizations}`): Promise<void> {
    const token = await this.newToken();
    await this.graph.services.organizations.signIn({ name, baseUrl: this.baseUrl, token });
  }

  private async signOutOfAll(): Promise<void> {
    const { organizations } = this.graph.services;
    for (const { id } of organizations.list) await organizations.signOut(id);
  }

  /** Goes on beside the next things. A rejection would be nobody's, and is counted as such. */
  private begin(work: Promise<unknown>): void {
    const key = Symbol();
    this.pending.set(key, this.doing);
    void work.finally(() => this.pending.delete(key));
  }

  /** With a well service all that waits ends by itself; half a minute is far more than any time-out. */
  private async waitForAll(): Promise<void> {
    for (let waited = 0; this.pending.size > 0 && waited < 30_000; waited += 50) {
      await new Promise((resolve) => {
        setTimeout(resolve, 50);
      });
    }
  }

  private lookUp(): void {
    const { services } = this.graph;
    const { current } = services.organizations;
    if (!current) return;
    const cancelling = new vscode.CancellationTokenSource();
    const looking = readInstall(services, current, this.random.pick(installTokens), cancelling.token);
    // A sentence for people is how a look-up fails.
    this.begin(looking.catch(() => undefined).finally(() => cancelling.dispose()));
    if (this.random.below(3) === 0) cancelling.cancel();
  }

  private revoke(): void {
    const { organizations, client } = this.graph.services;
    const meant = organizations.current && revocationTarget(organizations, organizations.current);
    if (!meant) return;
    // As the command does it: what waits for a pause ends with the sign-in that it waits for.
    const cancelling = new vscode.CancellationTokenSource();
    const isMeant = () => isStillMeant(meant, organizations);
    const waiting = waitingSignal(cancelling.token, organizations.onDidChange, isMeant);
    const call = { signal: waiting.signal, urgent: true, onPhase: waiting.onPhase };
    const revoking = client.deleteApiKey(meant.target, `key_${this.random.below(1000)}`, call);
    this.begin(
      revoking.finally(() => {
        waiting.dispose();
        cancelling.dispose();
      }),
    );
  }

  private look(): void {
    for (const element of below(this.provider)) {
      this.provider.resolveTreeItem(this.provider.getTreeItem(element), element);
    }
    const { deployments } = this.graph.services.store;
    [...deploymentsReportParts(deployments, reportWording())].join('');
    for (const { failure } of deployments) {
      if (failure) this.failures.set(failure.failure.kind, (this.failures.get(failure.failure.kind) ?? 0) + 1);
    }
  }

  private command(id: string, ...given: readonly string[]): void {
    this.begin(Promise.resolve(vscode.commands.executeCommand(id, ...given)));
  }
}

async function allow(seconds: number): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('automationPlatform', null);
  await configuration.update('requestTimeout', seconds, vscode.ConfigurationTarget.Global);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

function inMs(nanoseconds: number): string {
  return `${(nanoseconds / 1e6).toFixed(0)} ms`;
}

function inMb(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** The most frequent first. */
function counts(map: ReadonlyMap<string, number>): string {
  return [...map]
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
