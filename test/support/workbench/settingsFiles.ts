import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

type Settings = Record<string, unknown>;

export class SettingsFile {
  constructor(readonly path: string) {}

  /** VS Code empties the file before it writes: what is empty is read again. */
  async read(): Promise<Settings> {
    if (!existsSync(this.path)) return {};
    let text = '';
    for (let tries = 0; text === '' && tries < 100; tries++) {
      text = await readFile(this.path, 'utf8');
      if (text === '') await pause(10);
    }
    return JSON.parse(text);
  }

  /** Replaces the contents; VS Code sees the change as one made by another program. */
  async write(settings: Settings): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true });
    await writeFile(this.path, `${JSON.stringify(settings, undefined, 2)}\n`);
  }

  /** Sets single keys; `undefined` takes one away. */
  async change(settings: Settings): Promise<void> {
    await this.write({ ...(await this.read()), ...settings });
  }
}

export function userSettingsFile(profile: string): SettingsFile {
  return new SettingsFile(join(profile, 'data', 'User', 'settings.json'));
}

/** Of the machine on which a server runs: in a remote window they join those of the user. */
export function machineSettingsFile(serverDataDir: string): SettingsFile {
  return new SettingsFile(join(serverDataDir, 'data', 'Machine', 'settings.json'));
}

export function folderSettingsFile(folder: string): SettingsFile {
  return new SettingsFile(join(folder, '.vscode', 'settings.json'));
}
