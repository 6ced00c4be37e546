// Preloaded into the VS Code server, and inherited by the extension hosts that it starts.
import { readFileSync } from 'node:fs';
import { whenGone } from '../parent.js';

// If whoever started the server is killed, nobody is left to end it.
whenGone(process.ppid, 2000, () => {
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch {
    // In the extension host: not the leader of a group. On Windows there are no groups.
    process.exit(1);
  }
});

// An extension host takes the variables of its window from the file that the window names (openWindow.ts).
const file = process.env['VSCODE_PROXY_URI']?.split('#variables=')[1];
if (file !== undefined) Object.assign(process.env, JSON.parse(readFileSync(file, 'utf8')));
