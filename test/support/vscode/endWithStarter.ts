// Preloaded into the server: if whoever started it is killed, nobody is left to end it.
const starter = process.ppid;
setInterval(() => {
  if (process.ppid !== starter) {
    try {
      process.kill(-process.pid, 'SIGKILL');
    } catch {
      // In the extension host, which inherits this: not the leader of a group.
      process.exit(1);
    }
  }
}, 2000).unref();
