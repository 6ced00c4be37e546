// In the extension host: the object graph of the product, made once more with a keyring, views, a clock and a focus of its own, and
// beside it the running extension itself, each against a service that goes wrong in every way it knows.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { deploymentsReportParts } from '../../src/commands/deployments/report.js';
import { readInstall } from '../../src/commands/lookUpInstall.js';
import { revocationTarget } from '../../src/commands/meant.js';
import { RevokeApiKey } from '../../src/commands/revokeApiKey.js';
import { commandIds } from '../../src/host/ids.js';
import { createGraph, type Graph } from '../host/commands/graph.js';
import { randomFrom } from '../support/random.js';
import { type ServiceControl, serviceControl } from '../support/service/control.js';
import { healthy, install } from '../support/service/data.js';
import { type FaultTarget, faults } from '../support/service/faults.js';
import { hostileAnswers } from '../support/service/hostile.js';
import type { Job } from './index.mjs';
import { ShownRows } from './shownRows.js';
import { heapInUse, JumpingClock, quietWindow, WindowWithFocus } from './surroundings.js';

const ids = Array.from({ length: 60 }, (_, index) => `dep_${index}`);
const installTokens = Array.from({ length: 5 }, () => randomUUID());
/** Bytes from one calm moment to the next. The editor's own heap sways by more, so the ends of a session are compared. */
const mostGrowth = 200_000;
const minute = 60_000;
/** Ms. A request that was on its way when its token was signed out may arrive so much later. */
const onTheWay = 1500;

const answers = [
  ...Object.values(hostileAnswers()).flatMap((table) => Object.values(table)),
  faults.hold(),
  faults.latency(300),
];
/** A 429 would pause the one organization of the running extension, for longer than anybody waits. */
const answersWithoutPause = answers.filter(({ status }) => status !== 429);

export class World {
  private readonly random: () => number;
  private readonly clock = new JumpingClock();
  private readonly window = new WindowWithFocus();
  private readonly quiet = quietWindow(() => this.happens(3));
  private readonly graph: Graph = createGraph({}, { clock: this.clock, window: this.window });
  private readonly rows = new ShownRows(this.graph.app.deploymentRows);
  private readonly revocation = new RevokeApiKey(this.graph.services);
  private readonly service: ServiceControl;
  private readonly serviceOfExtension: ServiceControl;
  private readonly done = new Map<string, number>();
  private readonly failures = new Map<string, number>();
  private readonly heap: number[] = [];
  private readonly wrong: string[] = [];
  /** What has begun and not ended, by name. */
  private readonly pending = new Map<symbol, string>();
  private doing = '';
  private requests = 0;
  private organizations = 0;
  /** What the acts have made of the list. */
  private readonly expected = new Set(ids);
  /** The tokens of each sign-in, and when the others were signed out or replaced. */
  private readonly tokens = new Map<string, string>();
  private readonly signedOut = new Map<string, number>();

  static async create(job: Job): Promise<World> {
    const world = new World(job);
    await world.graph.services.organizations.ready;
    await allow(2);
    await set('refreshInterval', 1);
    // The running extension is signed in through the environment; it reads the same list from its own service.
    for (const id of ids) await world.serviceOfExtension.putDeployment(id, healthy());
    await world.restoreService();
    await world.restoreList();
    await world.signIn();
    return world;
  }

  private constructor(private readonly job: Job) {
    this.random = randomFrom(job.seed);
    this.service = serviceControl(job.control);
    this.serviceOfExtension = serviceControl(job.controlOfExtension);
  }

  /** One random thing, begun; what takes longer goes on beside the next ones. */
  async step(): Promise<void> {
    const [name, act] = this.pick(Object.entries(this.actions));
    this.doing = name;
    await act();
    count(this.done, name);
    // Nobody does everything at the same instant; the window needs a turn as well.
    await sleep(this.below(60));
  }

  private readonly actions: Readonly<Record<string, () => Promise<void> | void>> = {
    'fault of several deployments': async () => {
      for (let left = this.below(20); left > 0; left--) await this.fault({ id: this.pick(ids) });
    },
    'fault of everything for a while': () => this.fault('all', 1 + this.below(10)),
    'fault in the running extension': () =>
      this.serviceOfExtension.fault({ id: this.pick(ids) }, { ...this.pick(answersWithoutPause), times: 3 }),
    'faults over': async () => {
      await this.service.clearFaults();
      await this.service.release();
    },
    'connections closed': () => this.service.closeConnections(this.pick(['idle', 'all'])),
    'refresh of all': () => this.refreshAll(),
    'refresh of some': () => {
      const stop = new AbortController();
      const some = ids.filter(() => this.happens(2));
      this.begin(this.graph.services.store.refreshAll(some, stop.signal));
      if (this.happens(2)) stop.abort();
    },
    'refresh of one': () => this.begin(this.graph.services.store.refresh(this.pick(ids))),
    'refresh of one, given up': () => {
      this.begin(this.graph.services.store.refresh(this.pick(ids), AbortSignal.timeout(this.below(100))));
    },
    cancel: () => this.graph.services.store.cancelRefresh(),
    'look-up': () => this.lookUp(),
    revocation: () => this.revoke(),
    'deployments removed from the list': () => this.begin(this.remove()),
    'deployments added to the list': () => {
      for (const id of ids.filter((one) => !this.expected.has(one) && this.happens(2))) {
        this.expected.add(id);
        this.begin(this.graph.services.deploymentList.add([{ id }]));
      }
    },
    'sign-out and sign-in': async () => {
      await this.signOutOfAll();
      await this.signIn();
    },
    'sign-out': async () => {
      const { list } = this.graph.services.organizations;
      if (list.length > 0) await this.signOut(this.pick(list).id);
    },
    'another organization': () => this.switch(),
    'another token': async () => {
      const { current } = this.graph.services.organizations;
      if (current) await this.signIn(current.name);
    },
    'user session token': async () => {
      const { current } = this.graph.services.organizations;
      if (current) await this.setSessionToken(current.id, this.happens(2) ? undefined : await this.newToken());
    },
    'clock goes on at once': () => this.clock.jump(this.below(2 * 60) * minute),
    'clock is set back': () => this.clock.jump(-this.below(60) * minute),
    'window loses the focus': () => this.window.focus(false),
    'window gets the focus': () => this.window.focus(true),
    'look at everything': () => this.look(),
    'refresh in the running extension': () => this.command(commandIds.refresh),
    'cancel in the running extension': () => this.command(commandIds.cancelRefresh),
    'refresh of one in the running extension': () => this.command(commandIds.refreshDeployment, this.pick(ids)),
  };

  /** The service is well, and everything is read once more: then nothing may be left of the storm. */
  async calmDown(): Promise<void> {
    const { organizations, deploymentList } = this.graph.services;
    const bad: string[] = [];
    for (const service of [this.service, this.serviceOfExtension]) {
      await service.clearFaults();
      await service.release();
    }
    await this.restoreService();
    // A command about a deployment that has left the list asks for another one.
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    // However busy the machine is: that it is slow is not what is wrong.
    await allow(60);

    // What is stuck is seen before anybody signs in anew. No pause is longer than ten minutes.
    this.clock.jump(11 * minute);
    await this.readAll();
    bad.push(...(await this.whatIsStuck()));
    await this.readAll();
    bad.push(...(await this.whatIsWrong()));
    const listed = new Set(deploymentList.listed.map(({ id }) => id));
    bad.push(...[...this.expected].filter((id) => !listed.has(id)).map((id) => `${id} is lost from the list`));
    bad.push(...[...listed].filter((id) => !this.expected.has(id)).map((id) => `${id} is back in the list`));
    bad.push(...(await this.requestsAfterSignOut()));

    await this.restoreList();
    await this.signOutOfAll();
    await this.signIn();
    await this.readAll();
    await allow(2);
    if (organizations.current === undefined) bad.push('no organization');
    bad.push(...(await this.whatIsWrong()).map((text) => `signed in anew: ${text}`));

    this.wrong.push(...bad.map((text) => `calm ${this.heap.length + 1}: ${text}`));
    this.graph.lines.length = 0;
    this.graph.texts.length = 0;
    await this.look();
    this.heap.push(await heapInUse());
  }

  /** What has not come to rest. */
  private async whatIsStuck(): Promise<readonly string[]> {
    const { store } = this.graph.services;
    const busy = store.deployments.filter(({ activity }) => activity !== 'idle');
    const bad = busy.map(({ id, activity }) => `${id} is still ${activity}`);
    if (this.pending.size > 0) bad.push(`never ended: ${[...this.pending.values()].join(', ')}`);
    if (store.progress) bad.push(`the refresh still runs: ${JSON.stringify(store.progress)}`);
    return [...bad, ...(await this.rows.stuck())];
  }

  /** Of a service that is well, everything that is listed is there and at rest. */
  private async whatIsWrong(): Promise<readonly string[]> {
    const { store, organizations } = this.graph.services;
    const bad: string[] = [];
    if (store.cause) bad.push(`the first row still says ${JSON.stringify(store.cause)}`);
    const wanted = organizations.current ? [...this.expected] : [];
    if (store.deployments.length !== wanted.length) bad.push(`${store.deployments.length} of ${wanted.length} rows`);
    for (const id of wanted) {
      const { state = 'lost', failure } = store.get(id) ?? {};
      if (failure || state !== 'satisfied') bad.push(`${id} is ${state}: ${JSON.stringify(failure)}`);
    }
    return [...bad, ...(await this.whatIsStuck())];
  }

  /** Requests with a token that was signed out, or replaced, before they began. */
  private async requestsAfterSignOut(): Promise<readonly string[]> {
    const requests = await this.service.requests();
    this.requests += requests.length;
    await this.service.clearRequests();
    await this.serviceOfExtension.clearRequests();
    return requests.flatMap(({ method, path, headers, receivedAt }) => {
      const end = this.signedOut.get(headers.authorization?.replace('Bearer ', '') ?? '') ?? receivedAt;
      const late = receivedAt - end;
      return late > onTheWay ? [`${method} ${path} came ${late} ms after its token was signed out`] : [];
    });
  }

  outcome(): { readonly figures: readonly string[]; readonly wrong: readonly string[] } {
    // The first ones still load and compile.
    const settled = this.heap.slice(Math.min(2, Math.floor(this.heap.length / 3)));
    const part = Math.max(1, Math.floor(settled.length / 3));
    const early = median(settled.slice(0, part));
    const late = median(settled.slice(-part));
    const growth = (late - early) / Math.max(1, settled.length - part);
    // A session of a minute says nothing: the heap sways by half a megabyte from one calm moment to the next.
    const grew = settled.length >= 6 && growth > mostGrowth;
    const total = [...this.done.values()].reduce((sum, times) => sum + times, 0);
    return {
      wrong: grew ? [...this.wrong, `the heap grew from ${inMb(early)} to ${inMb(late)}`] : this.wrong,
      figures: [
        `things done: ${total} (${counts(this.done)})`,
        `requests answered by the service: ${this.requests}; organizations signed in to: ${this.organizations}`,
        `failures seen in rows: ${counts(this.failures)}`,
        `calm moments in which everything had to be well: ${this.heap.length}, wrong in them: ${this.wrong.length}`,
        `heap after collection: ${inMb(growth)} more each calm moment (${this.heap.map(inMb).join(', ')})`,
      ],
    };
  }

  async dispose(): Promise<void> {
    this.rows.dispose();
    await this.graph.dispose();
    this.quiet.dispose();
    await set('refreshInterval', undefined);
  }

  /** A whole number from 0, less than the limit. */
  private below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  private pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  /** Once in so many times. */
  private happens(times: number): boolean {
    return this.below(times) === 0;
  }

  private fault(target: FaultTarget | 'all', times?: number): Promise<void> {
    return this.service.fault(target, { ...this.pick(answers), times });
  }

  private async restoreService(): Promise<void> {
    for (const id of ids) await this.service.putDeployment(id, healthy());
    for (const token of installTokens) await this.service.putInstall(token, install());
  }

  /** The whole list, once the product knows of it. */
  private async restoreList(): Promise<void> {
    for (const id of ids) this.expected.add(id);
    await set('deployments', ids, vscode.ConfigurationTarget.Workspace);
    await waitWhile(() => this.graph.services.deploymentList.listed.length !== ids.length);
  }

  private async remove(): Promise<void> {
    const some = [...this.expected].filter(() => this.happens(10));
    for (const id of some) this.expected.delete(id);
    const removed = await this.graph.services.deploymentList.remove(some);
    if (this.happens(2)) return;
    for (const id of some) this.expected.add(id);
    await removed.undo();
  }

  private async newToken(): Promise<string> {
    const token = `token-${randomUUID()}`;
    await this.service.putToken(token, { kind: 'both' });
    return token;
  }

  private async signIn(name = `Organization ${++this.organizations}`): Promise<void> {
    const token = await this.newToken();
    const { id } = await this.graph.services.organizations.signIn({ name, baseUrl: this.job.baseUrl, token });
    this.replaceToken(`access ${id}`, token);
  }

  private async setSessionToken(id: string, token: string | undefined): Promise<void> {
    await this.graph.services.organizations.setSessionToken(id, token);
    this.replaceToken(`session ${id}`, token);
  }

  private async switch(): Promise<void> {
    const { organizations } = this.graph.services;
    if (organizations.list.length < 4) await this.signIn();
    await organizations.use(this.pick(organizations.list).id);
  }

  private async signOut(id: string): Promise<void> {
    await this.graph.services.organizations.signOut(id);
    this.replaceToken(`access ${id}`, undefined);
    this.replaceToken(`session ${id}`, undefined);
  }

  private async signOutOfAll(): Promise<void> {
    for (const { id } of this.graph.services.organizations.list) await this.signOut(id);
  }

  /** By the machine's clock, as the service has it. */
  private replaceToken(name: string, token: string | undefined): void {
    const before = this.tokens.get(name);
    if (before !== undefined) this.signedOut.set(before, Date.now());
    this.tokens.delete(name);
    if (token !== undefined) this.tokens.set(name, token);
  }

  /** Goes on beside the next things. A rejection would be nobody's, and is counted as such. */
  private begin(work: Thenable<unknown>): void {
    const key = Symbol();
    this.pending.set(key, this.doing);
    void Promise.resolve(work).finally(() => this.pending.delete(key));
  }

  private refreshAll(): void {
    this.begin(this.graph.services.store.refreshAll());
  }

  /** With a well service all that waits ends by itself; half a minute is far more than any time-out. */
  private async readAll(): Promise<void> {
    const { store } = this.graph.services;
    await store.refreshAll();
    await waitWhile(() => this.pending.size > 0 || store.progress !== undefined);
  }

  private lookUp(): void {
    const { services } = this.graph;
    const { current } = services.organizations;
    if (!current) return;
    const cancelling = new vscode.CancellationTokenSource();
    const looking = readInstall(services, current, this.pick(installTokens), cancelling.token);
    // A sentence for people is how a look-up fails.
    this.begin(looking.catch(() => undefined).finally(() => cancelling.dispose()));
    if (this.happens(3)) cancelling.cancel();
  }

  /** As the command does it, after its questions. How it fails is a sentence for people. */
  private revoke(): void {
    const { organizations } = this.graph.services;
    const meant = organizations.current && revocationTarget(organizations, organizations.current);
    if (meant) this.begin(this.revocation.send(meant, `key_${this.below(1000)}`).catch(() => undefined));
  }

  private async look(): Promise<void> {
    await this.rows.readBelow();
    const { deployments } = this.graph.services.store;
    [...deploymentsReportParts(deployments)].join('');
    for (const { failure } of deployments) {
      if (failure) count(this.failures, failure.failure.kind);
    }
  }

  private command(id: string, ...given: readonly string[]): void {
    this.begin(vscode.commands.executeCommand(id, ...given));
  }
}

function allow(seconds: number): Promise<void> {
  return set('requestTimeout', seconds);
}

async function set(key: string, value: unknown, target = vscode.ConfigurationTarget.Global): Promise<void> {
  await vscode.workspace.getConfiguration('automationPlatform', null).update(key, value, target);
}

async function waitWhile(busy: () => boolean): Promise<void> {
  for (let waited = 0; busy() && waited < 30_000; waited += 50) await sleep(50);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

function inMb(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function count(map: Map<string, number>, name: string): void {
  map.set(name, (map.get(name) ?? 0) + 1);
}

/** The most frequent first. */
function counts(map: ReadonlyMap<string, number>): string {
  const sorted = [...map].toSorted(([, a], [, b]) => b - a);
  return sorted.map(([name, times]) => `${name} ${times}`).join(', ');
}
