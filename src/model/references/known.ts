import type { Deployment, DeploymentProblem } from '../deployment.js';
import { lazy } from '../lazy.js';
import type { AccountFinding } from '../problems/findings.js';

/** An id as a whole token in a text, from `start` up to `end`. */
export interface Reference {
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

/** An account as the newest answer that has it says, whichever deployment that was asked for. */
export interface KnownAccount {
  readonly deployment: Deployment;
  readonly finding: AccountFinding;
}

/** What a reference stands for. One id can be both. */
export interface ReferenceTarget {
  readonly deployment?: Deployment | undefined;
  readonly account?: KnownAccount | undefined;
}

/** Account ids of fewer than four characters would be found in any text. */
const tooShort = /^.{0,3}$/su;

/** What the known ids mean. */
export class ReferenceTargets {
  readonly index: ReferenceIndex;
  private readonly deployments: ReadonlyMap<string, Deployment>;
  private readonly accounts = new Map<string, KnownAccount>();

  /** With the same ids the index `before` is kept, because another one makes every document be scanned again. */
  constructor(deployments: readonly Deployment[], before?: ReferenceIndex) {
    this.deployments = new Map(deployments.map((deployment) => [deployment.id, deployment]));
    for (const deployment of deployments) {
      const { findings, receivedAt = 0 } = deployment.answer ?? {};
      for (const finding of findings?.accounts ?? []) {
        const { id = '' } = finding.account;
        const known = this.accounts.get(id)?.deployment.answer;
        // Of two accounts with one id in the same answer the first counts, which is the worse one.
        const isNewer = known === undefined || receivedAt > known.receivedAt;
        if (isNewer && !tooShort.test(id)) this.accounts.set(id, { deployment, finding });
      }
    }
    const ids = new Set([...this.deployments.keys(), ...this.accounts.keys()]);
    const isSame = before?.ids.size === ids.size && [...ids].every((id) => before.ids.has(id));
    this.index = isSame ? before : new ReferenceIndex(ids);
  }

  /** What stands at a place in a line. Two ids can, if one holds the other: the longer comes first. */
  at(line: string, character: number): readonly Reference[] {
    return this.index
      .scan(line)
      .filter(({ start, end }) => start <= character && character <= end)
      .toSorted((a, b) => b.end - b.start - (a.end - a.start));
  }

  of(id: string): ReferenceTarget {
    return { deployment: this.deployments.get(id), account: this.accounts.get(id) };
  }

  /** All problems of a deployment; of an account its own, once. None that are muted. */
  problemsOf(id: string): readonly DeploymentProblem[] {
    const { deployment, account } = this.of(id);
    const problems = deployment?.answer?.findings.problems.map((problem) => ({ deployment, problem })) ?? [];
    const own = account?.finding.problem;
    if (!own || own.mutedUntil !== undefined || problems.some(({ problem }) => problem === own)) return problems;
    return [...problems, { deployment: account.deployment, problem: own }];
  }
}

/**
 * Finds many ids in a text. Where an id stands, its core is a whole run of token characters of the text too, and covers one of any
 * k neighbouring places (k: the shortest core). So it is enough to look at every k-th character, widen to the run and look that
 * up in a map: the time hardly depends on the number of ids.
 */
export class ReferenceIndex {
  readonly ids: ReadonlySet<string>;
  /** Ids by their core, the longest run of token characters in each. */
  private readonly cores = new Map<string, string[]>();
  private readonly coreLengths: ReadonlySet<number>;
  private readonly shortest: number;
  /** Ids without any token character. */
  private readonly plain: string[] = [];

  /** An id with a line break can't stand in a line, and one with half a character can't be requested, so neither is looked for. */
  constructor(ids: Iterable<string>) {
    this.ids = new Set(ids);
    for (const id of this.ids) {
      const core = coreOf(id);
      if (id === '' || (core !== id && /[\r\n]|\p{Surrogate}/u.test(id))) continue;
      const same = this.cores.get(core);
      if (core === '') this.plain.push(id);
      else if (same) same.push(id);
      else this.cores.set(core, [id]);
    }
    this.coreLengths = new Set(Array.from(this.cores.keys(), (core) => core.length));
    this.shortest = Math.min(...this.coreLengths);
  }

  /** In the order of the text. */
  scan(text: string): readonly Reference[] {
    const { cores, coreLengths, shortest } = this;
    const found: Reference[] = [];
    for (let at = shortest - 1; at < text.length; at += shortest) {
      if (!isToken(text, at)) continue;
      let start = at;
      while (isToken(text, start - 1)) start--;
      while (isToken(text, ++at));
      // Most runs have a length that no core has, and making a string of them costs more than everything else.
      if (!coreLengths.has(at - start)) continue;
      const core = text.slice(start, at);
      for (const id of cores.get(core) ?? []) this.take(id, text, start - id.indexOf(core), found);
    }
    for (const id of this.plain) {
      for (let start = text.indexOf(id); start >= 0; start = text.indexOf(id, start + 1)) {
        this.take(id, text, start, found);
      }
    }
    return found.toSorted((a, b) => a.start - b.start || a.end - b.end);
  }

  /** Adds the id if it stands there and borders on no token character. */
  private take(id: string, text: string, start: number, found: Reference[]): void {
    const end = start + id.length;
    if (!text.startsWith(id, start) || isToken(text, start - 1) || isToken(text, end)) return;
    found.push({ id, start, end });
  }
}

/** Of several runs of one length the first. */
function coreOf(id: string): string {
  const runs = id.match(/[\p{L}\p{N}\p{M}_-]+/gu) ?? [];
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest), '');
}

const tokenCharacter = /^[\p{L}\p{N}\p{M}_-]$/u;

/** Made once, because a scan asks a million times. */
const tokenUnits = lazy(() =>
  Uint8Array.from({ length: 0x10000 }, (_, unit) => Number(tokenCharacter.test(String.fromCharCode(unit)))),
);

/** Whether the UTF-16 unit at `at` belongs to a token character. Both halves of a surrogate pair do; outside of the text none does. */
function isToken(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit >= 0xd800 && unit <= 0xdfff) {
    const start = unit < 0xdc00 ? at : at - 1;
    return tokenCharacter.test(text.slice(start, start + 2));
  }
  return tokenUnits()[unit] === 1;
}
