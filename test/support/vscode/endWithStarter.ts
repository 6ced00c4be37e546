// Preloaded into the server: if whoever started it is killed, nobody is left to end it.
import { whenGone } from '../parent.js';

whenGone(process.ppid, 2000, () => {
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch {
    // In the extension host, which inherits this: not the leader of a group. On Windows there are no groups.
    process.exit(1);
  }
});
