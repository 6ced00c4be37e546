import { join } from 'node:path';
import { cleanUp } from './cleanup.js';
import { runCli } from './vscode/desktop.js';
import { quietSettings } from './vscode/quietSettings.js';
import { SettingsFile } from './workbench/settingsFiles.js';

export interface DesktopOptions {
  /** The command line of the VS Code to start. */
  readonly cli: string;
  readonly folder: string;
  readonly vsix: string;
  readonly workspace: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Opens a desktop VS Code on a profile of its own, so that the person's stays as it is. Closing its window ends us too. */
export async function startDesktop({ cli, folder, vsix, workspace, env }: DesktopOptions): Promise<void> {
  const userData = join(folder, 'user');
  const profile = ['--user-data-dir', userData, '--extensions-dir', join(folder, 'extensions')];
  await new SettingsFile(join(userData, 'User', 'settings.json')).write(quietSettings);
  const installing = runCli(cli, [...profile, '--install-extension', vsix]);
  if ((await installing.ended) !== 0) throw new Error(`${cli} did not install the extension:\n${installing.output()}`);
  const shown = ['--disable-workspace-trust', '--skip-welcome', '--new-window', '--wait', workspace];
  const window = runCli(cli, [...profile, ...shown], env);
  void window.ended.then(async () => {
    await cleanUp();
    process.exit(0);
  });
  console.log(
    `${cli}\nopens with the extension and a profile of its own, signed in to a local service with sample data.\n`,
  );
}
