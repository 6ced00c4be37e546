import * as vscode from 'vscode';
import type { RequestLogEntry } from '../api/call.js';
import type { Failure } from '../api/failure.js';
import type { KnownSecrets } from '../api/secrets.js';
import { inertLogText } from '../model/inertText.js';
import { productName } from './ids.js';

/** The output channel. It is in English, so that users can hand it to support. */
export class Log implements vscode.Disposable {
  private made: vscode.LogOutputChannel | undefined;
  private readonly warned = new Set<string>();

  constructor(private readonly secrets: KnownSecrets) {}

  info(line: string): void {
    this.channel().info(this.clean(line));
  }

  warn(line: string): void {
    this.channel().warn(this.clean(line));
  }

  /** What is found anew with each reading of settings or keyring. */
  warnOnce(line: string): void {
    if (!this.warned.has(line)) this.warn(line);
    this.warned.add(line);
  }

  error(line: string): void {
    this.channel().error(this.clean(line));
  }

  show(): void {
    this.channel().show();
  }

  redact(text: string): string {
    return this.secrets.redact(text);
  }

  /** For what is copied or handed on: an ID that was looked up as an install token stays. */
  redactCopy(text: string): string {
    return this.secrets.redactCopy(text);
  }

  /** For names and IDs from settings. */
  redactData(text: string): string {
    return this.secrets.redactData(text);
  }

  dispose(): void {
    this.made?.dispose();
  }

  /** Made late, so that a window in which nothing happens has no empty channel. */
  private channel(): vscode.LogOutputChannel {
    return (this.made ??= vscode.window.createOutputChannel(productName, { log: true }));
  }

  /** Nothing the platform sends can forge a second line or become a link. */
  private clean(line: string): string {
    return inertLogText(this.redact(line));
  }
}

export function requestLine(entry: RequestLogEntry): string {
  const { method, template, status, failure, bytes, duration, attempts, host } = entry;
  // A status that became a failure (401, or 200 with an unusable body) still says which kind it was.
  const outcome =
    [status, failure?.kind].filter((part) => part !== undefined).join(' ') || 'no answer';
  const repeats = attempts > 1 ? [`${attempts} attempts`] : [];
  return [
    `${method} ${template} ${outcome}`,
    `${bytes} B`,
    `${Math.round(duration)} ms`,
    ...repeats,
    host,
  ].join(', ');
}

/** `areKept`: the certificates that were read before are still trusted. */
export function certificatesLine(code: string, areKept: boolean): string {
  const trusted = areKept
    ? 'Those that were read before are still trusted'
    : 'Until they are, only those that VS Code carries are trusted';
  return `The certificates of this machine were not read (${code}). ${trusted}.`;
}

export function causeForLog(status: number | undefined, failure: Failure | undefined): string {
  const cause = [status, failure?.kind].filter((part) => part !== undefined).join(' ');
  const said = failure && excerptOf(failure);
  return `${cause && ` (${cause})`}${said === undefined ? '' : `. Response: “${said}”`}`;
}

export function excerptOf(failure: Failure): string | undefined {
  return 'excerpt' in failure ? failure.excerpt : undefined;
}
