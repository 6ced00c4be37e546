// What decides which binaries run here. The launchers take these facts as a parameter, so that tests can hand in another system's.

import type { PlatformPath } from 'node:path';

export interface Platform {
  readonly platform: NodeJS.Platform;
  readonly arch: NodeJS.Architecture;
  /** Of Linux: Alpine has musl, for which hardly any prebuilt binary is made. */
  readonly libc?: 'glibc' | 'musl';
}

export const thisPlatform: Platform = {
  platform: process.platform,
  arch: process.arch,
  ...(process.platform === 'linux' && { libc: hasGlibc() ? 'glibc' : 'musl' }),
};

/** Where programs of these names may be, as far as the path says. */
export function onPath(path: string | undefined, rules: PlatformPath, ...names: readonly string[]): readonly string[] {
  const folders = (path ?? '').split(rules.delimiter).filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => rules.join(folder, name)));
}

/** For names of cached folders: what is downloaded for one system does not run on another that shares the cache. */
export function platformName({ platform, arch, libc }: Platform): string {
  return [platform, arch, ...(libc === 'musl' ? [libc] : [])].join('-');
}

function hasGlibc(): boolean {
  const report: unknown = process.report.getReport();
  return JSON.stringify(report).includes('"glibcVersionRuntime"');
}
