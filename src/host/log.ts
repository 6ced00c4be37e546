import * as vscode from 'vscode';
import type { RequestLogEntry } from '../api/call.js';
import type { Failure } from '../api/failure.js';
import type { KnownSecrets } from '../api/secrets.js';
import { inertLogText } from '../model/inertText.js';
import { productName } from './ids.js';

/**
 * Writes to the output channel of the extension, without secrets. Its lines are in English, so that
 * users can hand them to support.
 */
export class Log implements vscode.Disposable {
  private outputChannel: vscode.LogOutputChannel | undefined;
  /** The lines that `warnOnce()` has written. */
  private readonly warnedLines = new Set<string>();

  constructor(private readonly secrets: KnownSecrets) {}

  info(line: string): void {
    this.channel().info(this.clean(line));
  }

  warn(line: string): void {
    this.channel().warn(this.clean(line));
  }

  /** For what each read of settings or keyring finds: writes the same line once. */
  warnOnce(line: string): void {
    if (!this.warnedLines.has(line)) this.warn(line);
    this.warnedLines.add(line);
  }

  error(line: string): void {
    this.channel().error(this.clean(line));
  }

  show(): void {
    this.channel().show();
  }

  /** For the log, errors, and what a user pastes. */
  redact(text: string): string {
    return this.secrets.redact(text);
  }

  /**
   * For a copied text: the ID of an account stays, even if the user looked it up as an install
   * token.
   */
  redactCopy(text: string): string {
    return this.secrets.redactCopy(text);
  }

  /** For names and IDs from settings. */
  redactValue(text: string): string {
    return this.secrets.redactValue(text);
  }

  dispose(): void {
    this.outputChannel?.dispose();
  }

  /**
   * Creates the channel for the first line, or to show it, so that other windows have no empty
   * channel.
   */
  private channel(): vscode.LogOutputChannel {
    this.outputChannel ??= vscode.window.createOutputChannel(productName, { log: true });
    return this.outputChannel;
  }

  /** Prevents that text of the platform forges a second line or becomes a link. */
  private clean(line: string): string {
    return inertLogText(this.redact(line));
  }
}

/** "GET /deployments/{deploymentId}/authorization 200, 512 B, 80 ms, 2 attempts, host.example" */
export function requestLine(entry: RequestLogEntry): string {
  const { method, template, status, failure, bytes, duration, attempts, host } = entry;
  // A response with a usable status can be a failure, so both are logged: "200 unusable".
  const outcome = statusAndKind(status, failure) || 'no answer';
  const parts = [`${method} ${template} ${outcome}`, `${bytes} B`, `${Math.round(duration)} ms`];
  if (attempts > 1) parts.push(`${attempts} attempts`);
  parts.push(host);
  return parts.join(', ');
}

/** "401 tokenRejected", "timedOut", or empty if neither is known. */
function statusAndKind(status: number | undefined, failure: Failure | undefined): string {
  return [status, failure?.kind].filter((part) => part !== undefined).join(' ');
}

/**
 * "The certificates of this machine were not read (ETIMEDOUT). …" `areFormerKept`: whether the
 * certificates that were read before are still trusted.
 */
export function certificatesLine(code: string, areFormerKept: boolean): string {
  const trusted = areFormerKept
    ? 'Those that were read before are still trusted'
    : 'Until they are, only those that VS Code carries are trusted';
  return `The certificates of this machine were not read (${code}). ${trusted}.`;
}

/**
 * The end of a line about a failure: " (401 tokenRejected). Response: “invalid token”". Empty if
 * nothing is known.
 */
export function causeForLog(status: number | undefined, failure: Failure | undefined): string {
  const cause = statusAndKind(status, failure);
  const excerpt = failure && excerptOf(failure);
  const causePart = cause === '' ? '' : ` (${cause})`;
  const responsePart = excerpt === undefined ? '' : `. Response: “${excerpt}”`;
  return causePart + responsePart;
}

/** Returns the start of the response's text; `undefined` if there is none. */
export function excerptOf(failure: Failure): string | undefined {
  return 'excerpt' in failure ? failure.excerpt : undefined;
}
