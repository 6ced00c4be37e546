import { isRecord } from '../../api/json.js';
import type { Deployment } from '../deployment.js';
import { type Disposable, Emitter } from '../emitter.js';
import type { Clock } from '../time.js';
import type { Findings, Problem } from './findings.js';
import { boundAccountId } from './readings.js';
import { hash } from './seenSince.js';

interface MutesOptions extends Clock {
  /** Others can write to the file that this comes from. */
  readonly initial: unknown;
  /** Given the whole record whenever it changed. */
  readonly save: (record: MuteRecord) => void;
}

/** By the hash of organization and what is muted: when it ends (epoch ms), and each affected deployment with its signs, hashed. */
export type MuteRecord = Readonly<Record<string, readonly [until: number, affected: Readonly<Record<string, string>>]>>;

interface Mute {
  readonly until: number;
  /** Hash of the deployment → hash of what must stay as it is there. */
  readonly affected: Map<string, string>;
  /** Ids of those that were not read when the muting began: their first answer only shows what it covers. */
  readonly unread: Set<string>;
}

export const day = 24 * 60 * 60_000;
export const longestMute = 90 * day;
/** A timer stands still while the machine sleeps, so none is long. */
const longestWait = 60 * 60_000;

const organizationLength = 6;
const hashLength = 10;
const namePattern = new RegExp(`^[\\w-]{${organizationLength + hashLength}}$`);

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

  constructor(private readonly options: MutesOptions) {
    for (const [name, value] of Object.entries(isRecord(options.initial) ? options.initial : {})) {
      const [until, affected] = Array.isArray(value) ? (value as readonly unknown[]) : [];
      if (!namePattern.test(name) || typeof until !== 'number' || !isRecord(affected)) continue;
      const signs = Object.entries(affected).flatMap(([of, sign]) =>
        typeof sign === 'string' ? [[of, sign] as const] : [],
      );
      const end = Math.min(until, options.now() + longestMute);
      this.mutes.set(name, { until: end, affected: new Map(signs), unread: new Set() });
    }
    this.expire();
    this.wait();
  }

  mute(organizationId: string, problems: readonly Problem[], until: number, listed: readonly Deployment[]): void {
    const names = new Map(problems.map((problem) => [aboutOf(problem), nameOf(organizationId, problem)]));
    const unread = listed.flatMap(({ id, answer }) => (answer ? [] : [id]));
    for (const name of names.values()) this.mutes.set(name, { until, affected: new Map(), unread: new Set(unread) });
    const touched = new Set<string>();
    for (const { id, answer } of listed) {
      const covered = answer ? answer.findings.all.flatMap((problem) => names.get(aboutOf(problem)) ?? []) : [];
      if (!answer || covered.length === 0) continue;
      const signs = signsOf(organizationId, answer.findings);
      for (const name of covered) {
        this.mutes.get(name)!.affected.set(deploymentHash(organizationId, id), signs.get(name)!);
      }
      touched.add(id);
    }
    this.tell(touched);
  }

  /** A requirement that is muted with its account is unmuted with it, too. */
  unmute(organizationId: string, problems: readonly Problem[]): void {
    for (const problem of problems.flatMap(coveredBy)) this.mutes.delete(nameOf(organizationId, problem));
    this.tell();
  }

  /** Epoch ms; `undefined` if it is not muted. */
  until(organizationId: string, problem: Problem): number | undefined {
    if (this.mutes.size === 0) return undefined;
    const ends = coveredBy(problem).flatMap((one) => this.mutes.get(nameOf(organizationId, one))?.until ?? []);
    return ends.length > 0 ? Math.max(...ends) : undefined;
  }

  /** A good answer ends the mutes that it shows to be about something else now. */
  take(organizationId: string, deploymentId: string, findings: Findings): void {
    this.expire();
    if (this.mutes.size === 0) return;
    const organization = hash(organizationId, organizationLength);
    const deployment = deploymentHash(organizationId, deploymentId);
    const signs = signsOf(organizationId, findings);
    let hasChanged = false;
    for (const [name, { affected, unread }] of this.mutes) {
      if (!name.startsWith(organization)) continue;
      const sign = signs.get(name);
      const before = affected.get(deployment);
      const isFirst = unread.delete(deploymentId);
      if (sign === before || (sign === undefined && findings.couldHide)) continue;
      if (isFirst && sign !== undefined) affected.set(deployment, sign);
      else this.mutes.delete(name);
      hasChanged = true;
    }
    if (hasChanged) this.tell();
  }

  /** Signing out forgets what was muted there. */
  keepOrganizations(ids: Iterable<string>): void {
    const kept = new Set(Array.from(ids, (id) => hash(id, organizationLength)));
    const gone = [...this.mutes.keys()].filter((name) => !kept.has(name.slice(0, organizationLength)));
    for (const name of gone) this.mutes.delete(name);
    if (gone.length > 0) this.tell();
  }

  dispose(): void {
    this.timer?.dispose();
    this.changed.dispose();
  }

  private tell(touched: ReadonlySet<string> = new Set()): void {
    this.options.save(
      Object.fromEntries(
        Array.from(this.mutes, ([name, { until, affected }]) => [name, [until, Object.fromEntries(affected)]]),
      ),
    );
    this.wait();
    this.changed.fire(touched);
  }

  private expire(): void {
    const ended = [...this.mutes].filter(([, { until }]) => until <= this.options.now());
    for (const [name] of ended) this.mutes.delete(name);
    if (ended.length > 0) this.tell();
  }

  private wait(): void {
    this.timer?.dispose();
    this.timer = undefined;
    if (this.mutes.size === 0) return;
    const next = Math.min(...Array.from(this.mutes.values(), ({ until }) => until)) - this.options.now();
    const end = () => {
      this.expire();
      this.wait();
    };
    this.timer = this.options.setTimer(end, Math.min(Math.max(next, 0), longestWait));
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
  return hash(organizationId, organizationLength) + hash(`${organizationId}\0${aboutOf(problem)}`, hashLength);
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
function signOf(problem: Problem, { requirements }: Findings): readonly unknown[] {
  if (problem.kind === 'unsatisfiedRequirement') {
    const { requirement, bound, missingScopes } = problem.finding;
    return [boundAccountId(requirement), bound?.problem && codeOf(bound.problem), missingScopes.toSorted()];
  }
  const bound = requirements.filter((requirement) => requirement.bound === problem.finding);
  const names = bound.map(({ requirement: { serviceId, binding } }) => JSON.stringify([serviceId, binding]));
  return [codeOf(problem), names.toSorted(), problem.scopes.toSorted()];
}

function codeOf({ finding }: Extract<Problem, { kind: 'failedAccount' }>): string | undefined {
  return finding.account.error?.code;
}
