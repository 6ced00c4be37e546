// Whatever a run starts or writes outside of the checkout ends with it, also on Ctrl+C.

type Cleanup = () => Promise<void> | void;

const pending = new Set<Cleanup>();
let installed = false;
let ending: Promise<void> | undefined;

/** Runs `cleanup` when the process is told to end; the returned function runs it now, once. */
export function onEnd(cleanup: Cleanup): () => Promise<void> {
  installHandlers();
  pending.add(cleanup);
  return async () => {
    if (pending.delete(cleanup)) await cleanup();
  };
}

export function cleanUp(): Promise<void> {
  ending ??= endAll();
  return ending;
}

async function endAll(): Promise<void> {
  // What is started meanwhile is ended too.
  while (pending.size > 0) {
    const cleanup = [...pending].at(-1)!;
    pending.delete(cleanup);
    try {
      await cleanup();
    } catch (error) {
      console.error('While cleaning up:', error);
    }
  }
}

/** What waits for something that ends because we end waits for ever: nothing is to go on. */
export async function unlessEnding<T>(event: Promise<T>): Promise<T> {
  try {
    return await event;
  } finally {
    if (ending) {
      await new Promise<never>(() => {});
    }
  }
}

function end(code: number): void {
  void cleanUp().finally(() => process.exit(process.exitCode ?? code));
}

function installHandlers(): void {
  if (installed) return;
  installed = true;
  // Not `once`: a second signal, from a runner above us, is not to cut the ending short.
  process.on('SIGINT', () => end(130));
  process.on('SIGTERM', () => end(143));
  process.on('SIGHUP', () => end(129));
  process.once('uncaughtException', (error) => {
    console.error(error);
    process.exitCode = 1;
    end(1);
  });
  // A runner that is started by another runner has a channel to it: closed means that the other one is gone.
  process.once('disconnect', () => end(1));
}
