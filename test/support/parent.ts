/** Calls `then` when the process `pid`, our parent, has ended. On Windows `process.ppid` stays what it was, so it is asked too. */
export function whenGone(pid: number, interval: number, then: () => void): void {
  const timer = setInterval(() => {
    if (process.ppid === pid && isAlive(pid)) return;
    clearInterval(timer);
    then();
  }, interval).unref();
}

function isAlive(pid: number): boolean {
  try {
    // Signal 0 only asks.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It lives, and belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
