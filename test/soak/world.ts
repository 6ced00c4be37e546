// In the extension host: the object graph of the product, made once more with a keyring, views, a clock and a focus of its own, beside
// the running extension, and both against a platform that goes wrong in every way it knows.
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { readInstall } from '../../src/commands/lookUpInstall.js';
import { isTargetUnchanged, waitingCall } from '../../src/commands/waitingCall.js';
import { commandIds } from '../../src/host/ids.js';
import type { Organization } from '../../src/host/organizations/organization.js';
import { systemClock } from '../../src/model/base/time.js';
import { heapInUse } from '../support/heapInUse.js';
import { platformControl } from '../support/platform/control.js';
import { faults } from '../support/platform/faults.js';
import { hostileAnswers } from '../support/platform/hostile.js';
import { randomFrom } from '../support/random.js';
import { endTest } from '../support/window/endOfTest.js';
import { createGraph } from '../support/window/graph.js';

export interface Job {
  readonly minutes: number;
  readonly seed: number;
  /** The file for the closing figures. */
  readonly report: string;
  /** Where the platform is steered, and what it knows. */
  readonly control: string;
  readonly ids: readonly string[];
  readonly installTokens: readonly string[];
}

export const job: Job = JSON.parse(process.env['AUTOMATION_PLATFORM_SOAK'] ?? '{}');

/** Bytes from one calm moment to the next. The editor's own heap sways by more, so the ends of a session are compared. */
const mostGrowth = 200_000;
const minute = 60_000;
/** Ms. A request that was on its way when its token was signed out may arrive so much later. */
const onTheWay = 1500;

const hostile = Object.values(hostileAnswers).flatMap((table) =>
  Object.values(table).map(([fault]) => fault),
);
const refused = [400, 401, 403, 404, 429, 500, 503].map((status) => faults.status(status));
const answers = [
  ...hostile,
  ...refused,
  faults.redirect('/login'),
  { hold: true },
  { latency: 300 },
];

export class World {
  private readonly random = randomFrom(job.seed);
  private readonly platform = platformControl(job.control);
  /** A clock that somebody sets, or that goes on while the machine sleeps. Timers take as long as ever, as they do in both cases. */
  private ahead = 0;
  private readonly focus = new vscode.EventEmitter<vscode.WindowState>();
  private readonly window = {
    state: { focused: true, active: true },
    onDidChangeWindowState: this.focus.event,
  };
  private readonly clock = { ...systemClock, now: () => Date.now() + this.ahead };
  private readonly graph = createGraph({}, { clock: this.clock, window: this.window });
  private readonly store = this.graph.services.store;
  private readonly list = this.graph.services.deploymentList;
  private readonly organizations = this.graph.services.organizations;
  private readonly done = new Map<string, number>();
  private readonly heap: number[] = [];
  private readonly wrong: string[] = [];
  /** What has begun and not ended, by name. */
  private readonly pending = new Map<symbol, string>();
  private doing = '';
  private requests = 0;
  /** What the acts have made of the list. */
  private readonly expected = new Set(job.ids);
  /** When tokens were signed out or replaced, by the machine's clock, as the platform has it. */
  private readonly signedOut = new Map<string, number>();

  async begin(): Promise<void> {
    await this.organizations.ready;
    await set('requestTimeout', 2);
    await set('refreshInterval', 1);
    await this.restoreList();
    await this.signIn();
  }

  /** One random thing, begun; what takes longer goes on beside the next ones. */
  async step(): Promise<void> {
    const [name, act] = this.pick(Object.entries(this.actions));
    this.doing = name;
    await act();
    this.done.set(name, (this.done.get(name) ?? 0) + 1);
    // Nobody does everything at the same instant; the window needs a turn as well.
    await sleep(this.below(60));
  }

  private readonly actions: Readonly<Record<string, () => Promise<void> | void>> = {
    'fault of several deployments': async () => {
      for (const id of job.ids.filter(() => this.happens(6)))
        await this.platform.fault({ id }, this.pick(answers));
    },
    'fault of everything for a while': () =>
      this.platform.fault('all', { ...this.pick(answers), times: 1 + this.below(10) }),
    'faults over': () => this.endFaults(),
    'connections closed': () => this.platform.closeConnections(this.pick(['idle', 'all'])),
    'refresh of all': () => this.goOn(this.store.refresh()),
    'refresh of some': () => {
      const some = job.ids.filter(() => this.happens(2));
      this.goOn(this.store.refresh(some, { signal: this.patience() }));
    },
    'refresh of one': () =>
      this.goOn(
        this.store.refresh([this.pick(job.ids)], { urgent: true, signal: this.patience() }),
      ),
    cancel: () => this.store.cancelRefresh(),
    'look-up': () =>
      this.ask((organization, cancellation) =>
        readInstall(this.graph.services, {
          organization,
          token: this.pick(job.installTokens),
          cancellation,
        }),
      ),
    revocation: () =>
      this.ask(async ({ id }, cancellation) => {
        const { organizations } = this;
        const target = organizations.target(id, 'access')!;
        const isUnchanged = () => isTargetUnchanged(target, organizations);
        const call = waitingCall(cancellation, organizations.onDidChange, isUnchanged);
        await this.graph.services.client
          .deleteApiKey(target, `key_${this.below(1000)}`, call)
          .finally(call.dispose);
      }),
    'deployments removed from the list': () => this.goOn(this.remove()),
    'deployments added to the list': () => {
      for (const id of job.ids.filter((one) => !this.expected.has(one) && this.happens(2))) {
        this.expected.add(id);
        this.goOn(this.list.add([{ id }]));
      }
    },
    'sign-out': async () => {
      if (this.organizations.list.length > 0)
        await this.signOut(this.pick(this.organizations.list).id);
    },
    'another organization': async () => {
      if (this.organizations.list.length < 4) await this.signIn();
      await this.organizations.switchTo(this.pick(this.organizations.list).id);
    },
    'another token': async () => {
      const { current } = this.organizations;
      if (current) await this.replacing(current.id, () => this.signIn(current.name));
    },
    'user session token': async () => {
      const { current } = this.organizations;
      const token = this.happens(2) ? undefined : await this.newToken();
      if (current)
        await this.replacing(current.id, () =>
          this.organizations.setSessionToken(current.id, token),
        );
    },
    'clock goes on at once, or is set back': () => {
      this.ahead += (this.below(3 * 60) - 60) * minute;
    },
    'window gets or loses the focus': () => {
      const focused = this.happens(2);
      this.window.state = { focused, active: focused };
      this.focus.fire(this.window.state);
    },
    'look at everything': () => void this.graph.items(),
    'refresh in the running extension': () =>
      void vscode.commands.executeCommand(commandIds.refresh),
    'cancel in the running extension': () =>
      void vscode.commands.executeCommand(commandIds.cancelRefresh),
  };

  /** The platform is well, and everything is read once more: then nothing may be left of the storm. */
  async calmDown(): Promise<void> {
    await this.endFaults();
    // However busy the machine is: that it is slow is not what is wrong.
    await set('requestTimeout', 60);
    // No pause is longer than ten minutes.
    this.ahead += 11 * minute;
    await this.readAll();
    // What is wrong is seen before anybody signs in anew.
    await this.readAll();
    const bad = [...this.whatIsWrong(), ...(await this.requestsAfterSignOut())];

    await this.restoreList();
    for (const { id } of this.organizations.list) await this.signOut(id);
    await this.signIn();
    await this.readAll();
    await set('requestTimeout', 2);
    bad.push(...this.whatIsWrong().map((text) => `signed in anew: ${text}`));

    this.wrong.push(...bad.map((text) => `calm ${this.heap.length + 1}: ${text}`));
    this.graph.lines.length = 0;
    this.graph.items();
    // A question to the window lets what it has sent be handled.
    const question = () =>
      vscode.commands.executeCommand('setContext', 'automationPlatform.test', this.requests);
    this.heap.push(await heapInUse(question));
  }

  /** Of a platform that is well, everything that is listed is there and at rest. */
  private whatIsWrong(): string[] {
    const { store, organizations, expected } = this;
    const bad: string[] = [];
    const listed = new Set(this.list.listed.map(({ id }) => id));
    for (const id of expected) if (!listed.has(id)) bad.push(`${id} is lost from the list`);
    for (const id of listed) if (!expected.has(id)) bad.push(`${id} is back in the list`);
    if (store.cause) bad.push(`the first row still says ${JSON.stringify(store.cause)}`);
    if (store.progress) bad.push(`the refresh still runs: ${JSON.stringify(store.progress)}`);
    if (this.pending.size > 0) bad.push(`never ended: ${[...this.pending.values()].join(', ')}`);
    const wanted = organizations.current ? [...expected] : [];
    if (store.deployments.length !== wanted.length)
      bad.push(`${store.deployments.length} of ${wanted.length} rows`);
    for (const id of wanted) {
      const { state = 'lost', activity, failedRead: failure } = store.get(id) ?? {};
      const isWell = state === 'satisfied' && activity === 'idle' && !failure;
      if (!isWell) bad.push(`${id} is ${state} and ${activity}: ${JSON.stringify(failure)}`);
    }
    return bad;
  }

  /** Requests with a token that was signed out, or replaced, before they began. */
  private async requestsAfterSignOut(): Promise<readonly string[]> {
    const requests = await this.platform.requests();
    this.requests += requests.length;
    await this.platform.clearRequests();
    const late = requests.filter(({ headers, receivedAt }) => {
      const end = this.signedOut.get(headers.authorization?.replace('Bearer ', '') ?? '');
      return end !== undefined && receivedAt > end + onTheWay;
    });
    return late.map(
      ({ method, path }) => `${method} ${path} came long after its token was signed out`,
    );
  }

  async end(): Promise<{ readonly figures: readonly string[]; readonly wrong: readonly string[] }> {
    await endTest();
    // The first ones still load and compile.
    const settled = this.heap.slice(Math.min(2, Math.floor(this.heap.length / 3)));
    const part = Math.max(1, Math.floor(settled.length / 3));
    const [early, late] = [Math.min(...settled.slice(0, part)), Math.min(...settled.slice(-part))];
    const growth = (late - early) / Math.max(1, settled.length - part);
    // A session of a minute says nothing: the heap sways by half a megabyte from one calm moment to the next.
    const grew = settled.length >= 6 && growth > mostGrowth;
    return {
      wrong: grew
        ? [...this.wrong, `the heap grew from ${inMb(early)} to ${inMb(late)}`]
        : this.wrong,
      figures: [
        `things done: ${[...this.done].map(([name, times]) => `${name} ${times}`).join(', ')}`,
        `requests answered by the platform: ${this.requests}`,
        `calm moments in which everything had to be well: ${this.heap.length}, wrong in them: ${this.wrong.length}`,
        `heap after collection: ${inMb(growth)} more each calm moment (${this.heap.map(inMb).join(', ')})`,
      ],
    };
  }

  /** A whole number from 0, less than the limit. */
  private below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  private pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!;
  }

  /** Once in so many times. */
  private happens(times: number): boolean {
    return this.below(times) === 0;
  }

  /** Every other time somebody gives up soon. */
  private patience(): AbortSignal | undefined {
    return this.happens(2) ? AbortSignal.timeout(this.below(100)) : undefined;
  }

  private async endFaults(): Promise<void> {
    await this.platform.clearFaults();
    await this.platform.release();
  }

  /** The whole list, once the product knows of it. */
  private async restoreList(): Promise<void> {
    for (const id of job.ids) this.expected.add(id);
    await set('deployments', job.ids, vscode.ConfigurationTarget.Workspace);
    await waitWhile(() => this.list.listed.length !== job.ids.length);
  }

  private async remove(): Promise<void> {
    const some = [...this.expected].filter(() => this.happens(10));
    for (const id of some) this.expected.delete(id);
    const removed = await this.list.remove(some);
    if (this.happens(2)) return;
    for (const id of some) this.expected.add(id);
    await removed.undo();
  }

  private async newToken(): Promise<string> {
    const token = `token-${crypto.randomUUID()}`;
    await this.platform.putToken(token, 'both');
    return token;
  }

  private async signIn(name = `Organization ${crypto.randomUUID()}`): Promise<void> {
    const baseUrl = process.env['AUTOMATION_PLATFORM_BASE_URL'] ?? '';
    await this.organizations.signIn({ name, baseUrl, token: await this.newToken() });
  }

  private signOut(id: string): Promise<void> {
    return this.replacing(id, () => this.organizations.signOut(id));
  }

  /** Changes a sign-in; the tokens that it has no longer may not be sent from then on. */
  private async replacing(id: string, change: () => Promise<void>): Promise<void> {
    const tokens = () =>
      (['access', 'install'] as const).map((slot) => this.organizations.target(id, slot)?.token);
    const before = tokens();
    await change();
    const still = tokens();
    for (const token of before)
      if (token && !still.includes(token)) this.signedOut.set(token, Date.now());
  }

  /** Goes on beside the next things. A rejection would be nobody's, and is counted as such. */
  private goOn(work: Promise<unknown>): void {
    const key = Symbol();
    this.pending.set(key, this.doing);
    void work.finally(() => this.pending.delete(key));
  }

  /** With a well platform all that waits ends by itself; half a minute is far more than any time-out. */
  private async readAll(): Promise<void> {
    await this.store.refresh();
    await waitWhile(() => this.pending.size > 0 || this.store.progress !== undefined);
  }

  /** As the commands do it, after their questions; cancelled now and then. How it fails is told to the person who asked. */
  private ask(
    send: (organization: Organization, cancellation: vscode.CancellationToken) => Promise<unknown>,
  ): void {
    const { current } = this.organizations;
    if (!current) return;
    const cancelling = new vscode.CancellationTokenSource();
    const sent = send(current, cancelling.token).catch(() => undefined);
    this.goOn(sent.finally(() => cancelling.dispose()));
    if (this.happens(3)) cancelling.cancel();
  }
}

async function set(
  key: string,
  value: unknown,
  target = vscode.ConfigurationTarget.Global,
): Promise<void> {
  await vscode.workspace.getConfiguration('automationPlatform', null).update(key, value, target);
}

async function waitWhile(busy: () => boolean): Promise<void> {
  for (let waited = 0; busy() && waited < 30_000; waited += 50) await sleep(50);
}

function inMb(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
