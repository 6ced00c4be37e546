import type * as vscode from 'vscode';

/** VS Code's way to say that nobody waits any more, as the one that requests understand. */
export function signalOf(token: vscode.CancellationToken): AbortSignal {
  const abort = new AbortController();
  if (token.isCancellationRequested) abort.abort();
  else token.onCancellationRequested(() => abort.abort());
  return abort.signal;
}
