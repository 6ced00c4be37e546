import type { SetTimer } from '../timers.js';
import type { WireResult } from './wire.js';

interface Tries {
  readonly signal: AbortSignal;
  readonly requestTimeout: number;
  readonly setTimer: SetTimer;
  /** Sends the request on the kept connection. Never rejects, like `sendOnNew`. */
  readonly sendOnKept: () => Promise<WireResult>;
  /** Whether a byte has come on the kept connection since the request was sent there. */
  readonly hasByte: () => boolean;
  readonly dropKept: () => void;
  readonly sendOnNew: (signal: AbortSignal) => Promise<WireResult>;
}

const maxSilenceMs = 10_000;

/**
 * Sends a GET on a kept connection, and once more on a new one while no byte comes: a connection may
 * have died without a word, for example while the machine slept. The first whole answer counts, and
 * the other try is aborted.
 */
export async function sendWithSecondTry(tries: Tries): Promise<WireResult> {
  const { dropKept, hasByte, requestTimeout, sendOnKept, sendOnNew, setTimer, signal } = tries;
  let isKeptBusy = true;
  const first = sendOnKept().finally(() => {
    isKeptBusy = false;
  });
  const silenceMs = Math.min(requestTimeout / 2, maxSilenceMs);
  if (!(await isLate(first, silenceMs, setTimer)) || hasByte()) return first;
  const stop = new AbortController();
  const result = await firstWhole(first, sendOnNew(AbortSignal.any([signal, stop.signal])));
  // If the kept connection has answered meanwhile, another request may be on it already.
  if (isKeptBusy) dropKept();
  stop.abort();
  return result;
}

function isLate(first: Promise<unknown>, ms: number, setTimer: SetTimer): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimer(() => resolve(true), ms);
    const inTime = (): void => {
      timer.dispose();
      resolve(false);
    };
    void first.then(inTime);
  });
}

/** Waits for both where the first one to end has failed. Where both have, a status says the most, and a time-out the least. */
async function firstWhole(
  first: Promise<WireResult>,
  second: Promise<WireResult>,
): Promise<WireResult> {
  const early = await Promise.race([first, second]);
  if (isWhole(early)) return early;
  const results = await Promise.all([first, second]);
  const answer = results.find(isWhole) ?? results.find(({ kind }) => kind === 'answer');
  return answer ?? reasonOf(...results);
}

/** Why no answer came. That the time is up says less of the kept connection than why there is no new one. */
function reasonOf(kept: WireResult, fresh: WireResult): WireResult {
  const isTimeUp = kept.kind === 'unanswered' && kept.failure.kind === 'timedOut';
  // The request has been sent on the kept one.
  return isTimeUp && fresh.kind === 'unanswered' ? { ...fresh, maybeSent: true } : kept;
}

function isWhole(result: WireResult): boolean {
  return result.kind === 'answer' && result.end !== 'cut';
}
