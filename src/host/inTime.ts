import { setTimer as realTimer, type SetTimer, type Timer } from '../api/timers.js';

/** How long VS Code may take to answer where others wait behind it. Nothing that waits for a person is bounded. */
export const maxAnswerMs = 10_000;

/**
 * Resolves or rejects as `answer` does. Rejects with `late()` once VS Code has not answered for ten seconds: it may
 * still do what it was asked for.
 */
export async function inTime<T>(
  answer: PromiseLike<T>,
  late: () => Error,
  setTimer: SetTimer = realTimer,
): Promise<T> {
  let timer: Timer | undefined;
  const timeUp = new Promise<never>((_, reject) => {
    timer = setTimer(() => reject(late()), maxAnswerMs);
  });
  try {
    return await Promise.race([answer, timeUp]);
  } finally {
    timer?.dispose();
  }
}
