import { whenOver } from '../../api/timers.js';
import { type Disposable, Emitter } from '../base/emitter.js';
import { lazy } from '../base/lazy.js';
import { type Clock, day } from '../base/time.js';
import { type Deployment, type DeploymentProblem, isUnreadable } from '../findings/deployment.js';
import type { Identity, Problem } from '../findings/findings.js';
import type { Remembered } from '../findings/state.js';
import type { StoreMemory } from '../store/store.js';
import { Hashes } from './hashes.js';
import { type Ended, type Outcome, Outcomes } from './outcomes.js';
import {
  formerKeys,
  type RememberedProblem,
  type RememberedProblems,
  savedProblems,
  savedProblemsKey,
  toSave,
} from './savedProblems.js';
import { type ShownProblems, shownIn, unknownRequirements } from './shownProblems.js';

interface ProblemMemoryOptions extends Clock {
  /** VS Code's state of the workspace, which is never synced. */
  readonly state: {
    get(key: string): unknown;
    update(key: string, value: unknown): PromiseLike<void>;
  };
  readonly log: { warn(line: string): void };
}

/** A deployment that left the list may come back: another branch has another list. */
const maxLeftMs = 30 * day;

/**
 * Remembers since when each problem has been seen, its sign, until when it is muted, and whether
 * the user wants to be notified when it is fixed. The store says whose problems are asked for, and
 * at the end of each refresh what was read.
 */
export class ProblemMemory implements Remembered, StoreMemory {
  private readonly mutesChanged = new Emitter<void>();
  readonly onDidChangeMutes = this.mutesChanged.event;
  private readonly newProblemsFound = new Emitter<readonly DeploymentProblem[]>();
  readonly onDidFindNewProblems = this.newProblemsFound.event;
  private readonly notifyingChanged = new Emitter<void>();
  readonly onDidChangeNotifying = this.notifyingChanged.event;
  private readonly outcomesFound = new Emitter<readonly Outcome[]>();
  /** What became of the problems that the user wants to be notified of, each told once. */
  readonly onDidFindOutcomes = this.outcomesFound.event;
  /** By the hash of the organization's ID. */
  private readonly organizations: Map<string, RememberedProblems>;
  /**
   * By the hash of an organization of which nothing was remembered: the deployments that this
   * window has read. What is found in others is not new.
   */
  private readonly firstReadings = new Map<string, Set<string>>();
  /** Of the organization whose problems are asked for. */
  private readonly hashes = new Hashes();
  private timer: Disposable | undefined;

  constructor(private readonly options: ProblemMemoryOptions) {
    const { state, now } = options;
    this.organizations = savedProblems(state, now());
    const former = formerKeys.filter((key) => state.get(key) !== undefined);
    if (former.length > 0) this.save();
    for (const key of former) this.update(key, undefined);
    this.expire();
  }

  setOrganization(organizationId: string | undefined): void {
    this.hashes.organizationId = organizationId ?? '';
  }

  /**
   * Epoch ms; `undefined` if it is not muted now. A mute lasts until the end of the refresh that
   * finds the problem changed.
   */
  mutedUntil(problem: Identity): number | undefined {
    const { mutedUntil } = this.find(problem) ?? {};
    return mutedUntil !== undefined && mutedUntil > this.options.now() ? mutedUntil : undefined;
  }

  isMutedUntilChange(problem: Identity): boolean {
    return (
      this.mutedUntil(problem) !== undefined && this.find(problem)?.isMutedUntilChange === true
    );
  }

  /**
   * Epoch ms; `undefined` of a problem that no refresh has ended with, or that had another sign
   * then.
   */
  seenSince(problem: Identity): number | undefined {
    const known = this.find(problem);
    return known && this.hashes.canHaveSign(problem, known.sign) ? known.since : undefined;
  }

  notifies(problem: Identity): boolean {
    return this.find(problem)?.notifiedSign !== undefined;
  }

  /** Whether the user wants to be notified of any fix in the organization that is shown. */
  get isNotifying(): boolean {
    const problems = this.remembered?.problems.values() ?? [];
    return Array.from(problems).some(({ notifiedSign }) => notifiedSign !== undefined);
  }

  /** Notifies once: of the fix or of the change that a refresh finds. Ends silently with `mute`. */
  notifyWhenFixed(found: readonly DeploymentProblem[]): void {
    const { problems } = this.remembered ?? this.begin();
    for (const one of found) {
      const known =
        this.find(one.problem) ??
        this.toRemember(one, [this.hashes.ofDeployment(one.deployment.id)]);
      const notifiedSign = this.hashes.ofSign(one.problem) || known.sign;
      problems.set(this.hashes.ofKey(one.problem.key), { ...known, notifiedSign });
    }
    this.save();
    this.notifyingChanged.fire();
  }

  stopNotifying(problems: readonly Problem[]): void {
    for (const problem of problems) {
      const known = this.find(problem);
      if (known)
        this.remembered?.problems.set(this.hashes.ofKey(problem.key), {
          ...known,
          notifiedSign: undefined,
        });
    }
    this.save();
    this.notifyingChanged.fire();
  }

  /**
   * Returns one listed deployment for each problem whose fix the user wants to be notified of: one
   * that named it when last read, in this window or an earlier one.
   */
  holdersToNotifyOf(listed: readonly Deployment[]): readonly Deployment[] {
    const notified = this.notifiedProblems();
    if (notified.length === 0) return [];
    const byHash = new Map(
      listed.map((deployment) => [this.hashes.ofDeployment(deployment.id), deployment]),
    );
    const chosen = new Set<Deployment>();
    for (const [, { holders }] of notified) {
      const having = holders.flatMap((holder) => byHash.get(holder) ?? []);
      if (having.some((deployment) => chosen.has(deployment))) continue;
      const [holder] = having.toSorted((a, b) => Number(isUnreadable(a)) - Number(isUnreadable(b)));
      if (holder) chosen.add(holder);
    }
    return [...chosen];
  }

  /**
   * `until`: epoch ms. `isUntilChange`: it is only the latest end of a mute until the problem
   * changes. A user who mutes a problem wants no notification of it.
   */
  mute(found: readonly DeploymentProblem[], until: number, isUntilChange = false): void {
    const { problems } = this.remembered ?? this.begin();
    const wasNotifying = found.some(({ problem }) => this.notifies(problem));
    for (const one of found) {
      const key = this.hashes.ofKey(one.problem.key);
      const known =
        problems.get(key) ?? this.toRemember(one, [this.hashes.ofDeployment(one.deployment.id)]);
      const mutedSign = this.hashes.ofSign(one.problem) || known.sign;
      const mute = { mutedUntil: until, isMutedUntilChange: isUntilChange, mutedSign };
      problems.set(key, { ...known, ...mute, notifiedSign: undefined });
    }
    this.mutesHaveChanged();
    if (wasNotifying) this.notifyingChanged.fire();
  }

  unmute(problems: readonly Problem[]): void {
    for (const problem of problems) {
      const known = this.find(problem);
      if (known)
        this.remembered?.problems.set(this.hashes.ofKey(problem.key), {
          ...known,
          mutedUntil: undefined,
        });
    }
    this.mutesHaveChanged();
  }

  /**
   * At the end of a refresh: remembers what the newest good answers show, and forgets what they
   * show gone or changed. What could not be read ends nothing.
   */
  endRefresh(listed: readonly Deployment[]): void {
    this.expire();
    const read = listed.filter(({ answer }) => answer);
    if (read.length === 0) return;
    const isFirst = this.remembered === undefined;
    const remembered = this.remembered ?? this.begin();
    const hasListChanged = this.noteWhatLeft(remembered, listed);
    const shown = shownIn(read);
    const ended = this.endedNotifications(remembered, shown, listed);
    const changes = this.changesTo(remembered, shown, read, ended);
    const outcomes = [...ended.values()].filter((outcome) => outcome.kind !== 'unlisted');
    const found = withoutChanged(this.newProblems(remembered, shown), outcomes);
    const hasUnmuted = Array.from(changes).some(
      ([key, after]) =>
        remembered.problems.get(key)?.mutedUntil !== undefined && after?.mutedUntil === undefined,
    );
    for (const [key, after] of changes) {
      if (after) remembered.problems.set(key, after);
      else remembered.problems.delete(key);
    }
    const firstReading = this.firstReadings.get(this.hashes.ofOrganization);
    for (const { id } of read) firstReading?.add(id);
    for (const key of ended.keys()) {
      const known = remembered.problems.get(key);
      if (known) remembered.problems.set(key, { ...known, notifiedSign: undefined });
    }
    if (isFirst || hasListChanged || changes.size > 0 || ended.size > 0) this.save();
    if (hasUnmuted) this.mutesChanged.fire();
    if (found.length > 0) this.newProblemsFound.fire(found);
    if (ended.size > 0) this.notifyingChanged.fire();
    if (outcomes.length > 0) this.outcomesFound.fire(outcomes);
  }

  /** Forgets all other organizations. */
  keepOrganizations(ids: Iterable<string>): void {
    const kept = new Set(Array.from(ids, (id) => this.hashes.ofAnyOrganization(id)));
    const gone = [...this.organizations.keys()].filter((organization) => !kept.has(organization));
    if (gone.length === 0) return;
    for (const organization of gone) {
      this.organizations.delete(organization);
      this.firstReadings.delete(organization);
    }
    this.mutesHaveChanged();
  }

  dispose(): void {
    this.timer?.dispose();
    this.mutesChanged.dispose();
    this.newProblemsFound.dispose();
    this.notifyingChanged.dispose();
    this.outcomesFound.dispose();
  }

  private get remembered(): RememberedProblems | undefined {
    return this.organizations.get(this.hashes.ofOrganization);
  }

  private begin(): RememberedProblems {
    const remembered: RememberedProblems = { problems: new Map(), left: new Map() };
    this.organizations.set(this.hashes.ofOrganization, remembered);
    this.firstReadings.set(this.hashes.ofOrganization, new Set());
    return remembered;
  }

  private find(problem: Identity): RememberedProblem | undefined {
    return this.remembered?.problems.get(this.hashes.ofKey(problem.key));
  }

  private toRemember(
    { deployment, problem }: DeploymentProblem,
    holders: readonly string[],
  ): RememberedProblem {
    const since = this.seenSince(problem) ?? deployment.answer?.asOf ?? this.options.now();
    return { since, sign: this.hashes.ofSign(problem), holders };
  }

  /**
   * Notes when deployments that hold a problem left the list. Returns whether one did, or came
   * back.
   */
  private noteWhatLeft(
    { problems, left }: RememberedProblems,
    listed: readonly Deployment[],
  ): boolean {
    const now = this.options.now();
    const inList = new Set(listed.map(({ id }) => this.hashes.ofDeployment(id)));
    const holders = new Set(Array.from(problems.values(), (problem) => problem.holders).flat());
    let hasChanged = false;
    for (const holder of holders) {
      if (inList.has(holder) || left.has(holder)) continue;
      left.set(holder, now);
      hasChanged = true;
    }
    for (const deployment of left.keys()) {
      // One that left long ago stays until it holds nothing: else it would seem to leave the list
      // once more.
      if (holders.has(deployment) && !inList.has(deployment)) continue;
      left.delete(deployment);
      hasChanged = true;
    }
    return hasChanged;
  }

  /**
   * Returns by the hash of a key what has to be remembered instead; `undefined`: nothing any more.
   */
  private changesTo(
    remembered: RememberedProblems,
    shown: ShownProblems,
    read: readonly Deployment[],
    ended: ReadonlyMap<string, Ended>,
  ): ReadonlyMap<string, RememberedProblem | undefined> {
    const changes = new Map<string, RememberedProblem | undefined>();
    const mayHold = this.thoseThatMayHold(remembered.left, read);
    const shownKeys = new Set<string>();
    for (const [key, one] of shown.problems) {
      const hashed = this.hashes.ofKey(key);
      shownKeys.add(hashed);
      const before = remembered.problems.get(hashed);
      const holders = new Set(shown.holders.get(key)?.map((id) => this.hashes.ofDeployment(id)));
      for (const holder of before?.holders ?? []) if (mayHold(holder)) holders.add(holder);
      if (before && this.hashes.canHaveSign(one.problem, before.sign)) {
        const sign = this.hashes.ofSign(one.problem) || before.sign;
        // The first sign that can be read is the one that the user saw.
        const notifiedSign = before.notifiedSign === '' ? sign : before.notifiedSign;
        const isSame = sign === before.sign && isSameList(before.holders, [...holders]);
        if (!isSame) changes.set(hashed, { ...before, sign, notifiedSign, holders: [...holders] });
        continue;
      }
      const isMuted = before !== undefined && before.mutedSign === this.hashes.ofSign(one.problem);
      const after = { ...this.toRemember(one, [...holders]), notifiedSign: before?.notifiedSign };
      const mute = isMuted && {
        mutedUntil: before.mutedUntil,
        isMutedUntilChange: before.isMutedUntilChange,
      };
      changes.set(hashed, { ...after, ...mute });
    }
    // Hashing the keys of all accounts that work takes time, so it is done only if a problem is not
    // shown.
    const sound = lazy(() => this.hashed(shown.workingAccounts.keys()));
    const unknown = lazy(() => this.hashed(unknownRequirements(read)));
    for (const [key, { holders, notifiedSign }] of remembered.problems) {
      if (shownKeys.has(key) || (notifiedSign !== undefined && !ended.has(key))) continue;
      const isGone = sound().has(key) || !holders.some(mayHold);
      if (isGone && !unknown().has(key)) changes.set(key, undefined);
    }
    return changes;
  }

  /**
   * Returns whether a deployment that held a problem may hold it still, because it was not read
   * whole or left the list.
   */
  private thoseThatMayHold(
    left: RememberedProblems['left'],
    read: readonly Deployment[],
  ): (holder: string) => boolean {
    const now = this.options.now();
    const whole = read.filter(({ answer }) => answer && !answer.findings.mayHideProblem);
    const readWhole = new Set(whole.map(({ id }) => this.hashes.ofDeployment(id)));
    return (holder) => {
      const leftAt = left.get(holder);
      return leftAt === undefined ? !readWhole.has(holder) : now - leftAt < maxLeftMs;
    };
  }

  private newProblems(
    { problems }: RememberedProblems,
    shown: ShownProblems,
  ): readonly DeploymentProblem[] {
    const firstReading = this.firstReadings.get(this.hashes.ofOrganization);
    return Array.from(shown.problems.values()).filter(({ deployment, problem }) => {
      const { sign, mutedSign } = problems.get(this.hashes.ofKey(problem.key)) ?? {};
      const isKnown = [sign, mutedSign].some(
        (known) => known !== undefined && this.hashes.canHaveSign(problem, known),
      );
      return !isKnown && (firstReading === undefined || firstReading.has(deployment.id));
    });
  }

  private notifiedProblems(): readonly (readonly [key: string, RememberedProblem])[] {
    const problems = this.remembered?.problems ?? [];
    return Array.from(problems).filter(([, { notifiedSign }]) => notifiedSign !== undefined);
  }

  /**
   * Returns by the hash of a key what became of each problem that the user wants to be notified of.
   * What still is as it was, or could not be read, is left out.
   */
  private endedNotifications(
    { left, problems }: RememberedProblems,
    shown: ShownProblems,
    listed: readonly Deployment[],
  ): ReadonlyMap<string, Ended> {
    const ended = new Map<string, Ended>();
    const notified = this.notifiedProblems();
    if (notified.length === 0) return ended;
    const mayHold = this.thoseThatMayHold(left, listed);
    const outcomes = new Outcomes({
      hashes: this.hashes,
      listed,
      shown,
      remembered: problems,
      mayHold,
    });
    for (const [key, known] of notified) {
      const outcome = outcomes.endOf(key, known);
      if (outcome) ended.set(key, outcome);
    }
    return ended;
  }

  private hashed(keys: Iterable<string>): ReadonlySet<string> {
    return new Set(Array.from(keys, (key) => this.hashes.ofKey(key)));
  }

  private mutesHaveChanged(): void {
    this.save();
    this.waitForEnd();
    this.mutesChanged.fire();
  }

  private save(): void {
    this.update(savedProblemsKey, toSave(this.organizations));
  }

  private update(key: string, value: unknown): void {
    // If this fails, only what is remembered is lost with the window, for which nothing is asked.
    this.options.state.update(key, value).then(undefined, (error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      this.options.log.warn(`Problems could not be remembered: ${reason}`);
    });
  }

  /** Ends the mutes whose time is over. */
  private expire(): void {
    const now = this.options.now();
    let hasExpired = false;
    for (const { problems } of this.organizations.values()) {
      for (const [key, problem] of problems) {
        if (problem.mutedUntil === undefined || problem.mutedUntil > now) continue;
        problems.set(key, { ...problem, mutedUntil: undefined });
        hasExpired = true;
      }
    }
    if (hasExpired) this.mutesHaveChanged();
    else this.waitForEnd();
  }

  private waitForEnd(): void {
    this.timer?.dispose();
    this.timer = undefined;
    let next = Infinity;
    for (const { problems } of this.organizations.values()) {
      for (const { mutedUntil = Infinity } of problems.values()) next = Math.min(next, mutedUntil);
    }
    if (next === Infinity) return;
    const left = (): number => next - this.options.now();
    this.timer = whenOver(left, () => this.expire(), this.options.setTimer);
  }
}

/** What is told as a change of a problem that the user knows is not told as a new one. */
function withoutChanged(
  found: readonly DeploymentProblem[],
  outcomes: readonly Outcome[],
): readonly DeploymentProblem[] {
  const changed = outcomes.flatMap((outcome) =>
    outcome.kind === 'changed' ? outcome.problem.key : [],
  );
  return found.filter(({ problem }) => !changed.includes(problem.key));
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((one, at) => one === b[at]);
}
