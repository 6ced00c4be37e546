import { join } from 'node:path';
import { downloadAndUnzipVSCode, runVSCodeCommand } from '@vscode/test-electron';
import { cleanUp } from './cleanup.js';
import { cacheFolder } from './paths.js';
import { startProcess } from './processes.js';
import { withoutEditorVariables } from './vscode/editorVariables.js';
import type { HostVersion } from './vscode/hostVersions.js';
import { quietSettings } from './vscode/quietSettings.js';
import { SettingsFile } from './workbench/settingsFiles.js';

export interface DesktopOptions {
  readonly version: HostVersion;
  readonly folder: string;
  readonly vsix: string;
  readonly workspace: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Downloads a desktop VS Code and opens it on a profile of its own. Closing its last window ends us too. */
export async function startDesktop({ version, folder, vsix, workspace, env }: DesktopOptions): Promise<void> {
  const download = { version: version.vscode, cachePath: cacheFolder };
  const executable = await downloadAndUnzipVSCode(download);
  const userData = join(folder, 'user');
  const profile = ['--user-data-dir', userData, '--extensions-dir', join(folder, 'extensions')];
  await new SettingsFile(join(userData, 'User', 'settings.json')).write(quietSettings);
  await runVSCodeCommand([...profile, '--install-extension', vsix], { ...download, reuseMachineInstall: true });
  const window = startProcess(executable, [...profile, '--disable-workspace-trust', '--skip-welcome', workspace], {
    env: { ...withoutEditorVariables(), ...env },
  });
  void window.ended.then(async () => {
    await cleanUp();
    process.exit(0);
  });
  console.log(`VS Code ${version.vscode} opens with the extension, signed in to a local service with sample data.\n`);
}
