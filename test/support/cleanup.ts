// Whatever a run starts or writes outside of the checkout ends with it, also on Ctrl+C and when our parent dies.

type Cleanup = () => Promise<void> | void;

const pending = new Set<Cleanup>();
let installed = false;
let ending = false;

/** Runs `cleanup` when the process is told to end; the returned function runs it now, once. */
export function onEnd(cleanup: Cleanup): () => Promise<void> {
  installHandlers();
  pending.add(cleanup);
  return async () => {
    if (pending.delete(cleanup)) {
      await cleanup();
    }
  };
}

/** Are we ending already, so that whatever ends now does so because of us? */
export function isEnding(): boolean {
  return ending;
}

/** Ends everything that is still open, the newest first. */
export async function cleanUp(): Promise<void> {
  ending = true;
  for (const cleanup of [...pending].toReversed()) {
    if (pending.delete(cleanup)) {
      try {
        await cleanup();
      } catch (error) {
        console.error('While cleaning up:', error);
      }
    }
  }
}

/** Whoever started us can be killed without a word to us; then our parent is another process. */
export function endWithParent(): void {
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGTERM'), 1000).unref();
}

function end(code: number): void {
  void cleanUp().finally(() => process.exit(process.exitCode ?? code));
}

function installHandlers(): void {
  if (installed) {
    return;
  }
  installed = true;
  process.once('SIGINT', () => end(130));
  process.once('SIGTERM', () => end(143));
  process.once('SIGHUP', () => end(129));
  process.once('uncaughtException', (error) => {
    console.error(error);
    process.exitCode = 1;
    end(1);
  });
  // A runner that is started by another runner has a channel to it: closed means that the other one is gone.
  process.once('disconnect', () => end(1));
}
