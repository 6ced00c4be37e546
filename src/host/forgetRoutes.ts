import * as vscode from 'vscode';
import type { NetworkSettings } from './networkSettings.js';

/** A window that nobody used for so long may wake up in another network: a VPN came or went. */
const awayFor = 5 * 60_000;

/** Has routes decided anew when the settings that decide them change, and when the window wakes up. */
export function forgetRoutes(
  network: Pick<NetworkSettings, 'onDidChange'>,
  forget: () => void,
  now: () => number,
  window: Pick<typeof vscode.window, 'onDidChangeWindowState'> = vscode.window,
): vscode.Disposable {
  let leftAt: number | undefined;
  return vscode.Disposable.from(
    network.onDidChange(forget),
    window.onDidChangeWindowState(({ focused }) => {
      if (!focused) {
        leftAt ??= now();
        return;
      }
      // After the clock was set back nobody knows how long it was.
      const isLong = leftAt !== undefined && (now() - leftAt >= awayFor || now() < leftAt);
      leftAt = undefined;
      if (isLong) forget();
    }),
  );
}
