/** For one pattern, and for all together. */
export const maxGlobs = 500;
/** Longer than any that a person writes. */
const maxPatternChars = 10_000;

/**
 * The globs without braces that patterns stand for, two for `{a,b}/c`; braces can stand in braces.
 * `unread`: the patterns whose braces do not match, or that stand for too many globs.
 */
export function globsOf(patterns: readonly string[]) {
  const globs: string[] = [];
  const unread: string[] = [];
  for (const pattern of patterns) {
    if (countGlobs(pattern) <= maxGlobs - globs.length) globs.push(...expanded(pattern));
    else unread.push(pattern);
  }
  return { globs, unread };
}

/**
 * How many globs a pattern stands for; Infinity if its braces do not match. Counted before any is
 * made, because each pair of braces multiplies them.
 */
function countGlobs(pattern: string): number {
  if (pattern.length > maxPatternChars) return Infinity;
  const outer: { readonly ended: number; readonly open: number }[] = [];
  /** In the innermost braces: how many globs before the last comma, and how many behind it. */
  let ended = 0;
  let open = 1;
  for (const [mark] of pattern.matchAll(/[{},]/g)) {
    if (mark === '{') {
      outer.push({ ended, open });
      ended = 0;
      open = 1;
    } else if (mark === '}') {
      const before = outer.pop();
      if (!before) return Infinity;
      open = before.open * (ended + open);
      ended = before.ended;
    } else if (outer.length > 0) {
      ended += open;
      open = 1;
    }
  }
  return outer.length === 0 ? open : Infinity;
}

/** The same with the globs themselves. The braces match. */
function expanded(pattern: string): readonly string[] {
  const outer: { readonly ended: readonly string[]; readonly open: readonly string[] }[] = [];
  let ended: readonly string[] = [];
  let open: readonly string[] = [''];
  for (const part of pattern.split(/([{},])/)) {
    if (part === '{') {
      outer.push({ ended, open });
      ended = [];
      open = [''];
    } else if (part === '}') {
      const before = outer.pop()!;
      const choices = [...ended, ...open];
      open = before.open.flatMap((beginning) => choices.map((choice) => beginning + choice));
      ended = before.ended;
    } else if (part === ',' && outer.length > 0) {
      ended = [...ended, ...open];
      open = [''];
    } else {
      open = open.map((beginning) => beginning + part);
    }
  }
  return open;
}
