// Preloaded into the VS Code server, and inherited by the extension hosts that it starts.
import { readFileSync } from 'node:fs';

// If whoever started the server is killed, nobody is left to end it. On Windows `ppid` stays what it was.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid === parent) return;
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch {
    // In the extension host: not the leader of a group.
    process.exit(1);
  }
}, 2000).unref();

// An extension host takes the variables of its window from the file that the window names (openWindow.ts).
const file = process.env['VSCODE_PROXY_URI']?.split('#variables=')[1];
if (file !== undefined) Object.assign(process.env, JSON.parse(readFileSync(file, 'utf8')));
