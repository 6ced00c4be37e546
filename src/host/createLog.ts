import * as vscode from 'vscode';
import type { KnownSecrets } from '../api/secrets.js';
import { visibleControls } from '../model/visibleControls.js';
import { productName } from './ids.js';
import type { Log } from './services.js';

/** Room for an error with its stack. */
const longestLine = 2000;

/**
 * The output channel. In English, so that people can hand it to whoever helps them; every line without secrets, and with control
 * characters made visible, so that nothing the service sends can forge a second line. No line is longer than anybody reads. There
 * is no channel before there is a line, or somebody wants to see it.
 */
export function createLog(secrets: KnownSecrets): Log {
  let made: vscode.LogOutputChannel | undefined;
  const channel = () => (made ??= vscode.window.createOutputChannel(productName, { log: true }));
  const redact = (text: string): string => secrets.redact(text);
  const clean = (line: string): string => visibleControls(bounded(redact(line)));
  return {
    info: (line) => channel().info(clean(line)),
    warn: (line) => channel().warn(clean(line)),
    error: (line) => channel().error(clean(line)),
    show: () => channel().show(),
    redact,
    dispose: () => made?.dispose(),
  };
}

function bounded(line: string): string {
  return line.length > longestLine ? `${line.slice(0, longestLine)}…` : line;
}
