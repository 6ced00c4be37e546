// Preloaded into the server: of what it starts, an extension host takes the variables of its window from the file that the
// window names (openWindow.ts).
import { readFileSync } from 'node:fs';

const file = process.env['VSCODE_PROXY_URI']?.split('#variables=')[1];
if (file !== undefined) {
  const variables: Readonly<Record<string, string>> = JSON.parse(readFileSync(file, 'utf8'));
  Object.assign(process.env, variables);
  const now = variables['AUTOMATION_PLATFORM_TEST_NOW'];
  if (now !== undefined) stopClock(Date.parse(now));
}

/** For pictures, which are not to change with the time of day. */
function stopClock(at: number): void {
  globalThis.Date = new Proxy(Date, {
    construct: (target, given, newTarget) => Reflect.construct(target, given.length === 0 ? [at] : given, newTarget),
    get: (target, name) => (name === 'now' ? () => at : Reflect.get(target, name)),
  });
}
