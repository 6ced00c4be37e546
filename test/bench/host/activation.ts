import { type Debugger, Session } from 'node:inspector';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { timed } from '../compare.js';
import type { ActivationTimes, Job } from './jobs.js';

/** The first activation of a window is slower than any later one, whoever's it is: an empty extension takes that. */
export async function activation({ rounds }: Job): Promise<ActivationTimes> {
  // Windows are busy when they have just opened.
  await sleep(2000);
  await activate('bench.empty-first');
  const oursFirst = rounds % 2 === 0;
  const before = oursFirst ? undefined : await activate('bench.empty');
  const ours = await activate('automation-platform-tools.automation-platform');
  const loaded = loadedCode();
  const empty = before ?? (await activate('bench.empty'));
  await sleep(2000);
  return { ours, empty, loaded, loadedLater: loadedCode() };
}

function activate(id: string): Promise<number> {
  const extension = vscode.extensions.getExtension(id);
  if (!extension || extension.isActive) {
    throw new Error(`${id} ${extension ? 'is active already' : 'is not installed'}`);
  }
  return timed(() => extension.activate());
}

/** Characters of our scripts that V8 has seen so far. */
function loadedCode(): number {
  const session = new Session();
  const ours: Debugger.ScriptParsedEventDataType[] = [];
  session.connect();
  session.on('Debugger.scriptParsed', ({ params }) => {
    if (/automation-platform[^/]*\/dist\//.test(params.url)) {
      ours.push(params);
    }
  });
  session.post('Debugger.enable');
  session.disconnect();
  return ours.reduce((sum, script) => sum + (script.length ?? 0), 0);
}
