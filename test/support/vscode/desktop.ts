import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { cacheFolder } from '../paths.js';
import type { HostVersion } from './hostVersions.js';

/** Newer VS Codes for macOS call it otherwise than test-electron expects: https://github.com/microsoft/vscode-test/issues/348. */
export async function desktopExecutable({ vscode: version }: HostVersion): Promise<string> {
  const expected = await downloadAndUnzipVSCode({ version, cachePath: cacheFolder });
  if (existsSync(expected)) return expected;
  const infoPlist = await readFile(join(dirname(expected), '..', 'Info.plist'), 'utf8');
  const name = /<key>CFBundleExecutable<\/key>\s*<string>([^<]+)<\/string>/.exec(infoPlist)?.[1];
  if (name === undefined) throw new Error('The Info.plist of this VS Code names no CFBundleExecutable.');
  return join(dirname(expected), name);
}
