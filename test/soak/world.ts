// Runs in the extension host: the product's own object graph, with a keyring and views of its own, beside the running extension, both
// against a platform that goes wrong in every way it knows. Which order of events is right is for the property tests of the store
// and the queue to say; this looks for what leaks, hangs, or is lost.
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { readInstall } from '../../src/commands/lookUpInstall.js';
import { isTargetUnchanged, waitingCall } from '../../src/commands/waitingCall.js';
import { commandIds } from '../../src/host/ids.js';
import type { Organization } from '../../src/host/organizations/organization.js';
import { heapInUse } from '../support/heapInUse.js';
import { platformControl } from '../support/platform/control.js';
import { DEFAULT_TOKEN } from '../support/platform/data.js';
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

/** Bytes between two calm moments. The editor's own heap varies by more, so the first and the last ones are compared. */
const maxHeapGrowth = 200_000;
/** How long a request with a token may still arrive after its sign-out, because it was on its way. */
const maxDelayMs = 1500;
/** Far longer than any time-out. */
const maxWaitMs = 30_000;

const hostile = Object.values(hostileAnswers).flatMap((table) =>
  Object.values(table).map(([fault]) => fault),
);
const refusals = [400, 401, 403, 404, 429, 500, 503].map((status) => faults.status(status));
const badAnswers = [
  ...hostile,
  ...refusals,
  faults.redirect('/login'),
  { hold: true },
  { latency: 300 },
];

/** One window's product and its platform: does random things to both, and says after a calm moment what is wrong. */
export class World {
  private readonly random = randomFrom(job.seed);
  private readonly platform = platformControl(job.control);
  private readonly graph = createGraph();
  private readonly store = this.graph.services.store;
  private readonly list = this.graph.services.deploymentList;
  private readonly organizations = this.graph.services.organizations;
  /** How often each action was done. */
  private readonly done = new Map<string, number>();
  /** Bytes after collection, one for each calm moment. */
  private readonly heap: number[] = [];
  private readonly wrong: string[] = [];
  /** The actions that have begun and not ended. */
  private readonly pending = new Map<symbol, string>();
  private currentAction = '';
  /** The IDs that the actions have left in the list. */
  private readonly expected = new Set(job.ids);

  async begin(): Promise<void> {
    await this.organizations.ready;
    await set('requestTimeout', 2);
    await set('refreshInterval', 1);
    await this.restoreList();
    await this.signIn();
  }

  /** Begins one random action. What takes longer goes on beside the next ones. */
  async step(): Promise<void> {
    const [name, action] = this.pick(Object.entries(this.actions));
    this.currentAction = name;
    await action();
    this.done.set(name, (this.done.get(name) ?? 0) + 1);
    // The window needs a turn as well.
    await sleep(this.below(60));
  }

  private readonly actions: Readonly<Record<string, () => Promise<void> | void>> = {
    'bad answers of several deployments': async () => {
      for (const id of job.ids.filter(() => this.happensOnceIn(6)))
        await this.platform.fault({ id }, this.pick(badAnswers));
    },
    'bad answers of everything for a while': () =>
      this.platform.fault('all', { ...this.pick(badAnswers), times: 1 + this.below(10) }),
    'good answers': () => this.endFaults(),
    'closed connections': () => this.platform.closeConnections(this.pick(['idle', 'all'])),
    'refresh of all': () => this.goOn(this.store.refresh()),
    'refresh of some': () => {
      const some = job.ids.filter(() => this.happensOnceIn(2));
      this.goOn(this.store.refresh(some, { signal: this.cancelsSoon() }));
    },
    'urgent refresh of one': () => {
      const options = { urgent: true, signal: this.cancelsSoon() };
      this.goOn(this.store.refresh([this.pick(job.ids)], options));
    },
    'cancelled refresh': () => this.store.cancelRefresh(),
    'look-up of an install': () =>
      this.ask((organization, cancellation) => {
        const token = this.pick(job.installTokens);
        return readInstall(this.graph.services, { organization, token, cancellation });
      }),
    'revocation of an API key': () => this.ask(this.revoke),
    'deployments removed from the list': () => this.goOn(this.removeSome()),
    'deployments added to the list': () => {
      for (const id of job.ids.filter((one) => !this.expected.has(one))) {
        this.expected.add(id);
        this.goOn(this.list.add([{ id }]));
      }
    },
    'sign-out': async () => {
      const { list } = this.organizations;
      if (list.length > 0) await this.organizations.signOut(this.pick(list).id);
    },
    'switch of the organization': async () => {
      if (this.organizations.list.length < 4) await this.signIn();
      await this.organizations.switchTo(this.pick(this.organizations.list).id);
    },
    'another token': async () => {
      const { current } = this.organizations;
      if (current) await this.signIn(current.name);
    },
    'rows shown': () => {
      this.graph.items();
    },
    'refresh in the running extension': () => {
      void vscode.commands.executeCommand(commandIds.refresh);
    },
  };

  /** Lets the platform answer well, reads everything, and notes what the actions before it have broken. */
  async calmDown(): Promise<void> {
    await this.endFaults();
    // A slow machine is not what is wrong.
    await set('requestTimeout', 60);
    await this.readAll();
    await this.readAll();
    const found = this.whatIsWrong();

    await this.restoreList();
    for (const { id } of this.organizations.list) await this.organizations.signOut(id);
    await sleep(maxDelayMs);
    await this.platform.clearRequests();
    const token = await this.signIn();
    await this.readAll();
    await set('requestTimeout', 2);
    found.push(...this.whatIsWrong(), ...(await this.requestsWithout(token)));

    this.wrong.push(...found.map((text) => `calm moment ${this.heap.length + 1}: ${text}`));
    this.graph.lines.length = 0;
    this.graph.items();
    this.heap.push(await heapInUse(askWindow));
  }

  /** Where the platform answers well, each listed deployment is read and nothing goes on. */
  private whatIsWrong(): string[] {
    const { store, organizations, expected } = this;
    const found: string[] = [];
    const listed = new Set(this.list.listed.map(({ id }) => id));
    for (const id of expected) if (!listed.has(id)) found.push(`${id} is lost from the list`);
    for (const id of listed) if (!expected.has(id)) found.push(`${id} is back in the list`);
    if (store.cause) found.push(`the first row still says ${JSON.stringify(store.cause)}`);
    if (store.progress) found.push(`the refresh still runs: ${JSON.stringify(store.progress)}`);
    for (const action of this.pending.values()) found.push(`never ended: ${action}`);
    const wanted = organizations.current ? [...expected] : [];
    if (store.deployments.length !== wanted.length)
      found.push(`${store.deployments.length} of ${wanted.length} rows`);
    for (const id of wanted) {
      const { state = 'lost', activity, failedRead } = store.get(id) ?? {};
      const isWell = state === 'satisfied' && activity === 'idle' && !failedRead;
      if (!isWell) found.push(`${id} is ${state} and ${activity}: ${JSON.stringify(failedRead)}`);
    }
    return found;
  }

  /** Since the requests were cleared. */
  private async requestsWithout(token: string): Promise<readonly string[]> {
    const requests = await this.platform.requests();
    return requests
      .filter(({ headers }) => headers.authorization !== `Bearer ${token}`)
      .filter(({ headers }) => headers.authorization !== `Bearer ${DEFAULT_TOKEN}`)
      .map(({ method, path }) => `${method} ${path} has a token that was signed out`);
  }

  async end(): Promise<{ readonly figures: readonly string[]; readonly wrong: readonly string[] }> {
    await endTest();
    const { growth, isLeak } = growthOf(this.heap);
    const done = [...this.done].map(([name, times]) => `${name} ${times}`);
    return {
      wrong: isLeak ? [...this.wrong, 'the heap grew'] : this.wrong,
      figures: [
        `actions: ${done.join(', ')}`,
        `calm moments: ${this.heap.length}, wrong in them: ${this.wrong.length}`,
        `heap after collection: ${inMb(growth)} more in each (${this.heap.map(inMb).join(', ')})`,
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

  private happensOnceIn(times: number): boolean {
    return this.below(times) === 0;
  }

  /** Every other time the user cancels soon. */
  private cancelsSoon(): AbortSignal | undefined {
    return this.happensOnceIn(2) ? AbortSignal.timeout(this.below(100)) : undefined;
  }

  private async endFaults(): Promise<void> {
    await this.platform.clearFaults();
    await this.platform.release();
  }

  /** Resolves when the whole list is in the settings and the product knows. */
  private async restoreList(): Promise<void> {
    for (const id of job.ids) this.expected.add(id);
    await set('deployments', job.ids, vscode.ConfigurationTarget.Workspace);
    await waitWhile(() => this.list.listed.length !== job.ids.length);
  }

  private async removeSome(): Promise<void> {
    const some = [...this.expected].filter(() => this.happensOnceIn(10));
    for (const id of some) this.expected.delete(id);
    const removed = await this.list.remove(some);
    if (this.happensOnceIn(2)) return;
    for (const id of some) this.expected.add(id);
    await removed.undo();
  }

  /** With a new token, which is returned. */
  private async signIn(name = `Organization ${crypto.randomUUID()}`): Promise<string> {
    const token = `token-${crypto.randomUUID()}`;
    await this.platform.putToken(token, 'both');
    const baseUrl = process.env['AUTOMATION_PLATFORM_BASE_URL'] ?? '';
    await this.organizations.signIn({ name, baseUrl, token });
    return token;
  }

  private readonly revoke = async (
    { id }: Organization,
    cancellation: vscode.CancellationToken,
  ): Promise<void> => {
    const { organizations } = this;
    const target = organizations.target(id, 'access')!;
    const isUnchanged = () => isTargetUnchanged(target, organizations);
    const call = waitingCall(cancellation, organizations.onDidChange, isUnchanged);
    await this.graph.services.client
      .deleteApiKey(target, `key_${this.below(1000)}`, call)
      .finally(call.dispose);
  };

  /** Lets the work go on beside the next actions. A rejection is unhandled, which the run counts. */
  private goOn(work: Promise<unknown>): void {
    const key = Symbol();
    this.pending.set(key, this.currentAction);
    void work.finally(() => this.pending.delete(key));
  }

  private async readAll(): Promise<void> {
    await this.store.refresh();
    await waitWhile(() => this.pending.size > 0 || this.store.progress !== undefined);
  }

  /** Sends what a command sends after its questions, and cancels it now and then. The command would show its failure. */
  private ask(
    send: (organization: Organization, cancellation: vscode.CancellationToken) => Promise<unknown>,
  ): void {
    const { current } = this.organizations;
    if (!current) return;
    const cancelling = new vscode.CancellationTokenSource();
    const sent = send(current, cancelling.token).catch(() => undefined);
    this.goOn(sent.finally(() => cancelling.dispose()));
    if (this.happensOnceIn(3)) cancelling.cancel();
  }
}

/** Bytes from one calm moment to the next. A run with fewer than eight of them is too short to tell a leak. */
function growthOf(heap: readonly number[]): { readonly growth: number; readonly isLeak: boolean } {
  // Until the second one the code still loads and is compiled.
  const settled = heap.slice(Math.min(2, Math.floor(heap.length / 3)));
  const third = Math.max(1, Math.floor(settled.length / 3));
  const early = Math.min(...settled.slice(0, third));
  const late = Math.min(...settled.slice(-third));
  const growth = (late - early) / Math.max(1, settled.length - third);
  return { growth, isLeak: settled.length >= 6 && growth > maxHeapGrowth };
}

/** A question to the window: once it answers, it has handled all that was sent to it before. */
async function askWindow(): Promise<void> {
  await vscode.commands.executeCommand(
    'setContext',
    'automationPlatform.test',
    crypto.randomUUID(),
  );
}

async function set(
  key: string,
  value: unknown,
  target = vscode.ConfigurationTarget.Global,
): Promise<void> {
  await vscode.workspace.getConfiguration('automationPlatform', null).update(key, value, target);
}

async function waitWhile(isBusy: () => boolean): Promise<void> {
  const end = Date.now() + maxWaitMs;
  while (isBusy() && Date.now() < end) await sleep(50);
}

function inMb(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
