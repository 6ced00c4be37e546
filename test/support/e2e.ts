import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { compiledTests } from './paths.js';
import { runMocha, testFiles } from './runMocha.js';
import type { Suite, SuiteResult } from './suite.js';
import type { HostVersion } from './vscode/hostVersions.js';
import { takePictures } from './workbench/openWorkbench.js';
import { inSession, startSession } from './workbench/session.js';

/** How many files of a run are tried again: where more failed, it was no lost key or hover. */
let triesLeft = 3;

/**
 * test/e2e against the extension that `pack` packages, in the real workbench: each file is a job, the longest first. `grep` is an
 * expression for full titles.
 */
export async function e2eSuite(version: HostVersion, grep: string, pack: () => Promise<string>): Promise<Suite> {
  const files = await testFiles(join(compiledTests, 'e2e'));
  const sizes = new Map(await Promise.all(files.map(async (file) => [file, (await stat(file)).size] as const)));
  let session: ReturnType<typeof startSession> | undefined;
  const run = async (file: string, again: string) =>
    inSession(await (session ??= pack().then((path) => startSession(version, path))), () =>
      runMocha({ files: [file], again, timeout: 60_000, label: `${version.name} `, failed: takePictures, grep }),
    );
  const job = async (file: string): Promise<SuiteResult> => {
    const first = await run(file, version.name);
    if (first.failed.length === 0 || triesLeft-- <= 0) return first;
    // The whole file: its tests go on from what those before them left.
    const second = await run(file, `${version.name}-again`);
    // Those that failed after it went on from what it left.
    return { ...second, triedAgain: first.failed.filter((title) => !second.failed.includes(title)).slice(0, 1) };
  };
  const longestFirst = files.toSorted((one, other) => sizes.get(other)! - sizes.get(one)!);
  return { name: `e2e ${version.name}`, jobs: longestFirst.map((file) => () => job(file)) };
}
