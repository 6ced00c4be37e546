import * as vscode from 'vscode';
import type { NetworkSettings } from './networkSettings.js';

/** A window that nobody used for so long may wake up in another network: a VPN came or went. */
const awayFor = 5 * 60_000;

/** Has routes decided anew when the settings that decide them change, and when the window wakes up. */
export function forgetRoutes(network: NetworkSettings, forget: () => void, now: () => number): vscode.Disposable {
  let leftAt: number | undefined;
  return vscode.Disposable.from(
    network.onDidChange(forget),
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (!focused) leftAt ??= now();
      else {
        if (leftAt !== undefined && now() - leftAt >= awayFor) forget();
        leftAt = undefined;
      }
    }),
  );
}
