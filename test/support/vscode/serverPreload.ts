// Preloaded into the VS Code server, and inherited by the extension hosts that it starts.
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { IncomingMessage, Server, ServerResponse } from 'node:http';
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

// With a key the workbench keeps secrets in the browser's storage, so that they survive a reload as on the desktop.
Reflect.set(Server.prototype, 'emit', function (this: Server, name: string, ...given: unknown[]): boolean {
  const [request, response] = given;
  const isForKey = request instanceof IncomingMessage && /\/mint-key(?:\?|$)/.test(request.url ?? '');
  if (!isForKey || !(response instanceof ServerResponse)) {
    return EventEmitter.prototype.emit.call(this, name, ...given);
  }
  response.end(Buffer.alloc(32, 7));
  return true;
});

// An extension host takes the variables of its window from the file that the window names (openWindow.ts).
const file = process.env['VSCODE_PROXY_URI']?.split('#variables=')[1];
if (file !== undefined) Object.assign(process.env, JSON.parse(readFileSync(file, 'utf8')));
