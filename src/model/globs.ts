/** For one pattern, and for all together. */
export const maxGlobs = 500;
/** Longer than any that a user writes. */
const maxPatternChars = 10_000;

/** The globs that patterns stand for. */
export interface ExpandedGlobs {
  /** Without braces. */
  readonly globs: readonly string[];
  /** The patterns that are too long, stand for too many globs, or have braces that do not match. */
  readonly unread: readonly string[];
}

/** Expands the braces of patterns, which can be nested: `a/c` and `b/c` for `{a,b}/c`. */
export function globsOf(patterns: readonly string[]): ExpandedGlobs {
  const globs: string[] = [];
  const unread: string[] = [];
  for (const pattern of patterns) {
    const isFew = countGlobs(pattern) <= maxGlobs - globs.length;
    if (isFew) globs.push(...expanded(pattern));
    else unread.push(pattern);
  }
  return { globs, unread };
}

/**
 * The globs of the part of a pattern between two braces, while it is read. `T`: how many, or the
 * globs themselves.
 */
interface BraceLevel<T> {
  /** The choices before the last comma. */
  readonly finished: T;
  /**
   * The choice after the last comma. It can stand for several globs, because it can have braces.
   */
  readonly current: T;
}

/**
 * Returns how many globs a pattern stands for; Infinity if its braces do not match, or if it is too
 * long. They are counted before any is made, because each pair of braces multiplies them.
 */
function countGlobs(pattern: string): number {
  if (pattern.length > maxPatternChars) return Infinity;
  const outerLevels: BraceLevel<number>[] = [];
  let finished = 0;
  let current = 1;
  for (const [mark] of pattern.matchAll(/[{},]/g)) {
    if (mark === '{') {
      outerLevels.push({ finished, current });
      finished = 0;
      current = 1;
    } else if (mark === '}') {
      const outer = outerLevels.pop();
      if (!outer) return Infinity;
      current = outer.current * (finished + current);
      finished = outer.finished;
    } else if (outerLevels.length > 0) {
      finished += current;
      current = 1;
    }
  }
  return outerLevels.length === 0 ? current : Infinity;
}

/**
 * Returns the globs that a pattern stands for, in the same way as `countGlobs` counts them. Its
 * braces must match.
 */
function expanded(pattern: string): readonly string[] {
  const outerLevels: BraceLevel<readonly string[]>[] = [];
  let finished: readonly string[] = [];
  let current: readonly string[] = [''];
  for (const part of pattern.split(/([{},])/)) {
    if (part === '{') {
      outerLevels.push({ finished, current });
      finished = [];
      current = [''];
    } else if (part === '}') {
      const outer = outerLevels.pop()!;
      const choices = [...finished, ...current];
      current = outer.current.flatMap((beginning) => choices.map((choice) => beginning + choice));
      finished = outer.finished;
    } else if (part === ',' && outerLevels.length > 0) {
      finished = [...finished, ...current];
      current = [''];
    } else {
      current = current.map((beginning) => beginning + part);
    }
  }
  return current;
}
