import type { SetTimer } from '../timers.js';
import type { WireResult } from './wire.js';

interface Tries {
  /** Of the request. */
  readonly signal: AbortSignal;
  /** Ms. */
  readonly requestTimeout: number;
  readonly setTimer: SetTimer;
  /** Sends the request on the kept connection. Never rejects. */
  readonly sendOnKept: () => Promise<WireResult>;
  /** Whether a byte has come on the kept connection since the request was sent there. */
  readonly hasByte: () => boolean;
  /** Closes the kept connection. */
  readonly dropKept: () => void;
  /** Sends the request on a new connection. Never rejects. */
  readonly sendOnNew: (signal: AbortSignal) => Promise<WireResult>;
}

const maxSilenceMs = 10_000;

/**
 * Sends a GET on a kept connection, and on a new one as well if no byte has come after half of the
 * time-out, at most 10 seconds: a connection may have died without a sign, for example while the
 * machine slept. The first whole answer counts, and the other try is aborted. Never rejects.
 */
export async function sendWithSecondTry(tries: Tries): Promise<WireResult> {
  const { dropKept, hasByte, requestTimeout, sendOnKept, sendOnNew, setTimer, signal } = tries;
  let isKeptBusy = true;
  const onKept = sendOnKept().finally(() => {
    isKeptBusy = false;
  });
  const silenceMs = Math.min(requestTimeout / 2, maxSilenceMs);
  const hasEnded = await endsWithin(silenceMs, onKept, setTimer);
  if (hasEnded || hasByte()) return onKept;

  const stop = new AbortController();
  const onNew = sendOnNew(AbortSignal.any([signal, stop.signal]));
  const result = await firstWhole(onKept, onNew);
  // If the kept connection has answered meanwhile, another request may already use it.
  if (isKeptBusy) dropKept();
  stop.abort();
  return result;
}

/** Whether the promise resolves within so many ms. */
function endsWithin(ms: number, promise: Promise<unknown>, setTimer: SetTimer): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimer(() => resolve(false), ms);
    const inTime = (): void => {
      timer.dispose();
      resolve(true);
    };
    void promise.then(inTime);
  });
}

/** Resolves with the first whole answer. If there is none, an answer that was cut says the most. */
async function firstWhole(
  onKept: Promise<WireResult>,
  onNew: Promise<WireResult>,
): Promise<WireResult> {
  const first = await Promise.race([onKept, onNew]);
  if (isWhole(first)) return first;
  const [kept, fresh] = await Promise.all([onKept, onNew]);
  const results = [kept, fresh];
  const answer = results.find(isWhole) ?? results.find(({ kind }) => kind === 'answer');
  return answer ?? withoutAnswer(kept, fresh);
}

/** Why a new connection failed says more than that the time is up for the kept one. */
function withoutAnswer(kept: WireResult, fresh: WireResult): WireResult {
  const isTimeUp = kept.kind === 'unanswered' && kept.failure.kind === 'timedOut';
  if (!isTimeUp || fresh.kind !== 'unanswered') return kept;
  // The request was sent on the kept connection.
  return { ...fresh, maybeSent: true };
}

function isWhole(result: WireResult): boolean {
  return result.kind === 'answer' && result.end !== 'cut';
}
