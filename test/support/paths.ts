// Where things are: the checkout, the cache of downloaded hosts, what a run leaves to look at.
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout. Compiled, this file is out/test/support/paths.js. */
export const projectRoot = resolve(fileURLToPath(new URL('../../../', import.meta.url)));

/** Downloads that outlive a run; several checkouts may share them through the variable. */
export const cacheFolder = process.env['AUTOMATION_PLATFORM_TEST_CACHE']
  ? resolve(process.env['AUTOMATION_PLATFORM_TEST_CACHE'])
  : join(projectRoot, '.vscode-test');

/** Screenshots and the like: of this checkout, whoever owns the cache. */
export const resultsFolder = join(projectRoot, '.vscode-test');

export const compiledTests = join(projectRoot, 'out', 'test');
