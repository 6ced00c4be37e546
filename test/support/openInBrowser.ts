import { spawn } from 'node:child_process';

/** Opens the address in the person's browser, if there is a screen to show it on. */
export function openInBrowser(url: string): void {
  const command = opener();
  if (!command || process.env['CI']) return;
  const [program, ...args] = command;
  // The browser is the person's: it stays when we end.
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  child.once('error', () => console.log('(No browser could be opened; open the address by hand.)'));
  child.unref();
}

function opener(): [string, ...string[]] | undefined {
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY'] ? ['xdg-open'] : undefined;
}
