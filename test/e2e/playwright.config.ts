import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { resultsFolder } from '../support/paths.js';
import type { CodeOptions } from '../support/workbench/fixtures.js';

interface Tags {
  readonly grep?: RegExp;
  readonly grepInvert?: RegExp;
}

/**
 * What `npm test` runs of these tests, and what it leaves to `npm run test:rest`. There the oldest VS Code gets everything once more,
 * because tests of a `serial` describe go on from each other.
 */
const selections: Readonly<Record<string, { readonly newest: Tags; readonly oldest: Tags }>> = {
  usual: { newest: { grepInvert: /@all/ }, oldest: { grep: /@core/ } },
  rest: { newest: { grep: /@all/ }, oldest: {} },
};
const selection = selections[process.env['AUTOMATION_PLATFORM_TEST_SELECTION'] ?? ''];

export default defineConfig<object, CodeOptions>({
  testMatch: '*.test.ts',
  outputDir: join(resultsFolder, 'e2e'),
  globalSetup: '../support/workbench/packageForTests.ts',
  reporter: [['list'], ['../support/workbench/flakyReporter.ts']],
  workers: 2,
  retries: 1,
  forbidOnly: Boolean(process.env['CI']),
  timeout: 60_000,
  // Two workers share two cores with the other tests.
  expect: { timeout: 15_000, toPass: { timeout: 15_000 } },
  // A trace of every run would double the time.
  use: { actionTimeout: 15_000, screenshot: 'only-on-failure', trace: 'on-first-retry' },
  projects: [
    { name: '1.139', use: { versionName: '1.139' }, ...selection?.newest },
    { name: '1.105', use: { versionName: '1.105' }, ...selection?.oldest },
    {
      name: 'pictures',
      default: false,
      testMatch: 'pictures.ts',
      snapshotPathTemplate: '{testDir}/../../media/readme/{arg}{ext}',
      use: { versionName: '1.139' },
    },
  ],
});
