// In the extension host: the object graph of the product, made once more with a keyring, views, a clock and a focus of its own, and
// beside it the running extension itself, each against a service that goes wrong in every way it knows.
import { randomUUID } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { inspect } from 'node:util';
import * as vscode from 'vscode';
import { reportWording } from '../../src/commands/deployments/copy.js';
import { readInstall } from '../../src/commands/lookUpInstall.js';
import { revocationTarget } from '../../src/commands/meant.js';
import { RevokeApiKey } from '../../src/commands/revokeApiKey.js';
import { commandIds } from '../../src/host/ids.js';
import { deploymentsReportParts } from '../../src/model/report.js';
import { createGraph, type Graph } from '../host/commands/graph.js';
import { spawnService } from '../support/service/child.js';
import { type ServiceControl, serviceControl } from '../support/service/client.js';
import { healthy, install } from '../support/service/data.js';
import { type Fault, type FaultTarget, faults } from '../support/service/faults.js';
import { hostileAnswers } from '../support/service/hostile.js';
import { heapInUse } from './heap.js';
import { type Random, randomFrom } from './random.js';
import { ShownRows } from './shownRows.js';
import { JumpingClock, quietWindow, WindowWithFocus } from './surroundings.js';

export interface Outcome {
  readonly figures: readonly string[];
  readonly wrong: readonly string[];
}

const ids = Array.from({ length: 60 }, (_, index) => `dep_${index}`);
const installTokens = Array.from({ length: 5 }, () => randomUUID());
const quietEvery = 15_000;
/** Bytes from one calm moment to the next. The editor's own heap sways by more, so the ends of a session are compared. */
const mostGrowth = 200_000;
const minute = 60_000;
/** Ms. A request that was on its way when its token was signed out may arrive so much later. */
const onTheWay = 1500;

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
  /** What the acts have made of the list. */
  private readonly expected = new Set(ids);
  /** The tokens of each sign-in, and when the others were signed out or replaced. */
  private readonly tokens = new Map<string, { access?: string; session?: string }>();
  private readonly signedOut = new Map<string, number>();
  private readonly rows: ShownRows;
  private readonly revocation: RevokeApiKey;

  static async create(random: Random): Promise<World> {
    const service = await spawnService();
    const clock = new JumpingClock();
    const window = new WindowWithFocus();
    const quiet = quietWindow(() => random.below(3) === 0);
    const graph = createGraph({}, { clock, window });
    await graph.services.organizations.ready;
    await allow(2);
    await set('refreshInterval', 1);
    // The running extension is signed in through the environment; it reads the same list from its own service.
    const own = serviceControl(process.env['AUTOMATION_PLATFORM_TEST_SERVICE_CONTROL'] ?? '');
    for (const id of ids) await own.putDeployment(id, healthy());
    const world = new World(random, graph, clock, window, service.control, own, service.baseUrl, async () => {
      quiet.dispose();
      await set('refreshInterval', undefined);
      await service.stop();
    });
    await world.restoreService();
    await world.restoreList();
    await world.signIn();
    return world;
  }

  private constructor(
    private readonly random: Random,
    private readonly graph: Graph,
    private readonly clock: JumpingClock,
    private readonly window: WindowWithFocus,
    private readonly service: ServiceControl,
    private readonly own: ServiceControl,
    private readonly baseUrl: string,
    private readonly end: () => Promise<void>,
  ) {
    this.rows = new ShownRows(graph.app.deploymentRows);
    this.revocation = new RevokeApiKey(graph.services);
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
    'deployments removed from the list': () => this.begin(this.remove()),
    'deployments added to the list': () => {
      for (const id of ids.filter((one) => !this.expected.has(one) && this.random.below(2) === 0)) {
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
      if (list.length > 0) await this.signOut(this.random.pick(list).id);
    },
    'another organization': () => this.switch(),
    'another organization, in the middle of a refresh': async () => {
      this.begin(this.graph.services.store.refreshAll());
      await this.switch();
    },
    'another token': async () => {
      const { current } = this.graph.services.organizations;
      if (current) await this.signIn(current.name);
    },
    'user session token': async () => {
      const { current } = this.graph.services.organizations;
      if (current)
        await this.setSessionToken(current.id, this.random.below(2) === 0 ? undefined : await this.newToken());
    },
    'clock goes on at once': () => this.clock.jump(this.random.below(2 * 60) * minute),
    'clock is set back': () => this.clock.jump(-this.random.below(60) * minute),
    'window loses the focus': () => this.window.focus(false),
    'window gets the focus': () => this.window.focus(true),
    'look at everything': () => this.look(),
    'refresh in the running extension': () => this.command(commandIds.refresh),
    'cancel in the running extension': () => this.command(commandIds.cancelRefresh),
    'refresh of one in the running extension': () => this.command(commandIds.refreshDeployment, this.anyId()),
  };

  /** The service is well, and everything is read once more: then nothing may be left of the storm. */
  async calmDown(): Promise<void> {
    const { store, organizations, deploymentList } = this.graph.services;
    const bad: string[] = [];
    for (const service of [this.service, this.own]) {
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
    await store.refreshAll();
    await this.waitForAll();
    bad.push(...(await this.whatIsStuck()));
    await store.refreshAll();
    await this.waitForAll();
    bad.push(...(await this.whatIsWrong(this.expected)));
    const listed = new Set(deploymentList.listed.map(({ id }) => id));
    bad.push(...[...this.expected].filter((id) => !listed.has(id)).map((id) => `${id} is lost from the list`));
    bad.push(...[...listed].filter((id) => !this.expected.has(id)).map((id) => `${id} is back in the list`));
    bad.push(...(await this.requestsAfterSignOut()));

    await this.restoreList();
    await this.signOutOfAll();
    await this.signIn();
    await store.refreshAll();
    await this.waitForAll();
    await allow(2);
    if (organizations.current === undefined) bad.push('no organization');
    bad.push(...(await this.whatIsWrong(this.expected)).map((text) => `signed in anew: ${text}`));

    this.calm.push(...bad.map((text) => `calm ${this.heap.length + 1}: ${text}`));
    this.graph.lines.length = 0;
    this.graph.texts.length = 0;
    await this.look();
    this.heap.push(await heapInUse());
  }

  /** What has not come to rest. */
  private async whatIsStuck(): Promise<readonly string[]> {
    const { store } = this.graph.services;
    const bad = store.deployments.flatMap(({ id, activity }) =>
      activity === 'idle' ? [] : [`${id} is still ${activity}`],
    );
    if (this.pending.size > 0) bad.push(`never ended: ${[...this.pending.values()].join(', ')}`);
    if (store.progress) bad.push(`the refresh still runs: ${JSON.stringify(store.progress)}`);
    return [...bad, ...(await this.rows.stuck())];
  }

  /** Of a service that is well, everything that is listed is there and at rest. */
  private async whatIsWrong(listed: ReadonlySet<string>): Promise<readonly string[]> {
    const { store, organizations } = this.graph.services;
    const bad: string[] = [];
    if (store.cause) bad.push(`the first row still says ${JSON.stringify(store.cause)}`);
    const wanted = organizations.current ? [...listed] : [];
    if (store.deployments.length !== wanted.length) bad.push(`${store.deployments.length} of ${wanted.length} rows`);
    for (const id of wanted) {
      const one = store.get(id);
      if (!one) bad.push(`${id} is lost`);
      else if (one.failure || one.state !== 'satisfied')
        bad.push(`${id} is ${one.state}: ${JSON.stringify(one.failure)}`);
    }
    return [...bad, ...(await this.whatIsStuck())];
  }

  /** Requests with a token that was signed out, or replaced, before they began. */
  private async requestsAfterSignOut(): Promise<readonly string[]> {
    const requests = await this.service.requests();
    this.requests += requests.length;
    await this.service.clearRequests();
    await this.own.clearRequests();
    return requests.flatMap(({ method, path, headers, receivedAt }) => {
      const end = this.signedOut.get(headers.authorization?.replace('Bearer ', '') ?? '');
      const late = end === undefined ? 0 : receivedAt - end;
      return late > onTheWay ? [`${method} ${path} came ${late} ms after its token was signed out`] : [];
    });
  }

  outcome(): Outcome {
    const wrong = [...this.calm];
    // The first ones still load and compile.
    const settled = this.heap.slice(Math.min(2, Math.floor(this.heap.length / 3)));
    const part = Math.max(1, Math.floor(settled.length / 3));
    const early = median(settled.slice(0, part));
    const late = median(settled.slice(-part));
    const growth = (late - early) / Math.max(1, settled.length - part);
    // A session of a minute says nothing: the heap sways by half a megabyte from one calm moment to the next.
    if (settled.length >= 6 && growth > mostGrowth) wrong.push(`the heap grew from ${inMb(early)} to ${inMb(late)}`);
    const sockets = process.getActiveResourcesInfo().filter((name) => /TCPSocket|TLS/.test(name)).length;
    const total = [...this.done.values()].reduce((sum, count) => sum + count, 0);
    return {
      wrong,
      figures: [
        `things done: ${total} (${counts(this.done)})`,
        `requests answered by the service: ${this.requests}; organizations signed in to: ${this.organizations}`,
        `failures seen in rows: ${counts(this.failures)}`,
        `calm moments in which everything had to be well: ${this.heap.length}, not so: ${this.calm.length}`,
        `heap after collection: ${inMb(growth)} more each calm moment (${this.heap.map(inMb).join(', ')})`,
        `unfinished at the end: ${this.pending.size}; open sockets of the host, the editor's included: ${sockets}`,
      ],
    };
  }

  async dispose(): Promise<void> {
    this.rows.dispose();
    await this.graph.dispose();
    await this.end();
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

  /** The whole list, once the product knows of it. */
  private async restoreList(): Promise<void> {
    for (const id of ids) this.expected.add(id);
    await set('deployments', ids, vscode.ConfigurationTarget.Workspace);
    const { deploymentList } = this.graph.services;
    for (let waited = 0; deploymentList.listed.length !== ids.length && waited < 10_000; waited += 50) await pause(50);
  }

  private async remove(): Promise<void> {
    const some = [...this.expected].filter(() => this.random.below(10) === 0);
    for (const id of some) this.expected.delete(id);
    const removed = await this.graph.services.deploymentList.remove(some);
    if (this.random.below(2) === 0) return;
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
    const { id } = await this.graph.services.organizations.signIn({ name, baseUrl: this.baseUrl, token });
    const before = this.tokens.get(id);
    this.retire(before?.access);
    this.tokens.set(id, { ...before, access: token });
  }

  private async setSessionToken(id: string, token: string | undefined): Promise<void> {
    await this.graph.services.organizations.setSessionToken(id, token);
    const { access, session } = this.tokens.get(id) ?? {};
    this.retire(session);
    this.tokens.set(id, { ...(access !== undefined && { access }), ...(token !== undefined && { session: token }) });
  }

  private async switch(): Promise<void> {
    const { organizations } = this.graph.services;
    if (organizations.list.length < 4) await this.signIn();
    await organizations.use(this.random.pick(organizations.list).id);
  }

  private async signOut(id: string): Promise<void> {
    await this.graph.services.organizations.signOut(id);
    const { access, session } = this.tokens.get(id) ?? {};
    this.retire(access);
    this.retire(session);
    this.tokens.delete(id);
  }

  private async signOutOfAll(): Promise<void> {
    for (const { id } of this.graph.services.organizations.list) await this.signOut(id);
  }

  /** By the machine's clock, as the service has it. */
  private retire(token: string | undefined): void {
    if (token !== undefined) this.signedOut.set(token, Date.now());
  }

  /** Goes on beside the next things. A rejection would be nobody's, and is counted as such. */
  private begin(work: Promise<unknown>): void {
    const key = Symbol();
    this.pending.set(key, this.doing);
    void work.finally(() => this.pending.delete(key));
  }

  /** With a well service all that waits ends by itself; half a minute is far more than any time-out. */
  private async waitForAll(): Promise<void> {
    const { store } = this.graph.services;
    const isBusy = () => this.pending.size > 0 || store.progress !== undefined;
    for (let waited = 0; isBusy() && waited < 30_000; waited += 50) await pause(50);
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

  /** As the command does it, after its questions. How it fails is a sentence for people. */
  private revoke(): void {
    const { organizations } = this.graph.services;
    const meant = organizations.current && revocationTarget(organizations, organizations.current);
    if (meant) this.begin(this.revocation.send(meant, `key_${this.random.below(1000)}`).catch(() => undefined));
  }

  private async look(): Promise<void> {
    await this.rows.readBelow();
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
  await set('requestTimeout', seconds);
}

async function set(key: string, value: unknown, target = vscode.ConfigurationTarget.Global): Promise<void> {
  await vscode.workspace.getConfiguration('automationPlatform', null).update(key, value, target);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
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
