import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout. Playwright runs this file as it is, everything else runs out/test/support/paths.js. */
const upwards = import.meta.url.endsWith('.ts') ? '../../' : '../../../';

export const projectRoot = resolve(fileURLToPath(new URL(upwards, import.meta.url)));

/** Downloads that outlive a run; several checkouts may share them through the variable. */
export const cacheFolder = process.env['AUTOMATION_PLATFORM_TEST_CACHE']
  ? resolve(process.env['AUTOMATION_PLATFORM_TEST_CACHE'])
  : join(projectRoot, '.vscode-test');

/** Screenshots and the like: of this checkout, whoever owns the cache. */
export const resultsFolder = join(projectRoot, '.vscode-test');

export const compiledTests = join(projectRoot, 'out', 'test');
