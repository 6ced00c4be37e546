import { isRecord } from '../../api/json.js';
import type { Deployment } from '../deployment.js';
import { type Disposable, Emitter } from '../emitter.js';
import type { Clock } from '../time.js';
import type { Findings, Problem } from './findings.js';
import { hash, type Memory, namesOfOthers, organizationHash } from './memory.js';

/** By the hash of organization and what is muted: when it ends (epoch ms), and each affected deployment with its signs, hashed. */
export type MuteRecord = Readonly<Record<string, readonly [until: number, affected: object]>>;

interface Mute {
  readonly until: number;
  /** Hash of the deployment → hash of what must stay as it is there. */
  readonly affected: Map<string, unknown>;
  /** Hashes of those that were not read when the muting began: their first answer only shows what it covers. */
  readonly unread: Set<string>;
}

export const day = 24 * 60 * 60_000;
export const longestMute = 90 * day;
/** A timer stands still while the machine sleeps, so none is long. */
const longestWait = 60 * 60_000;

const hashLength = 10;

/**
 * What people muted, until when, and how it was: a mute ends when that changes. A failed account is muted as one in all deployments
 * that have it, a requirement in its own.
 */
export class Mutes implements Disposable {
  /** Ids of the deployments that a new mute covers; what ends a mute names none, since it shows where something was muted. */
  private readonly changed = new Emitter<ReadonlySet<string>>();
  readonly onDidChange = this.changed.event;
  private readonly mutes = new Map<string, Mute>();
  private timer: Disposable | undefined;

  constructor(private readonly options: Clock & Memory<MuteRecord>) {
    for (const [name, value] of Object.entries(isRecord(options.initial) ? options.initial : {})) {
      const [until, affected] = Array.isArray(value) ? (value as readonly unknown[]) : [];
      if (typeof until !== 'number' || !isRecord(affected)) continue;
      const end = Math.min(until, options.now() + longestMute);
      this.mutes.set(name, { until: end, affected: new Map(Object.entries(affected)), unread: new Set() });
    }
    this.expire();
  }

  mute(organizationId: string, problems: readonly Problem[], until: number, listed: readonly Deployment[]): void {
    const names = new Map(problems.map((problem) => [aboutOf(problem), nameOf(organizationId, problem)]));
    const unread = listed.flatMap(({ id, answer }) => (answer ? [] : deploymentHash(organizationId, id)));
    for (const name of names.values()) this.mutes.set(name, { until, affected: new Map(), unread: new Set(unread) });
    const touched = new Set<string>();
    for (const { id, answer } of listed) {
      const covered = answer ? answer.findings.all.flatMap((problem) => names.get(aboutOf(problem)) ?? []) : [];
      if (!answer || covered.length === 0) continue;
      const signs = signsOf(organizationId, answer.findings);
      const deployment = deploymentHash(organizationId, id);
      for (const name of covered) this.mutes.get(name)!.affected.set(deployment, signs.get(name));
      touched.add(id);
    }
    this.tell(touched);
  }

  /** A requirement that is muted with its account is unmuted with it, too. */
  unmute(organizationId: string, problems: readonly Problem[]): void {
    this.forget(problems.flatMap(coveredBy).map((problem) => nameOf(organizationId, problem)));
  }

  /** Epoch ms; `undefined` if it is not muted. */
  until(organizationId: string, problem: Problem): number | undefined {
    if (this.mutes.size === 0) return undefined;
    const ends = coveredBy(problem).flatMap((one) => this.mutes.get(nameOf(organizationId, one))?.until ?? []);
    return ends.length > 0 ? Math.max(...ends) : undefined;
  }

  /** A good answer ends the mutes that it shows to be about something else now. */
  take(organizationId: string, deploymentId: string, findings: Findings): void {
    if (this.mutes.size === 0) return;
    this.expire();
    const deployment = deploymentHash(organizationId, deploymentId);
    const signs = signsOf(organizationId, findings);
    let hasChanged = false;
    for (const [name, { affected, unread }] of this.mutes) {
      const sign = signs.get(name);
      const before = affected.get(deployment);
      const isFirst = unread.delete(deployment);
      if (sign === before || (sign === undefined && findings.couldHide)) continue;
      if (isFirst && sign !== undefined) affected.set(deployment, sign);
      else this.mutes.delete(name);
      hasChanged = true;
    }
    if (hasChanged) this.tell();
  }

  /** Signing out forgets what was muted there. */
  keepOrganizations(ids: Iterable<string>): void {
    this.forget(namesOfOthers(this.mutes.keys(), ids));
  }

  dispose(): void {
    this.timer?.dispose();
    this.changed.dispose();
  }

  private forget(names: readonly string[]): void {
    if (names.length === 0) return;
    for (const name of names) this.mutes.delete(name);
    this.tell();
  }

  private tell(touched: ReadonlySet<string> = new Set()): void {
    const entries = Array.from(this.mutes, ([name, { until, affected }]) => {
      return [name, [until, Object.fromEntries(affected)]] as const;
    });
    this.options.save(Object.fromEntries(entries));
    this.wait();
    this.changed.fire(touched);
  }

  private expire(): void {
    const now = this.options.now();
    this.forget([...this.mutes].flatMap(([name, { until }]) => (until <= now ? name : [])));
    this.wait();
  }

  private wait(): void {
    this.timer?.dispose();
    this.timer = undefined;
    if (this.mutes.size === 0) return;
    const next = Math.min(...Array.from(this.mutes.values(), ({ until }) => until)) - this.options.now();
    this.timer = this.options.setTimer(() => this.expire(), Math.min(Math.max(next, 0), longestWait));
  }
}

/** The problems whose mute covers this one: itself, and of a requirement its failed account. */
function coveredBy(problem: Problem): readonly Problem[] {
  const account = problem.kind === 'unsatisfiedRequirement' ? problem.finding.bound?.problem : undefined;
  return account ? [problem, account] : [problem];
}

/** One account is the same in all deployments. Whatever has no id of its own is told apart by its key, which names the deployment. */
export function aboutOf(problem: Problem): string {
  const id = problem.kind === 'failedAccount' ? problem.finding.account.id : undefined;
  return id === undefined ? problem.key : `account\0${id}`;
}

function nameOf(organizationId: string, problem: Problem): string {
  return organizationHash(organizationId) + hash(`${organizationId}\0${aboutOf(problem)}`, hashLength);
}

function deploymentHash(organizationId: string, deploymentId: string): string {
  return hash(`${organizationId}\0${deploymentId}`, hashLength);
}

/** What must stay as it is, hashed, by the name of what can be muted. */
function signsOf(organizationId: string, findings: Findings): ReadonlyMap<string, string> {
  const signs = new Map<string, string>();
  for (const problem of findings.all) {
    const name = nameOf(organizationId, problem);
    // Several accounts with one id are muted as one.
    signs.set(name, hash(`${signs.get(name) ?? ''}${JSON.stringify(signOf(problem, findings))}`, hashLength));
  }
  return signs;
}

/** Error code, bound account and missing scopes. */
function signOf(problem: Problem, { accountsById, requirementsByAccount }: Findings): readonly unknown[] {
  if (problem.kind === 'unsatisfiedRequirement') {
    const { boundId, bound, missingScopes } = problem.finding;
    return [boundId, bound?.account.error?.code, missingScopes.toSorted()];
  }
  const { id } = problem.finding.account;
  const bound = (accountsById.get(id) === problem.finding && requirementsByAccount.get(id)) || [];
  const names = bound.map(({ requirement: { serviceId, binding } }) => JSON.stringify([serviceId, binding]));
  return [problem.finding.account.error?.code, names.toSorted(), problem.scopes.toSorted()];
}
