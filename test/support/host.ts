import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { certificatesForTests } from './certificatesForTests.js';
import { compiledTests } from './paths.js';
import { DEFAULT_TOKEN } from './platform/data.js';
import { type Results, readMochaReport, sum } from './results.js';
import { temporaryFolder } from './temporaryFolder.js';
import { runInExtensionHost } from './vscode/extensionHost.js';
import type { HostVersion } from './vscode/hostVersions.js';
import { foreignReportName, foreignWindows, nestedSettings } from './window/foreignSettings.js';
import {
  folderSettingsFile,
  machineSettingsFile,
  userSettingsFile,
} from './workbench/settingsFiles.js';

/** test/host/windows and test/host/folders, each in windows of its own. */
export async function otherWindowTests(version: HostVersion, grep?: string): Promise<Results> {
  return sum([await foreignSettingsTests(version, grep), await foldersTests(version, grep)]);
}

/** test/host/folders, in a window with two folders that have the same name. */
async function foldersTests(version: HostVersion, grep?: string): Promise<Results> {
  const { path } = await temporaryFolder();
  const report = join(path, 'report.json');
  const workspaceFile = join(path, 'team.code-workspace');
  const folders = ['web/src', 'api/src'];
  for (const folder of folders) await mkdir(join(path, folder), { recursive: true });
  await writeFile(
    workspaceFile,
    JSON.stringify({ folders: folders.map((folder) => ({ path: folder })) }),
  );
  const { code, output } = await runInExtensionHost({
    version,
    folder: path,
    windows: [{ workspaceFile }],
    testsPath: join(compiledTests, 'host', 'index.mjs'),
    timeLimit: 120_000,
    env: {
      AUTOMATION_PLATFORM_TEST_REPORT: report,
      AUTOMATION_PLATFORM_TEST_SUITE: 'folders',
      AUTOMATION_PLATFORM_TEST_GREP: grep,
    },
  });
  if (code !== 0) console.log(output);
  return readMochaReport(report, `host ${version.name}, two folders of one name`);
}

/** All other tests of test/host, in one window. */
export async function usualWindowTests(
  version: HostVersion,
  grep?: string,
  desktop = false,
): Promise<Results> {
  const { path } = await temporaryFolder();
  const report = join(path, 'report.json');
  const { code, output } = await runInExtensionHost({
    version,
    desktop,
    folder: path,
    testsPath: join(compiledTests, 'host', 'index.mjs'),
    timeLimit: 900_000,
    env: {
      AUTOMATION_PLATFORM_TEST_REPORT: report,
      AUTOMATION_PLATFORM_TEST_GREP: grep,
      // The running extension is signed in; nothing is listed for it to ask.
      AUTOMATION_PLATFORM_BASE_URL: 'http://127.0.0.1:1/api/v1',
      AUTOMATION_PLATFORM_TOKEN: DEFAULT_TOKEN,
      ...(await certificatesForTests(path)),
    },
  });
  if (code !== 0) console.log(output);
  return readMochaReport(report, `host ${version.name}`);
}

/** test/host/windows, in windows with settings that a repository and its dev container brought. */
async function foreignSettingsTests(version: HostVersion, grep?: string): Promise<Results> {
  const { path } = await temporaryFolder();
  const workspaceFile = join(path, 'acme.code-workspace');
  const workspace = { folders: [{ path: 'workspace' }], settings: nestedSettings('workspace') };
  await writeFile(workspaceFile, JSON.stringify(workspace));
  await folderSettingsFile(join(path, 'workspace')).write(nestedSettings('folder'));
  await userSettingsFile(path).write(nestedSettings('user'));
  await machineSettingsFile(path).write(nestedSettings('machine'));
  const { code, output } = await runInExtensionHost({
    version,
    folder: path,
    windows: foreignWindows.map(({ isTrusted, hasWorkspaceFile }) => ({
      needsTrust: !isTrusted,
      ...(hasWorkspaceFile && { workspaceFile }),
    })),
    testsPath: join(compiledTests, 'host', 'index.mjs'),
    timeLimit: 60_000,
    env: {
      AUTOMATION_PLATFORM_TEST_WINDOWS: path,
      AUTOMATION_PLATFORM_TEST_SUITE: 'windows',
      AUTOMATION_PLATFORM_TEST_GREP: grep,
    },
  });
  if (code !== 0) console.log(output);
  // A window that is not what it should be writes the report of another one, so one is missing.
  const reports = foreignWindows.map(({ name }) =>
    readMochaReport(join(path, foreignReportName(name)), `host ${version.name}, ${name}`),
  );
  return sum(await Promise.all(reports));
}
