import * as vscode from 'vscode';
import type { KnownSecrets } from '../api/secrets.js';
import type { Exchange } from '../api/send.js';
import { visibleControls } from '../model/visibleControls.js';
import { productName } from './ids.js';

/** The log: the output channel, every line redacted. */
export interface Log extends vscode.Disposable {
  info(line: string): void;
  warn(line: string): void;
  error(line: string): void;
  show(): void;
  /** A text without any secret known in this process, for what is shown elsewhere. */
  redact(text: string): string;
}

/** One finished request as a line of the log; English like the rest of the log, so that it can be read in a report. */
export function exchangeLine(exchange: Exchange): string {
  const { method, template, status, failure, bytes, duration, attempts, host } = exchange;
  // A status that became a failure (401, or 200 with an unusable body) still says which kind it was.
  const outcome = [status, failure?.kind].filter((part) => part !== undefined).join(' ') || 'no answer';
  const repeats = attempts > 1 ? [`${attempts} attempts`] : [];
  return [`${method} ${template} ${outcome}`, size(bytes), time(duration), ...repeats, host].join(', ');
}

function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_950) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function time(duration: number): string {
  return duration < 10_000 ? `${Math.round(duration)} ms` : `${(duration / 1000).toFixed(1)} s`;
}

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
