/** How long an effect may take before we give up: two hosts share two cores. */
const patience = 15_000;

/**
 * Asks again and again until the answer is neither `undefined` nor `false`. What it says when it gives up includes what
 * `seen` last saw.
 */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined | false>,
  { timeout = patience, seen }: { timeout?: number; seen?: () => unknown } = {},
): Promise<T> {
  const start = Date.now();
  let failure: unknown;
  for (;;) {
    try {
      const answer = await ask();
      if (answer !== undefined && answer !== false) return answer;
      failure = undefined;
    } catch (error) {
      // The workbench replaced what we were looking at; the next look sees the new.
      failure = error;
    }
    const waited = Date.now() - start;
    if (waited > timeout) {
      const last = seen ? `; seen: ${JSON.stringify(await seen(), undefined, 1)}` : '';
      const error = new Error(`Waited in vain for ${what}${last}`, { cause: failure });
      // Playwright shows the line on top of the stack, which is to be the caller's.
      Error.captureStackTrace(error, until);
      throw error;
    }
    // Each look costs the page some time, so what takes longer is looked at less often.
    const pause = Math.min(120, 20 + waited / 5);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** Reads again and again until it is as wanted, and gives up with what it read last. */
export async function untilRead<T>(what: string, read: () => Promise<T>, wanted: (seen: T) => boolean): Promise<T> {
  let last: T | undefined;
  const look = async () => {
    last = await read();
    return wanted(last) && { read: last };
  };
  return (await until(what, look, { seen: () => last })).read;
}

/** How tests name what they expect to read: the whole text, or an expression that matches in it. */
export type Expected = string | RegExp;

export function fits(text: string, expected: Expected): boolean {
  return typeof expected === 'string' ? text === expected : expected.test(text);
}
